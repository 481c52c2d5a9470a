import XCTest

@testable import StrataCore

final class BoundedTextTests: XCTestCase {
  func testALongTextIsCutAfterTwoHundredScalars() {
    let short = String(repeating: "a", count: 200)
    let accents = String(repeating: "\u{301}", count: 999)
    XCTAssertEqual(bounded(short), short)
    XCTAssertEqual(bounded(short + "b"), short + "…")
    XCTAssertEqual(bounded("e" + accents).unicodeScalars.count, 201)
  }
}
