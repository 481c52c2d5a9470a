import Strata
import StrataExplain
import StrataLaws
import XCTest

/// Laws that hold for verbs applied to any cache.
final class VerbLaws: XCTestCase {
  func testNamesAndObserversChangeNothing() async throws {
    try await checkTogether(.transparency, cases: Extent.cases(120))
  }

  func testARecorderChangesNothing() async throws {
    try await checkTogether(
      .transparent("recorded") { $0.named("a").observed(by: Recorder()) },
      cases: Extent.cases(120))
  }

  func testAPoolObeysItsLaws() async throws {
    try await checkTogether(.pool, cases: Extent.cases(120))
  }

  func testABroadcastReportsEveryChangeInOrder() async throws {
    try await checkTogether(.broadcasts, cases: Extent.cases(60))
  }

  func testPoolingDiffersFromNoPooling() {
    // If two gets of a key overlap, the second get joins the load of the first get. With the pool,
    // level `b` receives fewer gets than without it, so the two sides differ.
    let near = Law("near", "a + b.pooled() == a + b", "False for overlapping gets.") {
      $0[0] + $0[1].pooled()
    } is: {
      $0[0] + $0[1]
    }
    XCTAssertNotNil(near.violation(cases: 20_000))
  }
}
