import Strata
import StrataLaws
import XCTest

/// The laws of loaders, and the laws of refreshing for a cache that has a loader.
final class LoaderLaws: XCTestCase {
  func testLoadersObeyTheirLaws() async throws {
    try await checkTogether(.loader, cases: Extent.cases(200))
  }

  func testALoaderThatIgnoresTheOldValueObeysTheLawsOfRefreshing() async throws {
    let laws = Laws.refresh { levels, freshness, fetcher, clock in
      levels.clocked(by: clock).refreshing(
        freshness, from: Loader { key, _ in fetcher.get(key).map { .fresh($0) } })
    }
    try await checkTogether(laws, cases: Extent.cases(200))
  }
}
