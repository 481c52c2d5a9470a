import Foundation
import Strata

/// A parser for the head of a request (RFC 9112, sections 3 and 5).
enum ProxyHead {
  /// Parses the request line and the lines of the header fields.
  ///
  /// - Throws: A ``ProxyFault`` for a head that another parser could interpret differently.
  static func read(_ lines: [String]) throws -> ProxyRequest {
    let words = lines[0].split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.count == 3, HTTPSyntax.isToken(words[0]),
      words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0"
    else { throw ProxyFault.malformed("the request line") }
    guard words[0] != "CONNECT" else { throw ProxyFault.refusedMethod }
    let fields = try HeaderFields(lines.dropFirst().map(field))
    let isCurrent = words[2] == "HTTP/1.1"
    let hosts = fields.values(of: "Host").count
    guard hosts == 1 || hosts == 0 && !isCurrent else {
      throw ProxyFault.malformed("a request needs exactly one Host field")
    }
    let (authority, target) = try target(words[1])
    return ProxyRequest(
      method: words[0], target: target, authority: authority, isCurrent: isCurrent, fields: fields)
  }

  /// Whether a byte is a control character. Header fields must not contain control characters (RFC
  /// 9110, section 5.5).
  static func isControl(_ byte: UInt8) -> Bool { byte < 32 && byte != 9 || byte == 127 }

  /// Returns the path and the query of a request target in origin form or absolute form, and the
  /// authority of a target in absolute form. Because the proxy has only one origin, the authority
  /// doesn't select it.
  private static func target(_ text: String) throws -> (authority: String?, target: String) {
    if text.utf8.first == UInt8(ascii: "/") || text == "*" { return (nil, text) }
    let scheme = ["http://", "https://"].first { text.lowercased().hasPrefix($0) }
    guard let scheme else { throw ProxyFault.malformed("the target") }
    let rest = text.dropFirst(scheme.utf8.count).prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let target = rest.dropFirst(authority.count)
    return (
      String(authority), target.utf8.first == UInt8(ascii: "/") ? String(target) : "/\(target)"
    )
  }

  private static func field(_ line: String) throws -> HeaderFields.Field {
    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, HTTPSyntax.isToken(String(parts[0])) else {
      throw ProxyFault.malformed("a header field")
    }
    return HeaderFields.Field(name: String(parts[0]), value: String(parts[1]))
  }
}
