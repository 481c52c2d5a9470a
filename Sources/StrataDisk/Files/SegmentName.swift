/// The names of segment files: sixteen lowercase hexadecimal digits and a suffix.
enum SegmentName {
  static let suffix = ".strata2"
  /// The suffix of segment files with format version 1.
  static let oldSuffix = ".strata"

  /// The exclusive upper bound of segment IDs. Adding one to a valid ID can't overflow.
  static let end: UInt64 = 1 << 62

  @inline(never)
  static func of(_ id: UInt64, suffix: String = suffix) -> String {
    let digits = String(id, radix: 16)
    return String(repeating: "0", count: max(0, 16 - digits.count)) + digits + suffix
  }

  /// Returns the ID in a segment's name, or `nil` if the name isn't a segment's name.
  static func id(_ name: String, suffix: String = suffix) -> UInt64? {
    guard
      let id = UInt64(digits: String(name.prefix(16)), radix: 16), id > 0, id < end,
      of(id, suffix: suffix) == name
    else { return nil }
    return id
  }

  /// Returns an ID for a log's first segment: the milliseconds since 1970 and 20 random bits.
  static func first(at now: Int64) -> UInt64 {
    UInt64(min(max(1, now), 1 << 41)) << 20 | UInt64.random(in: 0..<1 << 20)
  }
}
