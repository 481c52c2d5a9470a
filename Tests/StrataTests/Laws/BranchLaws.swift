import Strata
import StrataLaws
import XCTest

/// Each key belongs to one of two branches.
final class BranchLaws: XCTestCase {
  func testEachKeyBelongsToOneBranch() async throws {
    try await checkTogether(.branches, cases: Extent.cases(120))
  }

  func testBranchesOfALevelAreALevel() async throws {
    try await checkTogether(
      .level("one branch") { Cache<Int, Int>.switching(.memory(), .memory()) { _ in .first } },
      cases: Extent.cases(60))
    // A `clear` doesn't clear both branches atomically.
    try await checkTogether(
      .level("branches", consistency: .regular) {
        Cache<Int, Int>.switching(.memory(), .memory()) { $0 > 3 ? .first : .second }
      }, cases: Extent.cases(60))
  }
}
