import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

final class HTTPCachePolicyLifetimeTests: XCTestCase {
  private let policy = HTTPCachePolicy()
  private let shared = HTTPCachePolicy(isShared: true)

  private func date(_ seconds: Int64) -> String { HTTPFixtures.date(seconds) }

  func testMaxAgeHasPrecedenceOverExpires() {
    for expires in [date(-7200), "0", date(7200)] {
      XCTAssertEqual(
        policy.lifetime(of: .cached("max-age=60", ["Expires": expires])), .seconds(60))
    }
    XCTAssertEqual(policy.lifetime(of: .cached("max-age=0", ["Expires": date(60)])), .zero)
  }

  func testSMaxAgeCountsInASharedCacheOnly() {
    let response = NetworkResponse.cached("s-maxage=3600, max-age=1")
    XCTAssertEqual(policy.lifetime(of: response), .seconds(1))
    XCTAssertEqual(shared.lifetime(of: response), .seconds(3600))
    XCTAssertEqual(shared.lifetime(of: .cached("s-maxage=x, max-age=60")), .zero)
  }

  func testExpiresIsRelativeToDate() {
    let fast: HeaderFields = ["Date": date(400), "Expires": date(300)]
    XCTAssertLessThan(policy.lifetime(of: .made(fast)), .zero)
    let slow: HeaderFields = ["Date": date(-100), "Expires": date(-40)]
    XCTAssertEqual(policy.lifetime(of: .made(slow)), .seconds(60))
  }

  func testAnInvalidDateCountsAsTheArrival() {
    for fields: HeaderFields in [
      ["Date": "foo", "Expires": date(10)], ["Expires": date(10)],
      ["Date": date(1), "date": date(2), "Expires": date(10)],
    ] { XCTAssertEqual(policy.lifetime(of: .made(fields)), .seconds(10)) }
  }

  func testInvalidAndDifferentExpiresAreInThePast() {
    for fields: HeaderFields in [
      ["Expires": "0"], ["Expires": ""], ["Expires": date(10), "expires": date(20)],
    ] { XCTAssertEqual(policy.source(of: .made(fields)), .explicit(.zero)) }
  }

  func testHeuristicFreshnessIsAFractionOfTheTimeSinceTheModification() {
    let fields: HeaderFields = ["Date": date(0), "Last-Modified": date(-1000)]
    XCTAssertEqual(policy.source(of: .made(fields)), .heuristic(.seconds(100)))
    XCTAssertEqual(
      HTTPCachePolicy(heuristicLimit: .seconds(60)).lifetime(of: .made(fields)), .seconds(60))
    XCTAssertEqual(HTTPCachePolicy(heuristicFraction: 0).lifetime(of: .made(fields)), .zero)
    XCTAssertEqual(policy.lifetime(of: .made(["Last-Modified": date(1000)])), .zero)
    XCTAssertEqual(policy.source(of: .made()), .none)
  }

  func testHeuristicFreshnessNeedsAStatusThatAllowsItOrPublic() {
    let fields: HeaderFields = ["Date": date(0), "Last-Modified": date(-1000)]
    for status in [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501] {
      XCTAssertEqual(policy.lifetime(of: .made(fields, status: status)), .seconds(100), "\(status)")
    }
    for status in [201, 202, 302, 307, 403, 500, 502, 503, 504, 599] {
      XCTAssertEqual(policy.source(of: .made(fields, status: status)), .none, "\(status)")
    }
    var marked = NetworkResponse.made(fields, status: 599)
    marked.fields["Cache-Control"] = "public"
    XCTAssertEqual(policy.lifetime(of: marked), .seconds(100))
  }

  func testPragmaPreventsAnEstimateOnly() {
    let modified: HeaderFields = ["Last-Modified": date(-1000), "Pragma": "no-cache"]
    XCTAssertEqual(policy.source(of: .made(modified)), .none)
    XCTAssertEqual(
      policy.lifetime(of: .cached("max-age=60", ["Pragma": "no-cache"])), .seconds(60))
  }

  func testAbsenceHasItsOwnLifetime() {
    let policy = HTTPCachePolicy(negativeLifetime: .seconds(30))
    for status in [404, 410] {
      XCTAssertEqual(policy.lifetime(of: .made(status: status)), .seconds(30))
    }
    XCTAssertEqual(policy.lifetime(of: .made(status: 405)), .zero)
    XCTAssertEqual(
      policy.lifetime(of: .made(["Cache-Control": "max-age=5"], status: 404)), .seconds(5))
  }

  func testADateBeyondTheRangeOfTheClockIsFarAway() {
    let fields: HeaderFields = ["Expires": "Sun, 21 Nov 2286 04:46:39 GMT", "Date": date(0)]
    XCTAssertGreaterThan(policy.lifetime(of: .made(fields)), .seconds(200 * 365 * 86_400))
    XCTAssertEqual(
      policy.verdict(
        on: StoredResponse(.made(fields)), for: .made(), at: HTTPFixtures.at(1000)), .fresh)
  }
}
