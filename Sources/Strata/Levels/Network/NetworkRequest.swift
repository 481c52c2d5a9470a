import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The rules for what is asked: first by the user, then by each redirect.
enum NetworkRequest {
  static let maximumRedirects = 10

  /// Headers that say who asks, and are for the origin they were written for alone.
  private static let credentials = ["Authorization", "Cookie", "Proxy-Authorization"]

  /// The URL that may be asked, with a lower-case scheme, or `nil` if it must not be.
  ///
  /// URLSession on Linux ends the process when it is asked for `HTTP://`, hence the lower case.
  static func permitted(_ url: URL?) -> URL? {
    guard let url = url?.absoluteURL, let host = url.host, !host.isEmpty,
      let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https"
    else { return nil }
    guard url.scheme != scheme else { return url }
    var components = URLComponents(url: url, resolvingAgainstBaseURL: false)
    components?.scheme = scheme
    return components?.url
  }

  /// The next request of a redirect, without credentials if it leaves the origin.
  ///
  /// The target is resolved here and not taken from `proposed`: Linux turns `file:///etc/passwd`
  /// into a path on the same host, and resolves relative references against the root.
  static func following(
    _ response: HTTPURLResponse, from asked: URL?, proposed: URLRequest
  ) throws(NetworkError) -> URLRequest {
    let location = response.value(forHTTPHeaderField: "Location") ?? ""
    let origin = response.url ?? asked
    let target = URL(string: location, relativeTo: origin)
    guard let url = permitted(target) else {
      throw NetworkError(.refusedURL(scheme: target?.scheme), url: target, response: response)
    }
    var request = proposed
    request.url = url
    guard let origin, sameOrigin(origin, url) else {
      for name in credentials { request.setValue(nil, forHTTPHeaderField: name) }
      return request
    }
    return request
  }

  /// Whether scheme, host and port are equal (RFC 6454).
  static func sameOrigin(_ one: URL, _ other: URL) -> Bool { origin(of: one) == origin(of: other) }

  /// Scheme, host and port, the last one spelled out.
  static func origin(of url: URL) -> String {
    let scheme = url.scheme?.lowercased() ?? ""
    let port = url.port ?? (scheme == "https" ? 443 : 80)
    return "\(scheme)://\(url.host?.lowercased() ?? ""):\(port)"
  }
}
