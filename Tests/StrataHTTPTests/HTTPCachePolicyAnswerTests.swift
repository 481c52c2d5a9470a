import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

final class HTTPCachePolicyAnswerTests: XCTestCase {
  private let policy = HTTPCachePolicy()

  private func answer(
    _ stored: StoredResponse, _ fields: HeaderFields = [:], method: String = "GET",
    after seconds: Double = 3
  ) -> NetworkResponse? {
    policy.answer(
      from: stored, to: .made(fields, method: method), at: HTTPFixtures.at(seconds))
  }

  func testAnAnswerHasItsAge() {
    XCTAssertEqual(answer(.made("max-age=60", ["Age": "30"]))?.fields["Age"], "33")
    XCTAssertEqual(answer(.made("max-age=60"), after: -9)?.fields["Age"], "0")
  }

  func testHeadHasNoBody() {
    let result = answer(.made("max-age=60", ["Content-Length": "10"]), method: "HEAD")
    XCTAssertEqual(result?.body.count, 0)
    XCTAssertEqual(result?.fields["Content-Length"], "10")
  }

  func testAMatchingTagIsAnswered304() {
    let stored = StoredResponse.made("max-age=60", ["ETag": "\"a\"", "Content-Type": "text/css"])
    for tags in ["\"a\"", "\"x\", \"a\"", "W/\"a\"", "*", "\"x\",\"y\" , \"a\""] {
      let result = answer(stored, ["If-None-Match": tags])
      XCTAssertEqual(result?.status, 304, tags)
      XCTAssertEqual(result?.fields["ETag"], "\"a\"")
      XCTAssertEqual(result?.fields["Age"], "3")
      XCTAssertNil(result?.fields["Content-Type"])
      XCTAssertEqual(result?.body.count, 0)
    }
    XCTAssertEqual(answer(stored, ["If-None-Match": "\"x\""])?.status, 200)
  }

  func testOneRangeOfACompleteResponseIsAnswered206() {
    let stored = StoredResponse.made("max-age=60", ["A": "1"])
    for (range, text, position) in [
      ("bytes=0-1", "01", "bytes 0-1/10"), ("bytes=1-", "123456789", "bytes 1-9/10"),
      ("bytes=-1", "9", "bytes 9-9/10"), ("Bytes=8-99", "89", "bytes 8-9/10"),
      ("bytes=-99", "0123456789", "bytes 0-9/10"),
    ] {
      let result = answer(stored, ["Range": range])
      XCTAssertEqual(result?.status, 206, range)
      XCTAssertEqual(result?.text, text, range)
      XCTAssertEqual(result?.fields["Content-Range"], position)
      XCTAssertEqual(result?.fields["Content-Length"], String(text.utf8.count))
      XCTAssertEqual(result?.fields["A"], "1")
    }
  }

  func testARangeBeyondTheEndIsAnswered416() {
    for range in ["bytes=10-", "bytes=-0"] {
      let result = answer(.made("max-age=60"), ["Range": range])
      XCTAssertEqual(result?.status, 416)
      XCTAssertEqual(result?.fields["Content-Range"], "bytes */10")
    }
  }

  func testOtherRangesAreIgnored() {
    for range in ["bytes=5-1", "lines=0-1", "bytes=a-b", "bytes", "bytes=0-1,x"] {
      XCTAssertEqual(answer(.made("max-age=60"), ["Range": range])?.status, 200, range)
    }
  }

  func testIfRangeMustMatchStrongly() {
    let stored = StoredResponse.made("max-age=60", ["ETag": "\"a\""])
    let weak = StoredResponse.made("max-age=60", ["ETag": "W/\"a\""])
    let range: HeaderFields = ["Range": "bytes=0-1", "If-Range": "\"a\""]
    XCTAssertEqual(answer(stored, range)?.status, 206)
    XCTAssertEqual(answer(weak, range)?.status, 200)
    XCTAssertEqual(answer(weak, ["Range": "bytes=0-1", "If-Range": "W/\"a\""])?.status, 200)
    let dated = StoredResponse.made(
      "max-age=60", ["Last-Modified": HTTPFixtures.date(-9), "Date": HTTPFixtures.date(0)])
    let since = HTTPFixtures.date(-9)
    XCTAssertEqual(answer(dated, ["Range": "bytes=0-1", "If-Range": since])?.status, 206)
    // A response that was modified in the second of its date may have changed again since.
    let unsure = StoredResponse.made(
      "max-age=60", ["Last-Modified": since, "Date": HTTPFixtures.date(-9)])
    XCTAssertEqual(answer(unsure, ["Range": "bytes=0-1", "If-Range": since])?.status, 200)
    XCTAssertEqual(answer(dated, ["Range": "bytes=1-1", "If-Range": since])?.text, "1")
    let later = HTTPFixtures.date(-8)
    XCTAssertEqual(answer(dated, ["Range": "bytes=0-1", "If-Range": later])?.status, 200)
  }

  private func part(asking: String = "bytes=-5") -> StoredResponse {
    let fields: HeaderFields = ["Cache-Control": "max-age=60", "Content-Range": "bytes 4-8/10"]
    return policy.stored(
      .made(fields, status: 206, body: "45678"), for: .made(["Range": asking]))
  }

  func testAPartAnswersTheRangesWithinIt() {
    XCTAssertEqual(answer(part(), ["Range": "bytes=6-7"])?.text, "67")
    XCTAssertEqual(
      answer(part(), ["Range": "bytes=6-7"])?.fields["Content-Range"], "bytes 6-7/10")
    XCTAssertNil(answer(part(), ["Range": "bytes=6-9"]))
    XCTAssertNil(answer(part(), ["Range": "bytes=6-"]))
    XCTAssertNil(answer(part(), ["Range": "bytes=0-5"]))
    XCTAssertNil(answer(part()))
    XCTAssertEqual(answer(part(), ["Range": "bytes=10-"])?.status, 416)
  }

  func testAPartAnswersTheRangeOfItsRequest() {
    XCTAssertEqual(answer(part(), ["Range": "bytes=-5"])?.text, "45678")
    XCTAssertEqual(
      answer(part(), ["Range": "bytes=-5"])?.fields["Content-Range"], "bytes 4-8/10")
  }
}
