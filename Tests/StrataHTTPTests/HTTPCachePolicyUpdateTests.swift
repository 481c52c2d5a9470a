import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

final class HTTPCachePolicyUpdateTests: XCTestCase {
  private let policy = HTTPCachePolicy()

  func testA304ReplacesTheFieldsThatItHasAndTheTimes() {
    let stored = StoredResponse.made("max-age=1", ["Test": "a", "Other": "b", "ETag": "\"1\""])
    let notModified = NetworkResponse.made(
      ["Cache-Control": "max-age=60", "Test": "x", "test": "y"], status: 304, body: "",
      asked: 9, at: 10)
    let result = policy.freshened(stored, by: notModified, for: .made())
    XCTAssertEqual(result.response.fields.values(of: "Test"), ["x", "y"])
    XCTAssertEqual(result.response.fields["Other"], "b")
    XCTAssertEqual(result.response.fields["ETag"], "\"1\"")
    XCTAssertEqual(result.response.text, "0123456789")
    XCTAssertEqual(result.response.status, 200)
    XCTAssertEqual(policy.verdict(on: result, for: .made(), at: HTTPFixtures.at(68)), .fresh)
  }

  func testA304WithoutDateAndAgeIsNewOnArrival() {
    let old = StoredResponse.made("max-age=60", ["Date": HTTPFixtures.date(-30), "Age": "40"])
    let result = policy.freshened(
      old, by: .made(status: 304, asked: 100, at: 100), for: .made())
    XCTAssertEqual(policy.age(of: result.response, at: HTTPFixtures.at(100)), .zero)
  }

  func testA304DoesNotChangeTheFieldsThatDescribeTheStoredBytes() {
    let stored = StoredResponse.made("max-age=1", ["Content-Length": "10"])
    let newer = NetworkResponse.made(
      ["Content-Length": "5", "Content-Encoding": "gzip", "Content-Type": "text/css"], status: 304)
    let fields = policy.freshened(stored, by: newer, for: .made()).response.fields
    XCTAssertEqual(fields["Content-Length"], "10")
    XCTAssertNil(fields["Content-Encoding"])
    XCTAssertEqual(fields["Content-Type"], "text/css")
  }

  func testAHeadUpdatesAResponseOfTheSameValidatorsAndLength() {
    let stored = StoredResponse.made("max-age=1", ["ETag": "\"1\"", "Test": "a"])
    for fields: HeaderFields in [
      ["Test": "b"], ["Test": "b", "ETag": "\"1\"", "Content-Length": "10"],
    ] {
      let result = policy.freshened(stored, byHead: .made(fields), for: .made(method: "HEAD"))
      XCTAssertEqual(result?.response.fields["Test"], "b")
    }
    for fields: HeaderFields in [
      ["ETag": "\"2\""], ["Content-Length": "9"], ["Last-Modified": "x"],
    ] {
      XCTAssertNil(policy.freshened(stored, byHead: .made(fields), for: .made(method: "HEAD")))
    }
  }

  private func part(_ range: String, _ body: String, tag: String = "\"1\"") -> StoredResponse {
    let fields: HeaderFields = [
      "Cache-Control": "max-age=60", "Content-Range": "bytes \(range)", "ETag": tag, "Test": body,
    ]
    return policy.stored(.made(fields, status: 206, body: body), for: .made())
  }

  func testPartsOfTheSameStrongTagCombine() {
    let half = policy.combined(part("0-4/10", "01234"), with: part("3-7/10", "34567"), for: .made())
    XCTAssertEqual(half?.response.text, "01234567")
    XCTAssertEqual(half?.response.fields["Content-Range"], "bytes 0-7/10")
    XCTAssertEqual(half?.response.fields["Test"], "34567")
    let whole = half.flatMap { policy.combined($0, with: part("8-9/10", "89"), for: .made()) }
    XCTAssertEqual(whole?.response.text, "0123456789")
    XCTAssertEqual(whole?.response.status, 200)
    XCTAssertEqual(whole?.isComplete, true)
    XCTAssertNil(whole?.response.fields["Content-Range"])
    let before = policy.combined(
      part("5-9/10", "56789"), with: part("0-4/10", "01234"), for: .made())
    XCTAssertEqual(before?.response.text, "0123456789")
  }

  func testAPartOfUnknownLengthKeepsTheKnownLength() {
    let parts = [("0-4/10", "01234"), ("5-7/*", "567"), ("8-9/*", "89")].map { part($0.0, $0.1) }
    let half = policy.combined(parts[0], with: parts[1], for: .made())
    XCTAssertEqual(half?.completeLength, 10)
    XCTAssertEqual(half?.response.fields["Content-Range"], "bytes 0-7/10")
    let whole = half.flatMap { policy.combined($0, with: parts[2], for: .made()) }
    XCTAssertEqual(whole?.response.status, 200)
    let later = policy.combined(parts[1], with: parts[0], for: .made())
    XCTAssertEqual(later?.response.fields["Content-Range"], "bytes 0-7/10")
  }

  func testOtherPartsDoNotCombine() {
    let first = part("0-4/10", "01234")
    for other in [
      part("6-9/10", "6789"), part("5-9/10", "56789", tag: "\"2\""), part("5-9/11", "56789"),
    ] { XCTAssertNil(policy.combined(first, with: other, for: .made())) }
    let weak = part("0-4/10", "01234", tag: "W/\"1\"")
    XCTAssertNil(policy.combined(weak, with: part("5-9/10", "56789", tag: "W/\"1\""), for: .made()))
  }

  func testAUnionHasABound() {
    let half = 32 << 20
    func part(_ first: Int, _ count: Int) -> StoredResponse {
      var response = NetworkResponse.made(
        ["Content-Range": "bytes \(first)-\(first + count - 1)/*", "ETag": "\"1\""], status: 206)
      response.body = Data(count: count)
      return policy.stored(response, for: .made())
    }
    let first = part(0, half)
    XCTAssertNotNil(policy.combined(first, with: part(half, half), for: .made()))
    XCTAssertNil(policy.combined(first, with: part(half, half + 1), for: .made()))
  }

  func testAResponseWithoutDateGetsOne() {
    let stored = policy.stored(.made(at: 90), for: .made())
    XCTAssertEqual(stored.response.fields["Date"], HTTPFixtures.date(90))
  }
}
