import Foundation
import Strata

/// The host names under which clients may call the proxy.
///
/// A web page can give its own name the address 127.0.0.1 (DNS rebinding). Then the browser permits
/// the page to read every response of a program on this machine. But the request has the name of
/// the page in its `Host` field, so the proxy accepts only names that can't belong to a page.
struct ProxyHosts: Equatable, Sendable {
  /// The names that clients may use in addition to those of this machine, in lower case.
  var others: Set<String> = []

  /// Throws a ``ProxyFault`` if a client must not receive the response.
  func check(_ request: ProxyRequest) throws {
    for authority in request.fields.values(of: "Host") + [request.authority].compactMap(\.self) {
      guard let host = Self.host(of: authority) else {
        throw ProxyFault.malformed("the host '\(authority)' isn't a name with an optional port")
      }
      guard contains(host) else { throw ProxyFault.refusedHost(host) }
    }
    try checkPage(request.fields)
  }

  /// Refuses requests that a web page of another machine sends. Browsers state the page's origin in
  /// `Origin`. Otherwise, `Sec-Fetch-Site` says whether the page belongs to another site. Links to
  /// the proxy are allowed.
  private func checkPage(_ fields: HeaderFields) throws {
    if let page = fields["Origin"] {
      guard Self.host(ofPage: page).map(contains) == true else {
        throw ProxyFault.refusedPage(page)
      }
    } else if fields["Sec-Fetch-Site"] == "cross-site", fields["Sec-Fetch-Mode"] != "navigate" {
      let page = fields["Referer"] ?? "an unknown page"
      guard Self.host(ofPage: page).map(contains) == true else {
        throw ProxyFault.refusedPage(page)
      }
    }
  }

  func contains(_ host: String) -> Bool {
    others.contains(host) || Self.isLoopback(host)
  }

  /// Whether a host in lower case always names this machine (RFC 6761, section 6.3).
  static func isLoopback(_ host: String) -> Bool {
    let name = host.hasSuffix(".") ? String(host.dropLast()) : host
    if name == "localhost" { return true }
    if name.hasSuffix(".localhost") { return !name.hasPrefix(".") && !name.contains("..") }
    var (four, six) = (in_addr(), in6_addr())
    if inet_pton(AF_INET, name, &four) == 1 {
      return UInt32(bigEndian: four.s_addr) >> 24 == 127 && name == host
    }
    guard host.hasPrefix("["), host.hasSuffix("]"),
      inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &six) == 1
    else { return false }
    let bytes = withUnsafeBytes(of: &six) { Array($0) }
    let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 255 && bytes[11] == 255
    return bytes == Array(repeating: 0, count: 15) + [1] || isMapped && bytes[12] == 127
  }

  /// Returns the host of a text such as `localhost:8080` in lower case, or `nil` if the text isn't
  /// a host with an optional port. IPv6 addresses keep their brackets.
  static func host(of text: String) -> String? {
    let bytes = text.utf8.map { (65...90).contains($0) ? $0 | 32 : $0 }  // Only A to Z.
    var authority = URLAuthority(bytes[...])
    let isAddress = authority.host.first == UInt8(ascii: "[")
    guard authority.userInfo == nil, authority.portFault == nil,
      isAddress || authority.host.allSatisfy(isHostByte), authority.checkHost() == nil
    else { return nil }
    return String(decoding: authority.host, as: UTF8.self)
  }

  private static func host(ofPage text: String) -> String? {
    guard let start = text.range(of: "://") else { return nil }
    return host(of: String(text[start.upperBound...].prefix { !"/?#".contains($0) }))
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 97...122, 48...57, 45, 46, 95: true  // Letters, digits, and - . _
    default: false
    }
  }
}
