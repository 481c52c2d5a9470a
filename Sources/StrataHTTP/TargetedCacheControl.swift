import StrataNetwork

/// Reads targeted cache-control fields, such as `CDN-Cache-Control` (RFC 9213). Such a field is a
/// structured dictionary (RFC 8941). When any part of it is malformed, the whole field is ignored.
enum TargetedCacheControl {
  private typealias Member = (directive: CacheControl.Directive, isFalse: Bool)

  /// Returns the directives of the first field that is valid and not empty. Fields with more than
  /// ``HTTPSyntax/maximumElements`` directives count as malformed.
  static func select(_ names: [String], in fields: HeaderFields) -> CacheControl? {
    for name in names where fields.contains(name) {
      let members = (fields.boundedElements(of: name) ?? []).map(member)
      let valid = members.compactMap { $0 }
      if !valid.isEmpty, valid.count == members.count {
        return CacheControl(lastOfEach(valid).filter { !$0.isFalse }.map(\.directive))
      }
    }
    return nil
  }

  /// Reads `key` or `key=item`, and ignores parameters, as RFC 9213, section 2.1, requires. With an
  /// inner list as its value, a directive is invalid. With the value `?0`, it's absent.
  private static func member(_ text: String) -> Member? {
    var rest = text[...]
    guard let name = key(&rest) else { return nil }
    var item: String?
    if rest.utf8.first == UInt8(ascii: "=") {
      rest.removeFirst()
      item = value(&rest)
    }
    guard areParameters(rest) else { return nil }
    let argument = item.flatMap { HTTPSyntax.argument($0[...].utf8) }
    let isInteger =
      item.map { !$0.isEmpty && $0.utf8.count <= 15 && $0.utf8.allSatisfy(isDigit) } ?? false
    if isNumber(name) { return isInteger ? (.init(name: name, argument: item), false) : nil }
    guard item == nil || item == "?0" || item == "?1" || argument != nil else { return nil }
    return (.init(name: name, argument: argument), item == "?0")
  }

  /// Whether the text consists of parameters, such as `;a;b=1`.
  private static func areParameters(_ text: Substring) -> Bool {
    var rest = text
    while rest.utf8.first == UInt8(ascii: ";") {
      rest = rest.dropFirst().drop { $0 == " " }
      guard key(&rest) != nil else { return false }
      guard rest.utf8.first == UInt8(ascii: "=") else { continue }
      rest.removeFirst()
      guard isItem(value(&rest)) else { return false }
    }
    return rest.isEmpty
  }

  /// Takes a key from the front of the text, or returns `nil` if there is none.
  private static func key(_ rest: inout Substring) -> String? {
    guard let first = rest.utf8.first, isLetter(first) || first == UInt8(ascii: "*") else {
      return nil
    }
    let key = rest.utf8.prefix { isLetter($0) || isDigit($0) || "_-.*".utf8.contains($0) }
    rest = rest[key.endIndex...]
    return String(Substring(key))
  }

  /// Takes a value from the front of the text: everything before the next semicolon that isn't in a
  /// quoted string.
  private static func value(_ rest: inout Substring) -> String {
    var (isQuoted, isEscaped) = (false, false)
    let value = rest.utf8.prefix { byte in
      if !isEscaped, byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      isEscaped = isQuoted && !isEscaped && byte == UInt8(ascii: "\\")
      return isQuoted || byte != UInt8(ascii: ";")
    }
    rest = rest[value.endIndex...]
    return String(Substring(value))
  }

  /// Whether the text is an item without parameters: a number, a string, a token, a Boolean, or
  /// bytes in Base64 (RFC 8941, section 3.3).
  private static func isItem(_ text: String) -> Bool {
    switch text.utf8.first {
    case UInt8(ascii: "\""): return HTTPSyntax.argument(text[...].utf8) != nil
    case UInt8(ascii: "?"): return text == "?0" || text == "?1"
    case UInt8(ascii: ":"):
      let isBase64 = text.utf8.dropFirst().dropLast().allSatisfy {
        isLetter($0 | 32) || isDigit($0) || "+/=".utf8.contains($0)
      }
      return text.utf8.count > 1 && text.utf8.last == UInt8(ascii: ":") && isBase64
    case let first? where isDigit(first) || first == UInt8(ascii: "-"):
      let parts = text.drop { $0 == "-" }.utf8.split(
        separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      return parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isDigit) }
        && text.utf8.dropFirst().allSatisfy { $0 != UInt8(ascii: "-") }
    case let first?:
      return (isLetter(first | 32) || first == UInt8(ascii: "*"))
        && text.utf8.allSatisfy { HTTPSyntax.isTokenByte($0) || ":/".utf8.contains($0) }
    case nil: return false
    }
  }

  private static func isNumber(_ key: String) -> Bool {
    ["max-age", "s-maxage", "stale-while-revalidate", "stale-if-error"].contains(key)
  }

  /// Returns the last directive for each name: in a structured dictionary, it replaces all earlier
  /// ones (RFC 8941, section 3.2).
  private static func lastOfEach(_ all: [Member]) -> [Member] {
    var known = Set<String>()
    return all.reversed().filter { known.insert($0.directive.name).inserted }.reversed()
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte) }
  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}

extension CacheControl.Directive {
  fileprivate init(name: String, argument: String?) {
    self.init(name: name, argument: argument, isMalformed: false)
  }
}
