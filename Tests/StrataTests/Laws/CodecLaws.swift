import Foundation
import Strata
import StrataLaws
import XCTest

/// Codecs are a category: `>>>` with `.identity`, and `.inverse` turns it round.
final class CodecLaws: XCTestCase {
  func testCodecsAreACategory() throws { try Laws.check(.codecs) }

  func testEveryCodecGivesBackWhatItIsGiven() throws {
    let text = Self.text
    try Laws.check(.codec("utf8", .utf8, values: text))
    try Laws.check(.codec("utf16", .string(.utf16LittleEndian), values: text))
    try Laws.check(.codec("base64", .base64, values: Self.data))
    try Laws.check(.codec("utf8 >>> base64", .utf8 >>> .base64, values: Self.data))
    try Laws.check(.codec("json of text", .json(), values: text))
    try Laws.check(.codec("json", .json()) { [text(&$0): [Int($0.next() >> 12)]] })
    try Laws.check(.codec("versioned", .versioned(7, .utf8), values: text))
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
