import Strata

/// The fields that concern one connection and aren't forwarded (RFC 9110, section 7.6.1).
enum HopByHop {
  private static let names = [
    "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info",
    "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  /// Returns the other fields, in their order.
  static func removed(from fields: HTTPFields) -> HTTPFields {
    let named = Set(names + fields.elements(of: "Connection").map { $0.lowercased() })
    return HTTPFields(fields.filter { !named.contains($0.name.lowercased()) })
  }
}
