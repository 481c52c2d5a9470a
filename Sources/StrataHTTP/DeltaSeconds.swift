import StrataNetwork

/// Reads a number of seconds from a header field (RFC 9111, section 1.2.2).
enum DeltaSeconds {
  /// The largest supported number of seconds, about 68 years. Larger numbers become this one.
  static let greatest: Int64 = 1 << 31

  /// Reads a string of digits. Returns `nil` if the string contains characters other than digits,
  /// such as a sign or a decimal point.
  static func read(_ text: String) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    let significant = text.utf8.drop { $0 == 48 }
    guard significant.count <= 10 else { return greatest }
    return min(greatest, significant.reduce(0) { $0 * 10 + Int64($1 - 48) })
  }
}
