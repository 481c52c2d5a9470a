import Strata
import StrataLaws
import XCTest

/// Each key belongs to one of two lanes.
final class LaneLaws: XCTestCase {
  func testEachKeyBelongsToOneLane() throws { try Laws.check(.lanes, cases: Extent.cases(120)) }

  func testLanesOfALevelAreALevel() throws {
    try Laws.check(
      .level("lanes") {
        Cache<Int, Int>.switching(.memory(), .memory()) { $0 > 3 ? .first : .second }
      }, cases: Extent.cases(60))
  }
}
