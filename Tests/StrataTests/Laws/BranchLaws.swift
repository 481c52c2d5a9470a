import Strata
import StrataLaws
import XCTest

/// Each key belongs to one of two branches.
final class BranchLaws: XCTestCase {
  func testEachKeyBelongsToOneLane() throws { try Laws.check(.branches, cases: Extent.cases(120)) }

  func testLanesOfALevelAreALevel() throws {
    try Laws.check(
      .level("branches") {
        Cache<Int, Int>.switching(.memory(), .memory()) { $0 > 3 ? .first : .second }
      }, cases: Extent.cases(60))
  }
}
