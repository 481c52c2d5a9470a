import Strata
import StrataLaws
import XCTest

/// The laws of refreshing stale values, with a manual clock.
final class RefreshLaws: XCTestCase {
  func testRefreshingObeysItsLaws() throws { try Laws.check(.refresh, cases: Extent.cases(120)) }

  func testAFreshnessByValueObeysTheLaws() throws {
    let laws = Laws.refresh { levels, freshness, fetcher, clock in
      levels.clocked(by: clock).refreshing(from: fetcher, timeout: freshness.timeout) { _, _ in
        freshness
      }
    }
    try Laws.check(laws, cases: Extent.cases(100))
  }

  func testWritesToARefreshedLevelObeyTheLawsOfALevel() throws {
    try Laws.check(
      .level("refreshing") {
        Cache<Int, Stamped<Int>>.memory()
          .refreshing(
            Freshness(for: .seconds(3600)), from: Fetcher { _ in throw CacheError.notFound })
      }, cases: Extent.cases(50))
  }
}
