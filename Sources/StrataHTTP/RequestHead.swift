import Foundation
import StrataNetwork

/// The properties of a request that determine a cache's answer.
struct RequestHead: Sendable {
  let method: String
  let url: URL
  let fields: HeaderFields
  let control: CacheControl
  /// Whether the request has content. Content isn't part of the key, so the response to a GET with
  /// content answers no other request (RFC 9110, section 9.3.1).
  let hasBody: Bool
  /// The fields that identify the user, with their values. They separate the users, because a
  /// private cache never answers one user with the response to another.
  let reader: [SelectingField]
  private let identifying: [String]

  /// - Parameter identifying: The names of the fields that identify the user, in addition to
  ///   `Authorization`, `Cookie`, and `Proxy-Authorization`.
  init(
    method: String = "GET", url: URL, fields: HeaderFields = [:], hasBody: Bool = false,
    identifying: [String] = []
  ) {
    (self.method, self.url, self.fields, self.hasBody) = (method, url, fields, hasBody)
    self.identifying = identifying
    reader = Self.reader(fields, identifying)
    control = Self.control(fields)
  }

  init(_ request: URLRequest) { self.init(SentRequest(request)) }

  init(_ sent: SentRequest) {
    let request = sent.request
    let url = request.url ?? URL(fileURLWithPath: "/")
    var fields = HeaderFields(of: request)
    // A fetcher that doesn't reveal its request might send the credentials in the URL.
    if !fields.contains("Authorization"), let value = NetworkURL.basicAuthorization(url) {
      fields["Authorization"] = value
    }
    self.init(
      method: request.httpMethod ?? "GET", url: url, fields: fields,
      hasBody: request.httpBody?.isEmpty == false || request.httpBodyStream != nil,
      identifying: sent.identifying)
  }

  /// Whether a response comes from the requested URL. After a redirect, a response doesn't, so it
  /// says nothing about the stored responses of this URL.
  func isAnswered(by response: NetworkResponse) -> Bool {
    StoreKey.text(response.url) == StoreKey.text(url)
  }

  /// The head of a GET request with the same URL and fields.
  var asGet: RequestHead {
    RequestHead(
      method: "GET", url: url, fields: fields, hasBody: hasBody,
      identifying: identifying)
  }

  /// Returns the head of the request that an origin level has sent for this one. The returned head
  /// keeps the conditions and the range of this request, because the request that was sent has
  /// those of the cache.
  func judged(by sent: SentRequest?) -> RequestHead {
    guard let sent else { return self }
    let kept = [
      "If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since",
    ]
    let names = kept + ["Range"]
    var result = HeaderFields(sent.request.allHTTPHeaderFields ?? [:]).without(names)
    result.append(
      contentsOf: fields.filter { field in names.contains { HTTPSyntax.equal($0, field.name) } })
    return RequestHead(
      method: method, url: url, fields: result, hasBody: hasBody, identifying: sent.identifying)
  }

  /// Whether the method is GET or HEAD. The store can answer only these.
  var isRetrieval: Bool { method == "GET" || method == "HEAD" }

  /// Whether the request has conditions that only the origin can evaluate (RFC 9111, section
  /// 4.3.2).
  var hasOriginCondition: Bool {
    fields.contains("If-Match") || fields.contains("If-Unmodified-Since")
  }

  /// Whether the host or port in the `Host` field differs from the URL's. Each host may answer
  /// differently, but the key of a response contains only the URL.
  var hasOtherHost: Bool {
    guard let host = fields["Host"] else { return false }
    let other = NetworkURL.url("\(url.scheme ?? "http")://\(host)/")
    return other.map { !NetworkURL.haveSameOrigin($0, url) } ?? true
  }

  private static func reader(_ fields: HeaderFields, _ more: [String]) -> [SelectingField] {
    let names = ["authorization", "cookie", "proxy-authorization"] + more.map { $0.lowercased() }
    return Set(names).sorted().compactMap { name in
      HTTPSyntax.combined(fields.values(of: name)).map { SelectingField(name: name, value: $0) }
    }
  }

  /// Returns the directives of a request. `Pragma: no-cache` takes effect only if the request has
  /// no `Cache-Control` (RFC 9111, section 5.4).
  private static func control(_ fields: HeaderFields) -> CacheControl {
    let control = CacheControl(fields)
    guard !fields.contains("Cache-Control") else { return control }
    let pragma = CacheControl(fields, name: "Pragma")
    return CacheControl(pragma.directives.filter { $0.name == "no-cache" })
  }
}
