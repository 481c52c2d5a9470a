import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

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

  func testExtremeNumbersNeverOverflow() {
    let numbers = [
      "0", "1", "4611686018427387903", "4611686018427387904", "9223372036854775806",
      "9223372036854775807", "9223372036854775808", "18446744073709551615", "99999999999999999999",
    ]
    for first in numbers {
      for last in numbers {
        for complete in numbers + ["*"] {
          let fields: HeaderFields = ["Content-Range": "bytes \(first)-\(last)/\(complete)"]
          guard StoredRange(fields, length: 1) != nil else { continue }
          let stored = HTTPCachePolicy().stored(.made(fields, status: 206, body: "0"), for: .made())
          for range in numbers.flatMap({ ["\($0)-", "-\($0)", "0-\($0)", "\($0)-\(last)"] }) {
            let request = RequestHead.made(["Range": "bytes=\(range)"])
            _ = HTTPCachePolicy().answer(from: stored, to: request, at: HTTPFixtures.at(1))
          }
        }
      }
    }
    XCTAssertNil(read("bytes 0-9223372036854775807/*"))
    XCTAssertNil(read("bytes 0-4/99999999999999999999"))
    XCTAssertNotNil(read("bytes 0-4/4611686018427387903"))
  }

  func testARangeBeyondTheGreatestPositionEndsAtTheEnd() {
    let whole = StoredResponse.made("max-age=60")
    for (range, text) in [
      ("5-99999999999999999999", "56789"), ("-99999999999999999999", "0123456789"),
      ("9223372036854775807-", ""),
    ] {
      let answer = HTTPCachePolicy().answer(
        from: whole, to: .made(["Range": "bytes=\(range)"]), at: HTTPFixtures.at(1))
      XCTAssertEqual(answer?.text, text)
      XCTAssertEqual(answer?.status, text.isEmpty ? 416 : 206)
    }
  }

  func testAPartOfUnknownLengthAnswersPositionsOnly() {
    let fields: HeaderFields = ["Content-Range": "bytes 4-8/*"]
    let stored = HTTPCachePolicy().stored(
      .made(fields, status: 206, body: "45678"), for: .made())
    XCTAssertEqual(stored.stored(.from(5, through: 6)), 5..<7)
    XCTAssertEqual(stored.stored(.from(4, through: 8)), 4..<9)
    XCTAssertNil(stored.stored(.from(3, through: 6)))
    XCTAssertNil(stored.stored(.from(5, through: nil)))
    XCTAssertNil(stored.stored(.last(1)))
    XCTAssertNil(stored.stored(.from(5, through: .max - 1)))
  }

  func testAnEmptyBodyIsNoPart() {
    XCTAssertTrue(StoredRange(first: 4, complete: 9).admits(length: 0))
    XCTAssertFalse(StoredRange(first: 9, complete: 9).admits(length: 0))
  }

  func testAClientCanGetOneByte() throws {
    let scene = HTTPScene("max-age=60")
    scene.origin.replies(["Cache-Control": "max-age=60"], "0123456789")
    try scene.get()
    let byte = try scene.get(["Range": "bytes=5-5"]).response
    XCTAssertEqual(byte.text, "5")
    XCTAssertEqual(byte.status, 206)
    for range in ["bytes=5-4", "bytes=5-9:", "bytes=5:-", "bytes=/-9"] {
      let whole = try scene.get(["Range": range]).response
      XCTAssertEqual(whole.text, "0123456789", "\(range) isn't a range.")
      XCTAssertEqual(whole.status, 200)
    }
  }
}
