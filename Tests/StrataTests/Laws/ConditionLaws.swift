import Strata
import StrataLaws
import XCTest

/// Checks that a condition affects only whether a level is called.
final class ConditionLaws: XCTestCase {
  func testConditionsDecideWhetherALevelIsCalled() async throws {
    try await checkTogether(.conditions, cases: Extent.cases(120))
  }

  func testConditionsMayBeSlow() async throws {
    try await checkTogether(.lateConditions, cases: Extent.cases(80))
  }

  func testEachDirectionOfACodecHasItsCondition() async throws {
    try await checkTogether(.codecConditions, cases: Extent.cases(120))
    try await checkTogether(
      .codecConditions { codec, reads, writes in
        Codec(
          decode: codec.decoding.conditioned(reads).transform,
          encode: codec.inverse.decoding.conditioned(writes).transform)
      }, cases: Extent.cases(80))
  }

  func testAConditionDiffersFromNoCondition() {
    let near = Law("near", "a.conditioned(p) == a", "False if the condition can be false.") {
      $0[0].conditioned { $0 != 1 }
    } is: {
      $0[0]
    }
    XCTAssertNotNil(near.violation(cases: 2_000))
  }
}
