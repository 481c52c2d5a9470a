import Strata
import StrataLaws
import XCTest

/// Each key belongs to one of two branches.
final class BranchLaws: XCTestCase {
  func testEachKeyBelongsToOneBranch() throws {
    try Laws.check(.branches, cases: Extent.cases(30))
  }

  func testBranchesOfALevelAreALevel() throws {
    try Laws.check(
      .level("one branch") { Cache<Int, Int>.switching(.memory(), .memory()) { _ in .first } },
      cases: Extent.cases(30))
    // A `clear` doesn't clear both branches atomically.
    try Laws.check(
      .level("branches", consistency: .regular) {
        Cache<Int, Int>.switching(.memory(), .memory()) { $0 > 3 ? .first : .second }
      }, cases: Extent.cases(30))
  }
}
