import Foundation

/// Keys and values that the laws of a level are tried with: conform your own types to it.
///
///     extension UserID: LawSample {
///       static func sample(_ number: Int) -> UserID { UserID(number) }
///     }
public protocol LawSample: Equatable, Sendable {
  /// A key or value; unequal ones for unequal numbers.
  static func sample(_ number: Int) -> Self

  /// Keys that a level may mistake for each other: each list is one key in ways to spell it, equal
  /// to each other and unequal to all in other lists.
  static var spellings: [[Self]] { get }
}

extension LawSample {
  /// Twelve samples.
  public static var spellings: [[Self]] { (0..<12).map { [sample($0)] } }
}

extension Int: LawSample {
  /// The number itself.
  public static func sample(_ number: Int) -> Int { number }

  /// Small numbers, and the outermost ones.
  public static var spellings: [[Int]] { ([.min, .max, -1] + Array(0..<9)).map { [$0] } }
}

extension Data: LawSample {
  /// The number as text, and a length that differs.
  public static func sample(_ number: Int) -> Data {
    Data("\(number)".utf8) + Data(repeating: 0, count: number % 7)
  }
}

extension URL: LawSample {
  /// A page of its own for each number.
  public static func sample(_ number: Int) -> URL {
    URL(string: "https://example.com/\(number)") ?? URL(fileURLWithPath: "/\(number)")
  }
}

extension String: LawSample {
  /// Text with the number in it.
  public static func sample(_ number: Int) -> String { "sample \(number) \u{e9}" }

  /// Hostile strings: they differ in case, punctuation, unseen characters or after 300 characters;
  /// they are names that mean something to a file system; and one key is spelt in two normal forms.
  public static var spellings: [[String]] {
    let long = String(repeating: "k", count: 300)
    return [["e\u{301}", "\u{e9}"], ["\u{1e0b}\u{323}", "d\u{323}\u{307}"]]
      + [
        "", "a", "A", "a/bc", "ab/c", "abc", "a b", "a.b", ".", "..", "../a", "/", "a\u{0}", "a\n",
        "%00", "Nan", "nan", "null", "k1", "k11", "\u{1f600}", "\u{200b}", "e", "con", long + "1",
        long + "2",
      ].map { [$0] }
  }
}
