import Foundation

/// Functions that check and normalize URLs for requests.
package enum NetworkURL {
  /// Returns the URL with a lowercase scheme, or `nil` if the URL must not be requested.
  ///
  /// On Linux, `URLSession` crashes if the scheme is `HTTP` in uppercase, or if the host has
  /// certain percent-encoded characters. The function rejects every host name with percent-encoded
  /// characters, because a host name never needs percent-encoding.
  static func permitted(_ url: URL?) -> URL? {
    guard let url = url?.absoluteURL, let host = url.host(percentEncoded: true), !host.isEmpty,
      isPlain(host), let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      (1...65535).contains(url.port ?? 80)
    else { return nil }
    guard url.scheme != scheme else { return url }
    var components = URLComponents(url: url, resolvingAgainstBaseURL: false)
    components?.scheme = scheme
    return components?.url
  }

  /// Whether two URLs have the same scheme, host, and port (RFC 6454).
  package static func haveSameOrigin(_ one: URL, _ other: URL) -> Bool {
    origin(of: one) == origin(of: other)
  }

  /// Returns the origin of a URL: its scheme, host, and port. The port is always present.
  static func origin(of url: URL) -> String {
    let scheme = url.scheme?.lowercased() ?? ""
    let port = url.port ?? (scheme == "https" ? 443 : 80)
    return "\(scheme)://\(url.host()?.lowercased() ?? ""):\(port)"
  }

  /// Returns the URL without its user name, password, and fragment, because they aren't part of a
  /// request's target.
  static func withoutCredentials(_ url: URL) -> URL {
    guard url.user() != nil || url.password() != nil || url.fragment() != nil else { return url }
    var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
    components?.user = nil
    components?.password = nil
    components?.fragment = nil
    return components?.url ?? url
  }

  /// Returns the `Authorization` value for the URL's user name and password (RFC 7617), or `nil` if
  /// the URL has no user name.
  static func basicAuthorization(_ url: URL) -> String? {
    guard let user = url.user(percentEncoded: false) else { return nil }
    let password = url.password(percentEncoded: false) ?? ""
    return "Basic \(Data(utf8: "\(user):\(password)").base64EncodedString())"
  }

  /// Whether a host is free of control characters, spaces, and percent signs. An IPv6 address can
  /// contain a percent sign before its zone ID.
  private static func isPlain(_ host: String) -> Bool {
    for byte in host.utf8 where byte <= 32 || byte == 127 { return false }
    return host.contains(":") || !host.contains("%")
  }
}
