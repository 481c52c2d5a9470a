import XCTest

@testable import Strata
@testable import StrataHTTP

final class StoredRangeTests: XCTestCase {
  private func read(_ value: String, length: Int = 5) -> StoredRange? {
    StoredRange(["Content-Range": value], length: length)
  }

  func testValidRangesAreRead() {
    XCTAssertEqual(read("bytes 0-4/10"), StoredRange(first: 0, complete: 10))
    XCTAssertEqual(read("bytes 4-8/*"), StoredRange(first: 4, complete: nil))
  }

  func testAShorterBodyIsIncomplete() {
    XCTAssertEqual(read("bytes 4-9/10"), StoredRange(first: 4, complete: 10))
  }

  func testOtherRangesAreRefused() {
    for value in [
      "", "bytes */10", "bytes 4-0/10", "bytes 0-4/4", "bytes 0-3/10", "lines 0-4/10",
      "bytes 0-4", "bytes 0-4/x", "bytes -4/10", "bytes 0-99999999999999999999/*",
    ] { XCTAssertNil(read(value), value) }
    XCTAssertNil(read("bytes 0-4/10", length: 0))
    XCTAssertNil(
      StoredRange(["Content-Range": "bytes 0-4/10", "content-range": "bytes 0-4/10"], length: 5))
  }

  func testAPartOfUnknownLengthAnswersPositionsOnly() {
    let fields: HTTPFields = ["Content-Range": "bytes 4-8/*"]
    let stored = HTTPCachePolicy().stored(
      .made(fields, status: 206, body: "45678"), for: .made())
    XCTAssertEqual(stored.stored(.from(5, through: 6)), 5..<7)
    XCTAssertNil(stored.stored(.from(5, through: nil)))
    XCTAssertNil(stored.stored(.last(1)))
    XCTAssertNil(stored.stored(.from(5, through: .max - 1)))
  }
}
