import Strata
import StrataLaws
import XCTest

/// Checks that a condition affects only whether a level is called.
final class ConditionLaws: XCTestCase {
  func testConditionsDecideWhetherALevelIsCalled() throws {
    try Laws.check(.conditions, cases: Extent.cases(30))
  }

  func testSkippingIsTheOppositeCondition() throws {
    try Laws.check(
      .conditions { cache, condition in cache.skipping { try !condition($0) } },
      cases: Extent.cases(40))
  }

  func testConditionsMayBeSlow() throws {
    try Laws.check(.lateConditions, cases: Extent.cases(40))
    try Laws.check(
      .lateConditions { cache, condition in cache.skipping { condition($0).map { !$0 } } },
      cases: Extent.cases(40))
  }

  func testEachDirectionOfACodecHasItsCondition() throws {
    try Laws.check(.codecConditions, cases: Extent.cases(30))
    try Laws.check(
      .codecConditions { codec, reads, writes in
        Codec(
          decode: codec.decoding.conditioned(reads).transform,
          encode: codec.inverse.decoding.conditioned(writes).transform)
      }, cases: Extent.cases(40))
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
