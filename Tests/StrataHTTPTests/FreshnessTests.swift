import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork

final class FreshnessTests: XCTestCase {
  private let policy = HTTPCachePolicy()

  func testTheEndOfFreshnessIsWhereTheAgeReachesTheLifetime() {
    let response = NetworkResponse.cached("max-age=60", ["Age": "20"])
    let freshness = Freshness(of: response, for: policy)
    XCTAssertEqual(freshness.end, HTTPFixtures.at(40))
    XCTAssertEqual(freshness.start, HTTPFixtures.at(-20))
    XCTAssertEqual(freshness.staleness(at: HTTPFixtures.at(41)), .seconds(1))
  }

  func testItAgreesWithThePolicy() {
    for fields: HeaderFields in [
      ["Cache-Control": "max-age=60", "Date": HTTPFixtures.date(-5)],
      ["Expires": HTTPFixtures.date(30), "Date": HTTPFixtures.date(-5)],
      ["Last-Modified": HTTPFixtures.date(-1000)], ["Age": "7"], [:],
    ] {
      let response = NetworkResponse.made(fields)
      let freshness = Freshness(of: response, for: policy)
      XCTAssertEqual(freshness.lifetime.duration, policy.lifetime(of: response))
      let now = HTTPFixtures.at(9)
      XCTAssertEqual(freshness.age(at: now), policy.age(of: response, at: now))
    }
  }
}
