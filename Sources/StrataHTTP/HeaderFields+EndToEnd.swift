import StrataNetwork

extension HeaderFields {
  /// The fields, in order, without those that apply only to one connection (RFC 9110, section
  /// 7.6.1) or to a proxy.
  package var endToEnd: HeaderFields {
    without(
      elements(of: "Connection") + [
        "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding",
        "Upgrade", "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
      ])
  }

  /// Returns the fields whose names aren't in `names`, in order.
  ///
  /// - Complexity: O(n), where n is the number of fields and names.
  func without(_ names: [String]) -> HeaderFields {
    let excluded = Set(names.map { $0.lowercased() })
    return HeaderFields(filter { !excluded.contains($0.name.lowercased()) })
  }
}
