import Strata
import StrataLaws
import XCTest

/// The laws of `+`, which include the monoid laws of caches.
final class ComposeLaws: XCTestCase {
  func testCachesAreAMonoid() async throws {
    try await checkTogether(.monoid, cases: Extent.cases(120))
  }  // T13

  func testASumObeysItsLaws() async throws {
    try await checkTogether(.sum, cases: Extent.cases(120))
  }

  func testNoOperationWaitsForALevelThatHangs() async throws {
    try await checkTogether(.patience, cases: Extent.cases(400))
    try await checkTogether(
      .patience { upper, lower, bound in
        let sum = (upper + lower).awaitedInSum(atMost: .milliseconds(bound))
        return sum.pooled().timingOut(after: .milliseconds(2 * bound - 1))
      }, cases: Extent.cases(200))
  }

  func testSumsOfFetchersEqualSumsOfTheirCaches() async throws {
    try await checkTogether(
      .monoid(of: { $0.fetcher }) { ($0.fetcher + $1.fetcher) },
      cases: Extent.cases(60))
    try await checkTogether(
      Laws(
        "fetchers",
        [
          Law(
            "fetchers.associativity", "a.fetcher + (b + c) == (a.fetcher + b) + c",
            "A fetcher above a cache is a member of the sum."
          ) {
            $0[0].fetcher + ($0[1] + $0[2])
          } is: {
            ($0[0].fetcher + $0[1]) + $0[2]
          },
          Law(
            "fetchers.lifting", "a + b.fetcher + c.fetcher == a + (b.fetcher + c.fetcher)",
            "A sum of fetchers is a member of the enclosing sum."
          ) {
            ($0[0] + $0[1].fetcher) + $0[2].fetcher
          } is: {
            $0[0] + ($0[1].fetcher + $0[2].fetcher)
          },
        ]))
  }

  func testTheReverseOrderDiffers() {
    let near = Law("near", "a + b == b + a", "False.") {
      $0[0] + $0[1]
    } is: {
      $0[1] + $0[0]
    }
    XCTAssertNotNil(near.violation())
  }
}
