import Strata
import StrataExplain
import StrataLaws
import XCTest

/// What verbs promise of any cache at all.
final class VerbLaws: XCTestCase {
  func testNamesAndObserversChangeNothing() throws {
    try Laws.check(.transparency, cases: Extent.cases(120))
  }

  func testARecorderChangesNothing() throws {
    try Laws.check(
      .transparent("recorded") { $0.named("a").observed(by: Recorder()) },
      cases: Extent.cases(120))
  }

  func testAPoolKeepsItsWord() throws { try Laws.check(.pool, cases: Extent.cases(120)) }

  func testABroadcastTellsOfEveryChangeInItsOrder() throws {
    try Laws.check(.broadcasts, cases: Extent.cases(60))
  }

  func testPoolingIsToldApartFromNoPooling() {
    // Two gets that overlap: the second one joins the first, which read before the write outside.
    let near = Law("near", "a + b.pooled() == a + b", "Not of gets that overlap.") {
      $0[0] + $0[1].pooled()
    } is: {
      $0[0] + $0[1]
    }
    XCTAssertNotNil(near.violation(cases: 20_000))
  }
}
