import Foundation
import Strata
import StrataHTTP

/// A response that the proxy sends to a client.
struct ProxyResponse: Sendable {
  let status: Int
  var fields: HeaderFields
  let body: Data
  /// The bytes that follow `body`, if the response is streamed.
  private(set) var rest: BodyStream?
  /// The interim responses of the origin. Proxies must forward them (RFC 9110, section 15.2).
  var interim: [NetworkResponse.Interim] = []

  /// Creates the response to a client from the cache's answer. This response states how the cache
  /// handled the request.
  init(_ answer: HTTPAnswer, _ cacheStatus: HTTPCacheStatus, to method: String) {
    status = answer.response.status
    interim = answer.response.interim
    fields = answer.response.fields.endToEnd
    fields.append(cacheStatus.field(), for: "Cache-Status")
    let hasBody = method != "HEAD" && status != 204 && status != 304
    body = hasBody ? answer.response.body : Data()
    rest = hasBody ? answer.response.rest : nil
    if hasBody, rest == nil { fields["Content-Length"] = String(body.count) }
    if status == 204 { fields["Content-Length"] = nil }
  }

  /// Whether the body must be sent in chunks, because its length isn't known yet.
  var needsChunks: Bool { rest != nil && !fields.contains("Content-Length") }

  /// Creates a response that comes from the proxy itself, such as an error.
  init(status: Int, _ explanation: String, detail: String, to method: String) {
    self.status = status
    fields = [
      "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store",
      "Cache-Status": "strata; detail=\(detail)",
      "Content-Length": String(explanation.utf8.count + 1),
    ]
    body = method == "HEAD" ? Data() : Data("\(explanation)\n".utf8)
  }

  /// Returns the bytes of the interim responses and the final response. Clients that use HTTP/1.0
  /// don't receive interim responses.
  func bytes(keepingConnection isKept: Bool, toCurrent isCurrent: Bool = true) -> [UInt8] {
    var head = ""
    for interim in isCurrent ? interim : [] {
      var fields = interim.fields.endToEnd
      fields.remove("Content-Length")  // An interim response has no body.
      head += Self.lines(interim.status, fields) + "\r\n"
    }
    head += Self.lines(status, fields)
    if needsChunks, isCurrent { head += "Transfer-Encoding: chunked\r\n" }
    if !isKept { head += "Connection: close\r\n" }
    if isKept, !isCurrent { head += "Connection: keep-alive\r\n" }
    return RawText.bytes(of: head + "\r\n") + body
  }

  private static func lines(_ status: Int, _ fields: HeaderFields) -> String {
    fields.reduce("HTTP/1.1 \(status) \(phrases[status] ?? "Status")\r\n") { lines, field in
      "\(lines)\(field.name): \(plain(field.value))\r\n"
    }
  }

  /// Replaces control characters with spaces, because a client might reject fields that contain
  /// control characters (RFC 9110, section 5.5).
  private static func plain(_ value: String) -> String {
    guard value.utf8.contains(where: ProxyHead.isControl) else { return value }
    return String(decoding: value.utf8.map { ProxyHead.isControl($0) ? 32 : $0 }, as: UTF8.self)
  }

  private static let phrases = [
    102: "Processing", 103: "Early Hints",
    200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information",
    204: "No Content", 206: "Partial Content", 301: "Moved Permanently", 302: "Found",
    303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 409: "Conflict", 410: "Gone", 412: "Precondition Failed",
    413: "Content Too Large", 416: "Range Not Satisfiable", 422: "Unprocessable Content",
    421: "Misdirected Request", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
    503: "Service Unavailable", 504: "Gateway Timeout", 507: "Insufficient Storage",
  ]
}
