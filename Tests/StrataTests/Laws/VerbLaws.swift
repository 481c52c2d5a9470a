import Strata
import StrataExplain
import StrataLaws
import XCTest

/// Laws that hold for verbs applied to any cache.
final class VerbLaws: XCTestCase {
  func testNamesAndObserversChangeNothing() throws {
    try Laws.check(.transparency, cases: Extent.cases(120))
  }

  func testARecorderChangesNothing() throws {
    try Laws.check(
      .transparent("recorded") { $0.named("a").observed(by: Recorder()) },
      cases: Extent.cases(120))
  }

  func testAPoolObeysItsLaws() throws { try Laws.check(.pool, cases: Extent.cases(120)) }

  func testABroadcastReportsEveryChangeInOrder() throws {
    try Laws.check(.broadcasts, cases: Extent.cases(60))
  }

  func testPoolingDiffersFromNoPooling() {
    // If two gets overlap, the second get returns the answer of the first get. A write outside of
    // the pool can happen between the two gets, so the answer can be older than the write.
    let near = Law("near", "a + b.pooled() == a + b", "False for overlapping gets.") {
      $0[0] + $0[1].pooled()
    } is: {
      $0[0] + $0[1]
    }
    XCTAssertNotNil(near.violation(cases: 20_000))
  }
}
