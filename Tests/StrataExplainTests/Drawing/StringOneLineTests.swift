import XCTest

@testable import StrataExplain

final class StringOneLineTests: XCTestCase {
  func testLineBreaksAndControlCharactersBecomeSpaces() {
    XCTAssertEqual("a\nb\r\u{2028}c\u{7F}\u{85}d\u{FFFE}".onOneLine, "a b  c  d ")
    XCTAssertEqual("a\u{202A}b\u{202E}c\u{2066}d\u{2069}e".onOneLine, "a b c d e")
    XCTAssertEqual("é😀 z".onOneLine, "é😀 z")
  }

  func testOnlyLongTextIsCut() {
    XCTAssertEqual(["abc".cut(to: 3), "abcd".cut(to: 3), "ab".cut(to: 0)], ["abc", "ab…", "…"])
  }
}
