import Foundation
import Strata

/// The properties of a request that determine a cache's answer.
struct RequestHead: Sendable {
  let method: String
  let url: URL
  let fields: HTTPFields
  let control: CacheControl

  init(method: String = "GET", url: URL, fields: HTTPFields = [:]) {
    (self.method, self.url, self.fields) = (method, url, fields)
    control = Self.control(fields)
  }

  init(_ request: URLRequest) {
    self.init(
      method: request.httpMethod ?? "GET", url: request.url ?? URL(fileURLWithPath: "/"),
      fields: HTTPFields(request.allHTTPHeaderFields ?? [:]))
  }

  /// Whether the method is GET or HEAD. The store can answer only GET and HEAD requests.
  var isRetrieval: Bool { method == "GET" || method == "HEAD" }

  /// Whether the request has conditions that only the origin can evaluate (RFC 9111, section
  /// 4.3.2).
  var hasOriginCondition: Bool {
    fields.contains("If-Match") || fields.contains("If-Unmodified-Since")
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
