import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

final class HTTPCachePolicyVerdictTests: XCTestCase {
  private let policy = HTTPCachePolicy()
  private let shared = HTTPCachePolicy(isShared: true)

  private func verdict(
    _ control: String, asking: String? = nil, after seconds: Double,
    by policy: HTTPCachePolicy = HTTPCachePolicy()
  ) -> HTTPCachePolicy.Verdict {
    let fields: HeaderFields = asking.map { ["Cache-Control": $0] } ?? [:]
    return policy.verdict(
      on: .made(control), for: .made(fields), at: HTTPFixtures.at(seconds))
  }

  func testFreshUntilTheAgeReachesTheLifetime() {
    XCTAssertEqual(verdict("max-age=60", after: 59.9), .fresh)
    XCTAssertEqual(verdict("max-age=60", after: 60), .mustValidate(.stale))
    XCTAssertEqual(verdict("max-age=0", after: 0), .mustValidate(.stale))
  }

  func testNoCacheIsAlwaysValidated() {
    XCTAssertEqual(verdict("max-age=60, no-cache", after: 1), .mustValidate(.noCache))
    XCTAssertEqual(verdict("max-age=60, no-cache=\"a\"", after: 1), .fresh)
    XCTAssertEqual(verdict("max-age=60", asking: "no-cache", after: 1), .mustValidate(.request))
  }

  func testARequestLimitsTheAge() {
    XCTAssertEqual(verdict("max-age=60", asking: "max-age=10", after: 5), .fresh)
    XCTAssertEqual(verdict("max-age=60", asking: "max-age=10", after: 11), .mustValidate(.request))
    XCTAssertEqual(verdict("max-age=60", asking: "max-age=0", after: 1), .mustValidate(.request))
    XCTAssertEqual(verdict("max-age=60", asking: "max-age=x", after: 1), .mustValidate(.request))
  }

  /// `immutable` has no effect on a stale response (RFC 8246, section 2).
  func testAnImmutableResponseIsOlderThanARequestAllowsOnceItIsStale() {
    let (control, asking) = ("max-age=60, immutable", "max-age=10, max-stale")
    XCTAssertEqual(verdict(control, asking: asking, after: 59), .fresh)
    XCTAssertEqual(verdict(control, asking: asking, after: 60), .mustValidate(.request))
  }

  func testARequestDemandsARestOfFreshness() {
    XCTAssertEqual(verdict("max-age=60", asking: "min-fresh=30", after: 29), .fresh)
    XCTAssertEqual(verdict("max-age=60", asking: "min-fresh=30", after: 30), .fresh)
    XCTAssertEqual(
      verdict("max-age=60", asking: "min-fresh=30", after: 31), .mustValidate(.request))
    XCTAssertEqual(verdict("max-age=60", asking: "min-fresh", after: 1), .mustValidate(.request))
  }

  func testARequestPermitsStaleness() {
    XCTAssertEqual(verdict("max-age=60", asking: "max-stale", after: 600), .permittedStale)
    XCTAssertEqual(verdict("max-age=60", asking: "max-stale=10", after: 70), .permittedStale)
    XCTAssertEqual(
      verdict("max-age=60", asking: "max-stale=10", after: 71), .mustValidate(.stale))
    XCTAssertEqual(verdict("max-age=60", asking: "max-stale=x", after: 61), .mustValidate(.stale))
  }

  func testDirectivesThatForbidStalenessWin() {
    let asking = "max-stale"
    XCTAssertEqual(
      verdict("max-age=1, must-revalidate", asking: asking, after: 2), .mustValidate(.stale))
    for control in ["max-age=1, proxy-revalidate", "s-maxage=1"] {
      XCTAssertEqual(
        verdict(control, asking: asking, after: 2, by: shared), .mustValidate(.stale), control)
    }
    XCTAssertEqual(
      verdict("max-age=1, proxy-revalidate", asking: asking, after: 2), .permittedStale)
  }

  func testStaleWhileRevalidateHasAWindow() {
    let control = "max-age=1, stale-while-revalidate=4"
    XCTAssertEqual(verdict(control, after: 0.5), .fresh)
    XCTAssertEqual(verdict(control, after: 4.9), .staleWhileRevalidate)
    XCTAssertEqual(verdict(control, after: 5), .mustValidate(.stale))
    XCTAssertEqual(verdict(control + ", must-revalidate", after: 2), .mustValidate(.stale))
  }

  func testImmutableIsNotReloadedWhileFresh() {
    let control = "max-age=60, immutable"
    XCTAssertEqual(verdict(control, asking: "max-age=0", after: 1), .fresh)
    XCTAssertEqual(verdict(control, asking: "no-cache", after: 1), .mustValidate(.request))
    XCTAssertEqual(verdict(control, asking: "max-age=0", after: 61), .mustValidate(.request))
  }

  func testPragmaCountsWithoutCacheControl() {
    let stored = StoredResponse.made("max-age=60")
    let now = HTTPFixtures.at(1)
    XCTAssertEqual(
      policy.verdict(on: stored, for: .made(["Pragma": "no-cache"]), at: now),
      .mustValidate(.request))
    for fields: HeaderFields in [
      ["Pragma": "foo"], ["Pragma": "no-cache", "Cache-Control": "foo"],
    ] {
      XCTAssertEqual(policy.verdict(on: stored, for: .made(fields), at: now), .fresh)
    }
  }

  func testAResponseFromTheFutureIsValidated() {
    XCTAssertEqual(verdict("max-age=60", after: -59), .fresh)
    XCTAssertEqual(verdict("max-age=60", after: -61), .mustValidate(.clock))
  }
}
