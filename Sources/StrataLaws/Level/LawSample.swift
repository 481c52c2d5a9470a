import Foundation

/// A type with sample keys or values for the laws of a level. Conform your own key and value types
/// to this protocol.
///
///     extension UserID: LawSample {
///       static func sample(_ number: Int) -> UserID { UserID(number) }
///     }
public protocol LawSample: Equatable, Sendable {
  /// Returns a sample. Different numbers must produce different samples.
  static func sample(_ number: Int) -> Self

  /// Keys that a level might confuse with each other. All keys in one list must be equal, even if
  /// they are spelled differently. Keys in different lists must not be equal. Use adjacent lists
  /// for two keys that a level might confuse, because the laws often use keys of adjacent lists in
  /// one program.
  static var spellings: [[Self]] { get }

  /// Values that a level might lose or confuse, such as empty and large values. All values must
  /// differ from each other.
  static var extremes: [Self] { get }
}

extension LawSample {
  /// The default implementation, which puts each of the first twelve samples into a separate list.
  public static var spellings: [[Self]] { (0..<12).map { [sample($0)] } }

  /// The default implementation: the first three samples.
  public static var extremes: [Self] { (0..<3).map(sample) }
}

extension Int: LawSample {
  /// The number itself.
  public static func sample(_ number: Int) -> Int { number }

  /// Integers that a level might confuse: small integers, the minimum, the maximum, and integers
  /// that become equal when they are converted to a narrower type or to `Double`.
  public static var spellings: [[Int]] {
    let powers = [8, 16, 31, 32].flatMap { bits in [(1 << bits) - 1, 1 << bits, (1 << bits) + 1] }
    let numbers = [.min, .max, -1, 0, 1] + powers + [1 << 53, (1 << 53) + 1, 1 - (1 << 32)]
    return (numbers + Array(2..<9)).map { [$0] }
  }

  /// Zero, a negative number, the minimum, and the maximum.
  public static var extremes: [Int] { [0, -1, .min, .max] }
}

extension Data: LawSample {
  /// The number as text, followed by zero to six null bytes.
  public static func sample(_ number: Int) -> Data {
    Data("\(number)".utf8) + Data(repeating: 0, count: number % 7)
  }

  /// Several samples of data: no bytes, null bytes, every possible byte, bytes that aren't text,
  /// and 200,000 bytes.
  public static var extremes: [Data] {
    [
      Data(), Data([0]), Data([0, 0]), Data(0...255), Data([0xff, 0xfe]), Data("null".utf8),
      Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }),
    ]
  }
}

extension URL: LawSample {
  /// A different URL for each number.
  public static func sample(_ number: Int) -> URL {
    URL(string: "https://example.com/\(number)") ?? URL(fileURLWithPath: "/\(number)")
  }

  /// URLs that differ only in a detail that servers or clients may ignore.
  public static var spellings: [[URL]] {
    Confusion.ofURLs.keys.compactMap { URL(string: $0) }.map { [$0] }
  }
}

extension String: LawSample {
  /// A string that contains the number.
  public static func sample(_ number: Int) -> String { "sample \(number) \u{e9}" }

  /// Different keys that a file system, URL, SQL, JSON, C string, or key-value server may treat as
  /// the same key. The source file `Confusion+All.swift` cites a document for each group of keys.
  public static var spellings: [[String]] { Confusion.all.flatMap(\.spellings) }

  /// An empty string, strings with special characters, and a string of 200,000 bytes in UTF-8.
  public static var extremes: [String] {
    ["", "\0", "a\0b", " ", "\r\n", "null", "\u{1f468}\u{200d}\u{1f469}", "\"\\/"]
      + [String(repeating: "long \u{e9} ", count: 25_000)]
  }
}
