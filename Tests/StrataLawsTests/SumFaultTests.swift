import Strata
import StrataLaws

/// What composed caches elsewhere break, each found by a law of sums.
final class SumFaultTests: FaultCase {
  private func expectCaught(
    _ fault: BrokenSum.Fault, as name: String? = nil, line: UInt = #line
  ) {
    expectCaught("\(fault)", by: .sum { BrokenSum(fault: fault)($0, $1) }, as: name, line: line)
  }

  func testABackFillThatIsAwaited() { expectCaught(.awaitedBackFill, as: "sum.backFill") }
  func testABackFillThatFailsTheGet() { expectCaught(.failingBackFill, as: "sum.backFill") }
  func testNoBackFill() { expectCaught(.noBackFill, as: "sum.backFill") }
  func testAFailureThatDoesNotFallThrough() { expectCaught(.failureStops) }
  func testAnUpperErrorThatHidesTheLower() { expectCaught(.upperErrorHides) }
  func testALowerErrorThatHidesTheUpper() { expectCaught(.lowerErrorHides) }
  func testFailuresTakenForMisses() { expectCaught(.everythingIsAMiss) }
  func testAWriteThatIsDroppedWhenItsSiblingFails() { expectCaught(.siblingDropped) }
  func testLevelsThatDisagreeAfterOverlappingSets() {
    let broken = BrokenSum(fault: .chainedWrites)
    let agreement = Laws.sum { broken($0, $1) }.laws.filter { $0.name == "sum.agreement" }
    expectCaught("chainedWrites", by: Laws("sum", agreement))
  }
  func testARemoveThatReachesTheUpperLevelOnly() { expectCaught(.removeOfUpperOnly) }
  func testAClearThatReachesTheUpperLevelOnly() { expectCaught(.clearOfUpperOnly) }
  func testAWarningThatReachesTheUpperLevelOnly() { expectCaught(.warningOfUpperOnly) }
  func testACancellationThatIsLostBelow() { expectCaught(.lostCancellation) }
  func testALowerLevelAskedAfterACancellation() { expectCaught(.lowerAskedAfterCancel) }

  func testAStaleWriteBackAfterAClear() {
    let broken = HalfGuardedSum.self
    expectCaught(
      "staleAfterClear",
      by: overlapping { broken.init(guardsSets: true, guardsClears: false)($0, $1) })
  }

  func testAStaleWriteBackAfterASet() {
    let broken = HalfGuardedSum.self
    expectCaught(
      "staleAfterSet",
      by: overlapping { broken.init(guardsSets: false, guardsClears: true)($0, $1) })
  }

  private func overlapping(_ sum: @escaping Laws.Sum) -> Laws {
    Laws("sum", Laws.sum(sum).laws.filter { $0.name == "sum.laterWriteWins" })
  }

  func testAReadOnlyMemberThatTakesTheWritesOfOthersWithIt() {
    expectCaught(
      "readOnlyDropsWrites",
      by: .sum(
        readOnly: { level in
          Cache(get: level.get, set: { _, _ in .cancelled }, remove: { _ in .cancelled })
        },
        { $0 + $1 }), as: "sum.readOnly")
  }

  func testBracketsThatMatter() {
    // The left operand alone is filled, so it matters which level is whose.
    let broken = BrokenSum(fault: .noBackFill)
    let laws = Laws.monoid { $0 + broken($1, .empty) }.laws
    expectCaught(
      "bracketsMatter", by: Laws("monoid", laws.filter { $0.name == "monoid.associativity" }))
  }

  func testAnEmptyCacheThatFails() {
    let loud = Cache<Int, Int>(get: { _ in Promise(error: CacheError.timedOut) })
    expectCaught("loudEmpty", by: .monoid(empty: loud) { $0 + $1 })
  }
}
