import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

final class HTTPCachePolicyTests: XCTestCase {
  func testANumberThatIsSetLaterIsClamped() {
    let response = NetworkResponse.made(["Last-Modified": "Mon, 01 Jan 0001 00:00:00 GMT"], at: 1e9)
    let greatest = Duration.seconds(Int64(1) << 31)
    for (set, expected) in [
      (Double.nan, 0), (.infinity, 1), (-.infinity, 0), (1e40, 1), (-1, 0), (0.5, 0.5),
    ] {
      var policy = HTTPCachePolicy()
      policy.heuristicFraction = set
      XCTAssertEqual(policy.heuristicFraction, expected)
      XCTAssertEqual(HTTPCachePolicy(heuristicFraction: set), policy)
      XCTAssertLessThanOrEqual(policy.lifetime(of: response), policy.heuristicLimit)
    }
    let most = Duration.seconds(Int64.max) + .seconds(Int64.max)
    for duration in [most, .zero - most, .seconds(-1), .seconds(5)] {
      var policy = HTTPCachePolicy()
      policy.heuristicLimit = duration
      policy.negativeLifetime = duration
      policy.staleWhenUnreachable = duration
      XCTAssertEqual(policy.negativeLifetime, min(max(duration, .zero), greatest))
      XCTAssertEqual(
        policy,
        HTTPCachePolicy(
          heuristicLimit: duration, negativeLifetime: duration, staleWhenUnreachable: duration))
      let absent = NetworkResponse.made(status: 404)
      let stored = policy.stored(absent, for: .made())
      for now in [0, 1e9, -1e9, 9e18] {
        _ = policy.verdict(on: stored, for: .made(), at: HTTPFixtures.at(now))
        _ = policy.serves(stored, for: .made(), after: .unreachable, at: HTTPFixtures.at(now))
        _ = policy.answer(from: stored, to: .made(), at: HTTPFixtures.at(now))
      }
    }
  }
}
