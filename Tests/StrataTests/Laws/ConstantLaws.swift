import Strata
import StrataLaws
import XCTest

/// The laws of levels with a constant answer.
final class ConstantLaws: XCTestCase {
  func testConstantsObeyTheirLaws() async throws {
    try await checkTogether(.constants, cases: Extent.cases(120))
  }

  func testAConstantAboveDiffersFromAConstantBelow() {
    let near = Law("near", "a + .constant(x) == .constant(x) + a", "False if a has a value.") {
      $0[0] + .constant(7)
    } is: {
      .constant(7) + $0[0]
    }
    XCTAssertNotNil(near.violation())
  }
}
