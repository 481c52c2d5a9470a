import Foundation
import XCTest

@testable import StrataLaws

/// Tests keys that some systems confuse with each other, and tests how reports show these keys.
final class ConfusionTests: XCTestCase {
  func testSpellingsOfAKeyAreEqualAndKeysDiffer() {
    check(String.spellings)
    check(Int.spellings)
    check(URL.spellings)
    check(Data.spellings)
    check(Double.spellings)
    check(Date.spellings)
    check(UUID.spellings)
    check(Bool.spellings)
    XCTAssertGreaterThan(String.spellings.count, 150)
    XCTAssertEqual(URL.spellings.count, Confusion.ofURLs.keys.count + 4)
  }

  private func check<Key: Hashable>(_ spellings: [[Key]], line: UInt = #line) {
    for spelling in spellings { XCTAssertEqual(Set(spelling).count, 1, "\(spelling)", line: line) }
    let keys = spellings.map { $0[0] }
    let repeated = Dictionary(grouping: keys) { $0 }.filter { $0.value.count > 1 }.map(\.key)
    XCTAssertEqual(repeated, [], line: line)
  }

  func testEachConfusionHasPartnersAndASource() {
    for confusion in Confusion.all {
      XCTAssertGreaterThan(confusion.keys.count, 2)
      XCTAssertGreaterThan(confusion.source.count, 8)
    }
  }

  func testExtremesDiffer() {
    XCTAssertEqual(Set(String.extremes).count, String.extremes.count)
    XCTAssertEqual(Set(Data.extremes).count, Data.extremes.count)
    XCTAssertEqual(Set(Int.extremes).count, Int.extremes.count)
    XCTAssertEqual(Set(Double.extremes).count, Double.extremes.count)
    XCTAssertEqual(Set(Date.extremes).count, Date.extremes.count)
    XCTAssertEqual(Set(UUID.extremes).count, UUID.extremes.count)
  }

  func testReportsShowHowKeysDiffer() {
    XCTAssertEqual(LawText.of("e\u{301}"), #""e\u{0301}""#)
    XCTAssertEqual(LawText.of("\u{e9}"), #""\u{00E9}""#)
    XCTAssertEqual(LawText.of(String(repeating: "k", count: 300) + "1"), #""k" * 300 + "1""#)
    XCTAssertEqual(LawText.of(""), #""""#)
    XCTAssertEqual(LawText.of("a\0"), #""a\0""#)
    XCTAssertEqual(LawText.of(Data([0, 255])), "2 bytes [0 ff]")
    XCTAssertEqual(LawText.of(7), "7")
  }
}
