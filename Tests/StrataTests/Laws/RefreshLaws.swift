import Strata
import StrataLaws
import XCTest

/// The laws of refreshing stale values, with a manual clock.
final class RefreshLaws: XCTestCase {
  func testRefreshingObeysItsLaws() async throws {
    try await checkTogether(.refresh, cases: Extent.cases(400))
  }

  func testAFreshnessByValueObeysTheLaws() async throws {
    let laws = Laws.refresh(dependsOnValues: true) { levels, freshness, fetcher, clock in
      levels.clocked(by: clock).refreshing(from: fetcher, timeout: freshness.timeout) { _, _ in
        freshness
      }
    }
    try await checkTogether(laws, cases: Extent.cases(200))
  }

  /// The levels and their origin are a sum. A `clear` of a sum doesn't remove all values in one step.
  func testWritesToARefreshedLevelObeyTheLawsOfALevel() async throws {
    try await checkTogether(
      .level("refreshing", consistency: .regular) {
        Cache<Int, Stamped<Int>>.memory()
          .refreshing(
            Freshness(for: .seconds(3600)),
            from: Fetcher(offMainThread: false) { _ in throw CacheError.notFound })
      }, cases: Extent.cases(50))
  }
}
