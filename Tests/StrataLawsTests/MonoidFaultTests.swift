import Strata
import StrataLaws

/// What sums and empty caches elsewhere break of the monoid.
final class MonoidFaultTests: FaultCase {
  private func expectCaught(_ fault: BrokenSum.Fault, as name: String, line: UInt = #line) {
    let broken = BrokenSum(fault: fault)
    expectCaught("\(fault)", by: .monoid { broken($0, $1) }, as: name, line: line)
  }

  func testBracketsThatMatter() {
    // The left operand alone is filled, so it matters which level is whose.
    let broken = BrokenSum(fault: .noBackFill)
    expectCaught(
      "bracketsMatter", by: .monoid { $0 + broken($1, .empty) }, as: "monoid.associativity")
  }

  func testAWriteThatStopsAtAFailingLevel() {
    expectCaught(.siblingDropped, as: "monoid.closedBrackets")
  }

  func testAMissAboveThatHidesAFailure() { expectCaught(.upperErrorHides, as: "monoid.hollow") }

  func testAnEmptyCacheThatFails() {
    let loud = Cache<Int, Int>(get: { _ in Promise(error: CacheError.timedOut()) })
    expectCaught(
      "loudEmpty", by: .monoid(empty: loud) { $0 + $1 },
      as: [
        "monoid.identityAbove", "monoid.identityBeneath", "monoid.identityWithin",
        "monoid.reduction",
      ])
  }

  func testLevelsOfWhichEachHoldsWhatNoOtherDoes() {
    // What is hit above is removed beneath: of one cache above itself that is all.
    expectCaught(
      "exclusive",
      by: .monoid { upper, lower in
        let (get, remove, sum) = (upper.get, lower.remove, upper + lower)
        return sum.asked { key in
          get(key).map { value in
            _ = remove(key)
            return value
          }.recover { _ in sum.get(key) }
        }
      }, as: "monoid.idempotence")
  }
}
