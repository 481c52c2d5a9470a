import Strata
import StrataLaws
import XCTest

/// The laws of reads that return several answers, such as a stored value and then a new value.
final class UpdatesLaws: XCTestCase {
  func testForwardingObeysItsLawsAndTheLawsOfMaps() async throws {
    try await checkTogether(.updates, cases: Extent.cases(150))
  }

  func testAReadDiffersFromOneWithoutTheFetcher() {
    let laws = Laws.updates { cache, _ in cache.updating(from: cache.fetcher) }
    XCTAssertNotNil(laws.violation())
  }
}
