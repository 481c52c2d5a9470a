import StrataNetwork

/// Reads targeted cache-control fields, such as `CDN-Cache-Control` (RFC 9213). Such a field is a
/// structured dictionary (RFC 8941). When any part of it is malformed, the whole field is ignored.
enum TargetedCacheControl {
  /// Returns the directives of the first field that is valid and not empty. Fields with more than
  /// ``HTTPSyntax/maximumElements`` directives count as malformed.
  static func select(_ names: [String], in fields: HeaderFields) -> CacheControl? {
    for name in names where fields.contains(name) {
      let directives = (fields.boundedElements(of: name) ?? []).map(directive)
      let valid = directives.compactMap { $0 }
      if !valid.isEmpty, valid.count == directives.count { return CacheControl(lastOfEach(valid)) }
    }
    return nil
  }

  /// Reads `key` or `key=item`. With parameters, or with an inner list as its value, a directive is
  /// invalid.
  private static func directive(_ member: String) -> CacheControl.Directive? {
    let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let key = String(parts[0])
    guard let first = key.utf8.first, isLetter(first) || first == UInt8(ascii: "*"),
      key.utf8.allSatisfy({ isLetter($0) || isDigit($0) || "_-.*".utf8.contains($0) })
    else { return nil }
    guard parts.count == 2 else {
      return isNumber(key) ? nil : CacheControl.Directive(name: key, argument: nil)
    }
    let item = String(parts[1])
    let isInteger = !item.isEmpty && item.utf8.allSatisfy(isDigit) && item.utf8.count <= 15
    if isNumber(key) { return isInteger ? .init(name: key, argument: item) : nil }
    if item == "?1" { return .init(name: key, argument: nil) }
    guard isInteger || HTTPSyntax.argument(item[...].utf8) != nil else { return nil }
    return .init(name: key, argument: HTTPSyntax.argument(item[...].utf8))
  }

  private static func isNumber(_ key: String) -> Bool {
    ["max-age", "s-maxage", "stale-while-revalidate", "stale-if-error"].contains(key)
  }

  /// Returns the last directive for each name: in a structured dictionary, it replaces all earlier
  /// ones (RFC 8941, section 3.2).
  private static func lastOfEach(_ all: [CacheControl.Directive]) -> [CacheControl.Directive] {
    var known = Set<String>()
    return all.reversed().filter { known.insert($0.name).inserted }.reversed()
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte) }
  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}

extension CacheControl.Directive {
  fileprivate init(name: String, argument: String?) {
    self.init(name: name, argument: argument, isMalformed: false)
  }
}
