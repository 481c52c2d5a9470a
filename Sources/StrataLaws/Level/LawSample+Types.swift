import Foundation

extension Int: LawSample {
  /// The number itself.
  public static func sample(_ number: Int) -> Int { number }

  /// Integers that a level might confuse: small ones, the minimum, the maximum, and those that
  /// become equal in a narrower type or as `Double`.
  public static var spellings: [[Int]] {
    let powers = [8, 16, 31, 32].flatMap { bits in [(1 << bits) - 1, 1 << bits, (1 << bits) + 1] }
    // `Double` doesn't tell 2^53 from 2^53 + 1, so these are neighbors.
    let numbers =
      [.min, .max, .max - 1, -1, 0, 1] + powers + [1 << 53, (1 << 53) + 1, 1 - (1 << 32)]
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

  /// Keys that differ only in trailing null bytes, in bytes that aren't text, in one bit, in the
  /// middle of a long key, or in the case of a letter of their base64 form.
  public static var spellings: [[Data]] {
    let (head, tail) = (Data(repeating: 0x61, count: 40), Data(repeating: 0x62, count: 40))
    let keys = [
      Data(), Data([0]), Data([0, 0]), Data([1]), Data([1, 0]), Data([0, 1]), Data("k".utf8),
      Data("K".utf8), Data("k\n".utf8), Data([0x7f]), Data([0xff]), Data([0xfe]),
      Data([0xff, 0xfe]),
      Data([0xc3, 0xa9]), Data([0xe9]), Data([0xc3]), Data("61".utf8), Data("a".utf8),
      head + Data([1]) + tail, head + Data([2]) + tail, Data(repeating: 7, count: 255),
      Data(repeating: 7, count: 256), Data(repeating: 7, count: 257), Data("aaa".utf8),
      Data("aaG".utf8), Data([0, 0, 27]), Data([0, 0, 1]),
    ]
    // A slice equals data with the same bytes, although it doesn't begin at index zero.
    return keys.map { [$0, (Data([9]) + $0).dropFirst()] }
  }

  /// Several samples of data. Some have no bytes, null bytes, every possible byte, or bytes that
  /// aren't text. Others are long: runs of equal bytes up to 256 and 65,536, 200,000 bytes, and
  /// more than a megabyte.
  public static var extremes: [Data] {
    let runs = [255, 256, 257, 65_536].map { Data(repeating: 5, count: $0) }
    return [
      Data(), Data([0]), Data([0, 0]), Data(0...255), Data([0xff, 0xfe]), Data("null".utf8),
      Data("a\tb\nc".utf8), Data("a\n".utf8), Data(" a ".utf8),
      Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }),
      megabyte,
    ] + runs
  }

  private static let megabyte = Data(
    (0..<1_100_000).map { UInt8(truncatingIfNeeded: $0 &* 41 >> 5) })
}

extension URL {
  /// Returns the URL of a text, whose characters aren't escaped again.
  fileprivate static func at(_ text: String) -> URL? {
    URL(string: text, encodingInvalidCharacters: false)
  }
}

extension URL: LawSample {
  /// A different URL for each number.
  public static func sample(_ number: Int) -> URL {
    URL.at("https://example.com/\(number)") ?? URL(fileURLWithPath: "/\(number)")
  }

  /// URLs that differ only in a detail that servers or clients may ignore. One is relative, and has
  /// the same absolute form as its neighbor. On Linux, two have equal values of `NSString.hash`.
  public static var spellings: [[URL]] {
    let urls = Confusion.ofURLs.keys.compactMap { URL.at($0) }
    let relative = URL.at("http://h/").flatMap { URLComponents(string: "p")?.url(relativeTo: $0) }
    let long = (1...3).compactMap { page in
      URL.at(
        "https://example.com/" + String(repeating: "articles/", count: 3) + "?page=\(page)"
          + "&order=" + String(repeating: "descending", count: 12))
    }
    return ([relative].compactMap(\.self) + urls + long).map { [$0] }
  }
}

extension String: LawSample {
  /// A string that contains the number.
  public static func sample(_ number: Int) -> String { "sample \(number) \u{e9}" }

  /// Different keys that a file system, URL, SQL, JSON, C string, or key-value server may treat as
  /// the same key. `Confusion+All.swift` cites a document for each group of them.
  public static var spellings: [[String]] { Confusion.all.flatMap(\.spellings) }

  /// An empty string, strings with special characters, and a string of 200,000 bytes in UTF-8.
  public static var extremes: [String] {
    ["", "\0", "a\0b", " ", "\r\n", "null", "\u{1f468}\u{200d}\u{1f469}", "\"\\/", "a\tb\nc"]
      + [String(repeating: "long \u{e9} ", count: 25_000)]
  }
}

extension Double: LawSample {
  /// The number plus an eighth.
  public static func sample(_ number: Int) -> Double { Double(number) + 0.125 }

  /// Numbers that become equal if they are rounded, converted to `Float`, or written with few digits.
  public static var spellings: [[Double]] {
    let third = 1.0 / 3
    let numbers = [
      0.1, 0.1.nextUp, 0.1 + 0.2, 0.3, third, Double(Float(third)), 1, 1.5, 2, -1, 1e-300, 1e300,
      .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity,
      9_007_199_254_740_991,
      9_007_199_254_740_992,
    ]
    return [[0, -0.0]] + numbers.map { [$0] }
  }

  /// Fractions that need all bits, the largest and smallest numbers, and infinity.
  public static var extremes: [Double] {
    [
      0, 1.0 / 3, 0.1 + 0.2, -2.5, .pi, 1e-300, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
      .infinity,
    ]
  }
}

extension Date: LawSample {
  /// A time in 2026 with a fraction of a second.
  public static func sample(_ number: Int) -> Date {
    Date(timeIntervalSinceReferenceDate: 800_000_000.125 + Double(number))
  }

  /// Times that become equal if fractions of seconds are lost.
  public static var spellings: [[Date]] { extremes.map { [$0] } }

  /// Times with fractions down to a ten-millionth of a second, before 1970, and far in the past and the future.
  public static var extremes: [Date] {
    [
      0, 0.000_000_1, 0.001, 0.25, 0.5, 800_000_000, 800_000_000.123_456, 800_000_000.123_457,
      -978_307_200, -2_000_000_000.75, 60_000_000_000,
    ].map { Date(timeIntervalSinceReferenceDate: $0) } + [.distantPast, .distantFuture]
  }
}

extension UUID: LawSample {
  /// A UUID whose last eight bytes are the number.
  public static func sample(_ number: Int) -> UUID {
    func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: number >> (8 * index)) }
    return UUID(
      uuid: (
        0x5a, 0, 0, 0, 0, 0, 0x40, 0, byte(7), byte(6), byte(5), byte(4), byte(3), byte(2), byte(1),
        byte(0)
      ))
  }

  /// Samples, and UUIDs that differ only in one byte or in the case of a letter of their base64 form.
  public static var spellings: [[UUID]] {
    let last = [27, 1].map { byte in
      UUID(uuid: (0, 0, byte, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }
    return (samples(12) + extremes + last).map { [$0] }
  }

  /// The UUID of zeros, a UUID of ones, and two UUIDs that differ in the first byte.
  public static var extremes: [UUID] {
    [0x0, 0xff, 0x7f].map { UUID(uuid: ($0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, $0)) }
  }
}

extension Bool: LawSample {
  /// Two.
  public static var sampleCount: Int { 2 }

  /// Whether the number is odd.
  public static func sample(_ number: Int) -> Bool { !number.isMultiple(of: 2) }
}
