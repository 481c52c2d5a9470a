import StrataLaws
import XCTest

@testable import Strata

/// How plans are written down: as the algebra says.
final class PlanLaws: XCTestCase {
  func testRenderingRespectsTheAlgebra() throws {
    try Laws.check(.plans, cases: Extent.cases(20))
  }
}
