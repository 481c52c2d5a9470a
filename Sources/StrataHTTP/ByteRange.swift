import StrataNetwork

/// A request for a part of a representation (RFC 9110, section 14.1.2).
enum ByteRange: Equatable {
  /// The bytes from one position through another, or to the end if the second position is `nil`.
  case from(Int, through: Int?)
  /// The given number of bytes at the end.
  case last(Int)
  /// Several ranges. The cache forwards such requests to the origin.
  case several

  /// Reads a `Range` field. Returns `nil` if the field is absent, is malformed, or has a unit other
  /// than bytes. A malformed field or another unit is ignored (RFC 9110, section 14.2).
  init?(_ fields: HeaderFields) {
    guard let text = fields["Range"], let sign = text.firstIndex(of: "="),
      HTTPSyntax.equal(HTTPSyntax.trimmed(String(text[..<sign])), "bytes")
    else { return nil }
    let parts = HTTPSyntax.elements(String(text[text.index(after: sign)...]))
    let ranges = parts.compactMap(Self.read)
    guard let first = ranges.first, ranges.count == parts.count else { return nil }
    self = ranges.count == 1 ? first : .several
  }

  private static func read(_ text: String) -> ByteRange? {
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    if ends[0].isEmpty { return position(ends[1]).map { .last($0) } }
    guard let first = position(ends[0]) else { return nil }
    if ends[1].isEmpty { return .from(first, through: nil) }
    guard let last = position(ends[1]), last >= first else { return nil }
    return .from(first, through: last)
  }

  /// The greatest supported position. It's so small that the sum of a position and the size of a
  /// body can't overflow.
  static let greatest = 1 << 62

  /// Reads a string of digits. Numbers above ``greatest`` become ``greatest``. Returns `nil` if the
  /// string contains other characters.
  static func position(_ text: some StringProtocol) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return min(Int(text) ?? greatest, greatest)
  }

  /// Returns the positions that this range selects in a representation of a known length, or `nil`
  /// if the range selects no bytes.
  func positions(in length: Int) -> Range<Int>? {
    switch self {
    case .from(let first, let last):
      first < length ? first..<(min(last ?? .max, length - 1) + 1) : nil
    case .last(let count): count > 0 && length > 0 ? max(0, length - count)..<length : nil
    case .several: nil
    }
  }
}
