import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

final class ConditionsTests: XCTestCase {
  private func isUnmodified(_ stored: HeaderFields, _ request: HeaderFields, status: Int = 200)
    -> Bool
  {
    Conditions.isUnmodified(.made(stored, status: status, at: 50), for: request)
  }

  func testIfNoneMatchHasPrecedence() {
    let stored: HeaderFields = ["ETag": "\"a\"", "Last-Modified": HTTPFixtures.date(-5000)]
    let since = HTTPFixtures.date(0)
    XCTAssertFalse(isUnmodified(stored, ["If-None-Match": "\"b\"", "If-Modified-Since": since]))
    XCTAssertTrue(
      isUnmodified(stored, ["If-None-Match": "\"a\"", "If-Modified-Since": "Thu"]))
  }

  func testIfModifiedSinceComparesWithTheModification() {
    let stored: HeaderFields = [
      "Last-Modified": HTTPFixtures.date(-3000), "Date": HTTPFixtures.date(0),
    ]
    XCTAssertTrue(isUnmodified(stored, ["If-Modified-Since": HTTPFixtures.date(-3000)]))
    XCTAssertTrue(isUnmodified(stored, ["If-Modified-Since": HTTPFixtures.date(-2000)]))
    XCTAssertFalse(isUnmodified(stored, ["If-Modified-Since": HTTPFixtures.date(-3001)]))
    XCTAssertFalse(isUnmodified(stored, ["If-Modified-Since": "yesterday"]))
  }

  func testIfModifiedSinceReadsTheObsoleteFormats() {
    let stored: HeaderFields = ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"]
    XCTAssertTrue(isUnmodified(stored, ["If-Modified-Since": "Sunday, 06-Nov-94 08:49:37 GMT"]))
    XCTAssertTrue(isUnmodified(stored, ["If-Modified-Since": "Sun Nov  6 08:49:37 1994"]))
  }

  func testWithoutAModificationTheDateOrTheArrivalCounts() {
    XCTAssertTrue(
      isUnmodified(
        ["Date": HTTPFixtures.date(0)], ["If-Modified-Since": HTTPFixtures.date(0)]))
    XCTAssertFalse(
      isUnmodified(
        ["Date": HTTPFixtures.date(0)], ["If-Modified-Since": HTTPFixtures.date(-1)]))
    XCTAssertTrue(isUnmodified([:], ["If-Modified-Since": HTTPFixtures.date(50)]))
    XCTAssertFalse(isUnmodified([:], ["If-Modified-Since": HTTPFixtures.date(49)]))
  }

  func testConditionsApplyToASuccessOnly() {
    XCTAssertFalse(isUnmodified(["ETag": "\"a\""], ["If-None-Match": "\"a\""], status: 404))
  }

  func testTheConditionsOfTheCacheReplaceThoseOfTheClient() {
    let stored = StoredResponse.made(
      "max-age=1", ["ETag": "W/\"a\"", "Last-Modified": HTTPFixtures.date(-9)])
    let fields = Conditions.validating(
      stored, ["If-None-Match": "\"x\"", "Abc": "1", "If-Modified-Since": "y"])
    XCTAssertEqual(fields?["If-None-Match"], "W/\"a\"")
    XCTAssertEqual(fields?["If-Modified-Since"], HTTPFixtures.date(-9))
    XCTAssertEqual(fields?["Abc"], "1")
    XCTAssertNil(Conditions.validating(.made("max-age=1"), [:]))
  }

  /// A validator is opaque, so the origin gets back what it sent, even if it isn't a date.
  func testAModificationThatIsntADateReturnsByteForByte() {
    for value in ["x", "2024-01-02T03:04:05Z", "Tue, 2 Jan 2024 03:04:05 +0100", "\u{10ffe9}"] {
      let stored = StoredResponse.made("max-age=1", ["Last-Modified": value])
      XCTAssertEqual(Conditions.validating(stored, [:])?["If-Modified-Since"], value)
      XCTAssertTrue(isUnmodified(["Last-Modified": value], ["If-Modified-Since": value]))
      let same = NetworkResponse.made(["Last-Modified": value], status: 304, at: 0)
      XCTAssertTrue(Conditions.selects(same, stored.response), value)
      let other = NetworkResponse.made(["Last-Modified": "z"], status: 304, at: 0)
      XCTAssertFalse(Conditions.selects(other, stored.response), value)
    }
    XCTAssertNil(Conditions.validating(.made("max-age=1", ["Last-Modified": ""]), [:]))
  }

  /// Two tags can be equal strings in Swift and different bytes.
  func testTagsAreComparedByTheirBytes() {
    let (composed, decomposed) = ("\"\u{e9}\"", "\"e\u{301}\"")
    XCTAssertEqual(composed, decomposed)
    XCTAssertFalse(isUnmodified(["ETag": composed], ["If-None-Match": decomposed]))
    XCTAssertTrue(isUnmodified(["ETag": composed], ["If-None-Match": composed]))
    XCTAssertFalse(EntityTag.matchesStrongly(composed, decomposed))
    XCTAssertTrue(EntityTag.isStrong("\"\u{301}a\""))
    let tagged = StoredResponse.made("max-age=1", ["ETag": "\"a\""])
    XCTAssertNil(Conditions.validating(tagged, ["If-Modified-Since": "y"])?["If-Modified-Since"])
  }

  func testA304SelectsByItsValidators() {
    func selects(_ new: HeaderFields, _ old: HeaderFields) -> Bool {
      Conditions.selects(.made(new, status: 304), .made(old))
    }
    XCTAssertTrue(selects(["ETag": "\"a\""], ["ETag": "\"a\""]))
    XCTAssertFalse(selects(["ETag": "\"b\""], ["ETag": "\"a\""]))
    XCTAssertFalse(selects(["ETag": "\"a\""], ["ETag": "W/\"a\""]))
    XCTAssertTrue(selects(["ETag": "W/\"a\""], ["ETag": "\"a\""]))
    XCTAssertFalse(selects(["ETag": "\"a\""], [:]))
    XCTAssertTrue(selects([:], ["ETag": "\"a\""]))
    let (old, new) = (HTTPFixtures.date(-9), HTTPFixtures.date(-8))
    XCTAssertTrue(selects(["Last-Modified": old], ["Last-Modified": old]))
    XCTAssertFalse(selects(["Last-Modified": new], ["Last-Modified": old]))
  }

  /// A page can change twice in a second, so its date is strong one second later (RFC 9110, section
  /// 8.8.2.2).
  func testAPartIsOnlyReturnedForAModificationBeforeTheResponse() {
    for (date, applies) in [(-10, false), (-9, true), (0, true)] {
      let response = NetworkResponse.made([
        "Last-Modified": HTTPFixtures.date(-10), "Date": HTTPFixtures.date(Int64(date)),
      ])
      XCTAssertEqual(
        Conditions.rangeApplies(response, for: ["If-Range": HTTPFixtures.date(-10)]), applies)
    }
  }
}
