import XCTest

@testable import StrataCore
@testable import StrataNetwork

final class HTTPSyntaxTests: XCTestCase {
  func testTokens() {
    for text in ["GET", "a", "!#$%&'*+-.^_`|~09azAZ"] {
      XCTAssertTrue(HTTPSyntax.isToken(text), text)
    }
    for text in ["", "a b", "a:", "a\0", "\u{E9}", "a\r\n", "(", "\"", "@"] {
      XCTAssertFalse(HTTPSyntax.isToken(text), text)
    }
  }

  func testValuesAreBytesWithoutLineEndsAndNUL() {
    for text in ["", "a\tb", "\u{E9}", "\u{7F}"] {
      XCTAssertTrue(HTTPSyntax.isValue(text), text)
    }
    for text in ["a\0b", "a\rb", "a\nb"] {
      XCTAssertFalse(HTTPSyntax.isValue(text), text)
    }
  }
}
