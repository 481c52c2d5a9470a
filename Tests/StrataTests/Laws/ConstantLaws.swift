import Strata
import StrataLaws
import XCTest

/// What levels that always say the same promise.
final class ConstantLaws: XCTestCase {
  func testConstantsKeepTheirWord() throws {
    try Laws.check(.constants, cases: Extent.cases(120))
  }

  func testTheOrderOfAConstantIsToldApart() {
    let near = Law("near", "a + .constant(x) == .constant(x) + a", "Not where a has a value.") {
      $0[0] + .constant(7)
    } is: {
      .constant(7) + $0[0]
    }
    XCTAssertNotNil(near.violation())
  }
}
