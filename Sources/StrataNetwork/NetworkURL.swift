import Foundation

/// Functions that check and normalize URLs for requests.
package enum NetworkURL {
  /// Returns the URL with a lowercase scheme and an ASCII host, or `nil` if it must not be
  /// requested.
  static func permitted(_ url: URL?) -> URL? { try? checked(url.map { URLReference($0) }) }

  /// Whether a URL can be requested exactly as it is: it has a lowercase scheme, an ASCII host, and
  /// neither credentials nor a fragment. Other URLs may also be permitted.
  static func isPlain(_ url: URL) -> Bool {
    guard url.baseURL == nil else { return false }
    var text = url.relativeString
    return text.withUTF8 { PlainURL.matches($0) }
  }

  /// Returns the URL with a lowercase scheme and an ASCII host.
  ///
  /// On Linux, `URLSession` crashes if the scheme is `HTTP` in uppercase, or if the host has
  /// certain percent-encoded characters. So an internationalized host is converted to punycode, and
  /// any other host with percent-encoded characters is rejected.
  ///
  /// - Throws: `refusedURL` if the URL must not be requested.
  static func checked(_ reference: URLReference?) throws(NetworkError.Reason) -> URL {
    guard var reference, let scheme = reference.scheme else {
      throw .refusedURL("it has no scheme")
    }
    guard scheme == "http" || scheme == "https" else {
      throw .refusedURL("its scheme is \"\(scheme.prefix(20))\" instead of http or https")
    }
    guard var authority = reference.authority else { throw .refusedURL("it has no host") }
    if let fault = authority.checkHost() ?? authority.portFault { throw .refusedURL(fault) }
    reference.authority = authority
    guard let url = reference.url else { throw .refusedURL("it isn't valid") }
    return url
  }

  /// Returns the URL of a reference that a peer has sent, such as the value of `Location`. Returns
  /// `nil` if the reference isn't valid. This URL's text keeps the peer's bytes. See
  /// `RawText.text(_:)`.
  package static func url(_ text: String, relativeTo base: URL? = nil) -> URL? {
    let reference = URLReference(text)
    return (base.map { reference.resolved(against: URLReference($0)) } ?? reference).url
  }

  /// Whether two URLs have the same scheme, host, and port (RFC 6454).
  package static func haveSameOrigin(_ one: URL, _ other: URL) -> Bool {
    origin(of: one) == origin(of: other)
  }

  /// Returns the origin of a URL: its scheme, its host, and its port, even if it's the default
  /// port.
  static func origin(of url: URL) -> String {
    let reference = URLReference(url)
    let scheme = reference.scheme ?? ""
    let port = reference.authority?.portNumber ?? (scheme == "https" ? 443 : 80)
    let host = String(decoding: reference.authority?.host ?? [], as: UTF8.self)
    return "\(scheme)://\(host.lowercased()):\(port)"
  }

  /// Returns the URL without its user name, password, and fragment, which aren't part of a
  /// request's target.
  static func withoutCredentials(_ url: URL) -> URL {
    var reference = URLReference(url)
    guard reference.authority?.userInfo != nil || reference.fragment != nil else { return url }
    reference.authority?.userInfo = nil
    reference.fragment = nil
    return reference.url ?? url
  }

  /// Returns the `Authorization` value for the URL's user name and password (RFC 7617), or `nil` if
  /// the URL has neither. Bytes that are escaped in the URL aren't escaped in the value.
  package static func basicAuthorization(_ url: URL) -> String? {
    guard let (user, password) = URLReference(url).authority?.credentials else { return nil }
    guard !user.isEmpty || password != nil else { return nil }
    let bytes = user + [UInt8(ascii: ":")] + (password ?? [])
    return "Basic \(Data(bytes).base64EncodedString())"
  }
}
