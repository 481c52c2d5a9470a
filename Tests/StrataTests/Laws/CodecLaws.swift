import Foundation
import Strata
import StrataLaws
import XCTest

/// Codecs form a category with `>>>` and `.identity`, and `.inverse` reverses a codec.
final class CodecLaws: XCTestCase {
  func testCodecsAreACategory() async throws { try await checkTogether(.codecs) }

  func testCompressionIsTransparentAndBounded() async throws {
    try await checkTogether(.compression)
  }

  func testEveryCodecRoundTrips() async throws {
    let text = Self.text
    try await checkTogether(.codec("utf8", .utf8, values: text))
    try await checkTogether(.codec("utf16", .string(.utf16LittleEndian), values: text))
    try await checkTogether(.codec("base64", .base64, values: Self.data))
    try await checkTogether(.codec("utf8 >>> base64", .utf8 >>> .base64, values: Self.data))
    try await checkTogether(.codec("json of text", .json(), values: text))
    try await checkTogether(.codec("json", .json()) { [text(&$0): [Int($0.next() >> 12)]] })
    try await checkTogether(.codec("versioned", .versioned(7, .utf8), values: text))
    try await checkTogether(.codec("compressed", .compressed(.utf8, from: 20), values: text))
    try await checkTogether(.codec("jsonValue", .jsonValue, values: { Self.json(4, &$0) }))
    try await checkTogether(
      .codec("propertyList", .propertyList()) { [text(&$0): [Int($0.next() >> 12)]] })
  }

  func testTextsOfFormattersRoundTrip() async throws {
    let dates = DateFormatter()
    dates.locale = Locale(identifier: "en_US_POSIX")
    dates.dateFormat = "yyyy-MM-dd HH:mm:ss Z"
    try await checkTogether(
      .codec("date", .date(dates)) { Date(timeIntervalSince1970: Double($0.next() >> 32)) },
      cases: 100)
    let numbers = NumberFormatter()
    numbers.locale = Locale(identifier: "en_US_POSIX")
    numbers.maximumFractionDigits = 3
    try await checkTogether(
      .codec("number", .number(numbers)) { Double(Int32(truncatingIfNeeded: $0.next())) / 8 },
      cases: 100)
  }

  /// Returns random JSON with a limited depth.
  private static func json(_ depth: Int, _ random: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth == 0 ? 5 : 7), using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .integer(Int(truncatingIfNeeded: random.next()))
    case 3: return .number(Double.random(in: -1e9...1e9, using: &random))
    case 4: return .string(text(&random))
    case 5:
      let count = Int.random(in: 0...4, using: &random)
      return .array((0..<count).map { _ in json(depth - 1, &random) })
    default:
      let names = (0..<Int.random(in: 0...4, using: &random)).map { _ in text(&random) }
      return .object(Dictionary(names.map { ($0, json(depth - 1, &random)) }) { $1 })
    }
  }

  private static let data: @Sendable (inout SeededGenerator) -> Data = { random in
    Data(
      (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      })
  }

  private static let text: @Sendable (inout SeededGenerator) -> String = { random in
    let scalars = Array("aé\u{301}ß😀\n\u{0} 漢\"\\".unicodeScalars)
    var view = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      view.append(scalars.randomElement(using: &random) ?? "a")
    }
    return String(view)
  }
}
