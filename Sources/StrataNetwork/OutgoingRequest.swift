import Foundation

/// A request that is safe to send: its URL has no credentials, and its fields have valid syntax.
struct OutgoingRequest: Sendable {
  var method: String
  var url: URL
  var fields: HeaderFields
  var body: Data?
  /// The request as the caller passed it. On Apple's platforms, `URLSession` honors the settings
  /// that choose a network.
  private var source: RequestSource

  /// The names of the header fields to remove from every request, because they describe the
  /// connection, or because the transport sets them.
  private static let connectionFields = [
    "Connection", "Content-Length", "Expect", "Keep-Alive", "Proxy-Connection", "TE", "Trailer",
    "Transfer-Encoding", "Upgrade",
  ]

  /// Checks a request, and adds each session field that the request doesn't already have.
  init(
    _ request: URLRequest, sessionFields: HeaderFields = [:]
  ) throws(NetworkError.Reason) {
    method = request.httpMethod ?? "GET"
    fields = HeaderFields(of: request)
    source = .request(request)
    body = request.httpBody
    var authorization: String?
    if let plain = request.url, NetworkURL.isPlain(plain) {
      url = plain
    } else {
      let checked = try NetworkURL.checked(request.url.map { URLReference($0) })
      url = NetworkURL.withoutCredentials(checked)
      authorization = NetworkURL.basicAuthorization(checked)
    }
    fields.append(contentsOf: sessionFields.filter { [fields] in !fields.contains($0.name) })
    Self.connectionFields.forEach { fields.remove($0) }
    try check(hasStream: request.httpBodyStream != nil)
    addDefaults(authorization: authorization)
  }

  /// Creates a GET request for a plain URL. See `NetworkURL.isPlain(_:)`.
  ///
  /// - Parameter fields: All fields of the request, as the other initializer would add them.
  init(plain url: URL, fields: HeaderFields) {
    (method, self.url, self.fields, source) = ("GET", url, fields, .url(url))
  }

  var withoutBody: OutgoingRequest {
    var result = self
    result.body = nil
    if case .request(var request) = source, request.httpBody != nil {
      request.httpBody = nil
      result.source = .request(request)
    }
    return result
  }

  /// The request as a `URLRequest` with the same URL, fields, and body, and with the settings of
  /// the caller's request.
  var urlRequest: URLRequest { urlRequest { $0.value } }

  func urlRequest(_ value: (HeaderFields.Field) -> String) -> URLRequest {
    var result = source.urlRequest
    result.url = url
    result.httpMethod = method
    result.httpBody = body
    for name in (result.allHTTPHeaderFields ?? [:]).keys {
      result.setValue(nil, forHTTPHeaderField: name)
    }
    for field in fields { result.addValue(value(field), forHTTPHeaderField: field.name) }
    return result
  }

  /// Whether the scheme is `https`. Checked URLs have a lowercase scheme.
  var isTLS: Bool { url.absoluteString.utf8.starts(with: "https:".utf8) }

  /// Whether sending the request twice has the same effect as sending it once (RFC 9110, section
  /// 9.2.2).
  var isIdempotent: Bool {
    ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(method)
  }

  /// Whether a request without a body sends `Content-Length: 0` (RFC 9110, section 8.6).
  var announcesEmptyBody: Bool { ["POST", "PUT", "PATCH"].contains(method) }

  private func check(hasStream: Bool) throws(NetworkError.Reason) {
    guard !hasStream else { throw .refusedRequest("a body stream can't be sent twice") }
    guard HTTPSyntax.isToken(method) else { throw .refusedRequest("the method isn't valid") }
    for field in fields {
      guard HTTPSyntax.isToken(field.name), HTTPSyntax.isValue(field.value) else {
        throw .refusedRequest("a header field has characters that HTTP forbids")
      }
    }
  }

  /// Adds default fields. Some origins refuse requests without a `User-Agent` field.
  private mutating func addDefaults(authorization: String?) {
    if let authorization, !fields.contains("Authorization") {
      fields["Authorization"] = authorization
    }
    if !fields.contains("User-Agent") { fields["User-Agent"] = "Strata" }
    if !fields.contains("Accept") { fields["Accept"] = "*/*" }
  }
}

/// What a caller requests. A `URLRequest` for each get of a URL would take longer to create than all
/// other parts of the request.
enum RequestSource: Sendable {
  case url(URL)
  case request(URLRequest)

  var url: URL? {
    switch self {
    case .url(let url): url
    case .request(let request): request.url
    }
  }

  var urlRequest: URLRequest {
    switch self {
    case .url(let url): URLRequest(url: url)
    case .request(let request): request
    }
  }
}
