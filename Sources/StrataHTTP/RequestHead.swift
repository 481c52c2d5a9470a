import Foundation
import Strata

/// The properties of a request that determine a cache's answer.
struct RequestHead: Sendable {
  let method: String
  let url: URL
  let fields: HTTPFields
  let control: CacheControl
  /// Whether the request has content. The content can change the response, but isn't part of the
  /// key, so the response to a GET with content answers no other request (RFC 9110, section 9.3.1).
  let hasBody: Bool

  init(method: String = "GET", url: URL, fields: HTTPFields = [:], hasBody: Bool = false) {
    (self.method, self.url, self.fields, self.hasBody) = (method, url, fields, hasBody)
    control = Self.control(fields)
  }

  init(_ request: URLRequest) {
    self.init(
      method: request.httpMethod ?? "GET", url: request.url ?? URL(fileURLWithPath: "/"),
      fields: HTTPFields(request.allHTTPHeaderFields ?? [:]),
      hasBody: request.httpBody?.isEmpty == false || request.httpBodyStream != nil)
  }

  /// The fields without the conditions that a cache can evaluate (RFC 9111, section 4.3.2).
  var unconditional: HTTPFields { fields.without(["If-None-Match", "If-Modified-Since"]) }

  /// Whether a response comes from the requested URL. The response to a redirected request comes
  /// from another URL, and says nothing about the stored responses of this URL.
  func isAnswered(by response: HTTPResponse) -> Bool {
    StoreKey.text(response.url) == StoreKey.text(url)
  }

  /// Whether the method is GET or HEAD. The store can answer only GET and HEAD requests.
  var isRetrieval: Bool { method == "GET" || method == "HEAD" }

  /// Whether the request has conditions that only the origin can evaluate (RFC 9111, section
  /// 4.3.2).
  var hasOriginCondition: Bool {
    fields.contains("If-Match") || fields.contains("If-Unmodified-Since")
  }

  /// Whether the `Host` field names another host or port than the URL. The origin can answer each
  /// host in another way, but the key of a response contains only the URL.
  var hasOtherHost: Bool {
    guard let host = fields["Host"] else { return false }
    let other = URL(string: "\(url.scheme ?? "http")://\(host)/")
    return other.map { !NetworkURL.haveSameOrigin($0, url) } ?? true
  }

  /// Returns the directives of a request. `Pragma: no-cache` takes effect only if the request has
  /// no `Cache-Control` (RFC 9111, section 5.4).
  private static func control(_ fields: HTTPFields) -> CacheControl {
    let control = CacheControl(fields)
    guard !fields.contains("Cache-Control") else { return control }
    let pragma = CacheControl(fields, name: "Pragma")
    return CacheControl(pragma.directives.filter { $0.name == "no-cache" })
  }
}
