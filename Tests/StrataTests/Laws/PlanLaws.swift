import StrataLaws
import XCTest

@testable import Strata

/// Caches that are equal by the laws of the algebra have equal renderings.
final class PlanLaws: XCTestCase {
  func testRenderingRespectsTheAlgebra() throws {
    try Laws.check(.plans, cases: Extent.cases(20))
  }
}
