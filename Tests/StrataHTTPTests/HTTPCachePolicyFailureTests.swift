import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

final class HTTPCachePolicyFailureTests: XCTestCase {
  private func serves(
    _ control: String, asking: String? = nil, after seconds: Double,
    _ failure: HTTPCachePolicy.Failure, by policy: HTTPCachePolicy = HTTPCachePolicy()
  ) -> Bool {
    let fields: HeaderFields = asking.map { ["Cache-Control": $0] } ?? [:]
    return policy.serves(
      .made(control), for: .made(fields), after: failure, at: HTTPFixtures.at(seconds))
  }

  func testStaleIfErrorHasAWindow() {
    let control = "max-age=1, stale-if-error=60"
    for status in [500, 502, 503, 504] {
      XCTAssertTrue(serves(control, after: 60, .status(status)))
      XCTAssertFalse(serves(control, after: 61, .status(status)))
    }
    XCTAssertFalse(serves(control, after: 2, .status(404)))
    XCTAssertTrue(serves("max-age=1", asking: "stale-if-error=60", after: 9, .status(500)))
    XCTAssertFalse(serves("max-age=1", after: 2, .status(500)))
  }

  func testAnUnreachableOriginPermitsStalenessForTheTimeOfThePolicy() {
    XCTAssertTrue(serves("max-age=1", after: 1_000_000, .unreachable))
    let limited = HTTPCachePolicy(staleWhenUnreachable: .seconds(10))
    XCTAssertTrue(serves("max-age=1", after: 10, .unreachable, by: limited))
    XCTAssertFalse(serves("max-age=1", after: 11, .unreachable, by: limited))
    XCTAssertTrue(
      serves("max-age=1, stale-if-error=60", after: 50, .unreachable, by: limited))
  }

  func testDirectivesThatForbidStalenessWin() {
    let shared = HTTPCachePolicy(isShared: true)
    for failure in [HTTPCachePolicy.Failure.unreachable, .status(503)] {
      for control in ["must-revalidate", "no-cache"] {
        XCTAssertFalse(serves("max-age=2, stale-if-error=60, \(control)", after: 3, failure))
      }
      for control in ["proxy-revalidate", "s-maxage=2"] {
        XCTAssertFalse(
          serves("max-age=2, stale-if-error=60, \(control)", after: 3, failure, by: shared))
        XCTAssertTrue(serves("max-age=2, stale-if-error=60, \(control)", after: 3, failure))
      }
    }
  }

  func testARequestThatDemandsValidationGetsTheFailure() {
    for asking in ["no-cache", "max-age=0", "min-fresh=5"] {
      XCTAssertFalse(serves("max-age=1", asking: asking, after: 2, .unreachable))
    }
  }
}
