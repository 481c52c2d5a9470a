import Strata
import StrataLaws

/// Checks that the laws catch sums and empty caches that break the laws of a monoid.
final class MonoidFaultTests: FaultCase {
  private func expectCaught(_ fault: BrokenSum.Fault, as name: String, line: UInt = #line) {
    let broken = BrokenSum(fault: fault)
    expectCaught("\(fault)", by: .monoid { broken($0, $1) }, as: name, line: line)
  }

  func testBracketsThatMatter() {
    // The faulty sum wraps its right operand, so `+` doesn't merge the levels of a nested sum. The
    // nested sum orders its overlapping operations separately.
    let broken = BrokenSum(fault: .noBackFill)
    expectCaught(
      "bracketsMatter", by: .monoid { $0 + broken($1, .empty) }, as: "monoid.associativity")
  }

  func testAWriteThatStopsAtAFailingLevel() {
    expectCaught(.siblingDropped, as: "monoid.closedBrackets")
  }

  func testAMissAboveThatHidesAFailure() { expectCaught(.upperErrorHides, as: "monoid.hollow") }

  func testAnEmptyCacheThatFails() {
    let loud = Cache<Int, Int>(
      get: { _ in Promise(error: CacheError.timedOut()) }, set: { _, _ in Promise() })
    expectCaught(
      "loudEmpty", by: .monoid(empty: loud) { $0 + $1 },
      as: [
        "monoid.identityAbove", "monoid.identityBeneath", "monoid.identityWithin",
        "monoid.reduction",
      ])
  }

  func testLevelsThatStoreOnlyValuesAbsentElsewhere() {
    // In the faulty sum, a hit in the upper level removes the value from the lower level. If both
    // levels are the same cache `a`, this removal deletes the only copy.
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
