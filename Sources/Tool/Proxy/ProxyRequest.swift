import Foundation
import Strata
import StrataHTTP

/// A client's request, which consists of the parsed head and the body.
struct ProxyRequest: Sendable {
  let method: String
  /// The path and the query.
  let target: String
  /// The host and port of a target in absolute form.
  var authority: String?
  /// Whether the client uses HTTP/1.1 instead of HTTP/1.0.
  let isCurrent: Bool
  let fields: HeaderFields
  var body = Data()

  /// The framing of the body, which determines where the body ends (RFC 9112, section 6.3).
  enum Framing: Equatable {
    case none
    case length(Int)
    case chunked
  }

  /// Returns the framing of the body.
  ///
  /// - Throws: A ``ProxyFault`` if the framing is ambiguous, so that two parsers could disagree
  ///   about the end of the body.
  func framing() throws -> Framing {
    let codings = fields.values(of: "Transfer-Encoding").map { HTTPSyntax.trimmed($0) }
    let lengths = fields.values(of: "Content-Length").map { HTTPSyntax.trimmed($0) }
    guard codings.isEmpty || lengths.isEmpty, lengths.count <= 1 else {
      throw ProxyFault.malformed("the length of the body is ambiguous")
    }
    if !codings.isEmpty {
      guard codings.allSatisfy({ !$0.isEmpty }) else {
        throw ProxyFault.malformed("Transfer-Encoding is empty")
      }
      guard codings.map({ $0.lowercased() }) == ["chunked"], isCurrent else {
        throw ProxyFault.unknownCoding
      }
      return .chunked
    }
    guard let text = lengths.first else { return .none }
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }), let length = Int(text)
    else { throw ProxyFault.malformed("Content-Length isn't a number") }
    return length == 0 ? .none : .length(length)
  }

  /// Whether the client waits for a 100 (Continue) response before it sends the body (RFC 9110,
  /// section 10.1.1).
  var expectsContinue: Bool {
    isCurrent && fields.elements(of: "Expect").contains { $0.lowercased() == "100-continue" }
  }

  /// Whether the connection stays open after the response (RFC 9112, section 9.3).
  var keepsConnection: Bool {
    let options = fields.elements(of: "Connection").map { $0.lowercased() }
    return isCurrent ? !options.contains("close") : options.contains("keep-alive")
  }

  /// Returns the request to send to the origin, without the fields that apply only to the client's
  /// connection.
  ///
  /// - Throws: A ``ProxyFault`` if the target isn't valid.
  func forwarded(to origin: URL) throws -> URLRequest {
    let base = origin.absoluteString
    let root = base.hasSuffix("/") ? String(base.dropLast()) : base
    guard let url = NetworkURL.url(root + (target == "*" ? "/" : target)) else {
      throw ProxyFault.malformed("the target isn't a path")
    }
    var request = URLRequest(url: url)
    request.httpMethod = method
    for field in fields.endToEnd where !Self.own.contains(field.name.lowercased()) {
      request.addValue(field.value, forHTTPHeaderField: field.name)
    }
    if fields.contains("Cookie") {
      request.setValue(
        fields.values(of: "Cookie").joined(separator: "; "), forHTTPHeaderField: "Cookie")
    }
    // Without `Accept-Encoding`, the transport could choose codings that the client can't decode.
    if !fields.contains("Accept-Encoding") {
      request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    }
    request.addValue("\(isCurrent ? "1.1" : "1.0") strata", forHTTPHeaderField: "Via")
    if !body.isEmpty { request.httpBody = body }
    return request
  }

  /// The fields that aren't copied from the client's request. The proxy responds to `Expect`
  /// itself, and joins all `Cookie` fields into one. `Host` and `Content-Length` come from the
  /// transport.
  private static let own: Set<String> = ["host", "content-length", "expect", "cookie"]
}
