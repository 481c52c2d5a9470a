import Strata
import StrataLaws

/// What composed caches elsewhere break, each found by a law of sums.
final class SumFaultTests: FaultCase {
  /// Expects a fault to be found, by one law alone where that is named.
  private func expectCaught(
    _ fault: BrokenSum.Fault, as name: String? = nil, line: UInt = #line
  ) {
    let broken = BrokenSum(fault: fault)
    let laws = Laws.sum { broken($0, $1) }.laws.filter { name == nil || $0.name == name }
    expectCaught("\(fault)", by: Laws("sum", laws), line: line)
  }

  func testABackFillThatIsAwaited() { expectCaught(.awaitedBackFill, as: "sum.backFill") }
  func testABackFillThatFailsTheGet() { expectCaught(.failingBackFill, as: "sum.backFill") }
  func testNoBackFill() { expectCaught(.noBackFill, as: "sum.backFill") }
  func testAFailureThatDoesNotFallThrough() { expectCaught(.failureStops, as: "sum.errors") }
  func testAnUpperErrorThatHidesTheLower() { expectCaught(.upperErrorHides, as: "sum.errors") }
  func testALowerErrorThatHidesTheUpper() { expectCaught(.lowerErrorHides, as: "sum.errors") }
  func testFailuresTakenForMisses() { expectCaught(.everythingIsAMiss, as: "sum.errors") }
  func testAWriteThatIsDroppedWhenItsSiblingFails() {
    expectCaught(.siblingDropped, as: "sum.writesReachAll")
  }
  func testLevelsThatDisagreeAfterOverlappingSets() {
    expectCaught(.chainedWrites, as: "sum.agreement")
  }
  func testAFailureThatKeepsARecordFromBeingHealed() {
    expectCaught(.failureStops, as: "sum.healing")
  }
  func testARemoveThatReachesTheUpperLevelOnly() {
    expectCaught(.removeOfUpperOnly, as: "sum.writesReachAll")
  }
  func testAClearThatReachesTheUpperLevelOnly() {
    expectCaught(.clearOfUpperOnly, as: "sum.writesReachAll")
  }
  func testAWarningThatReachesTheUpperLevelOnly() {
    expectCaught(.warningOfUpperOnly, as: "sum.definition")
  }
  func testACancellationThatIsLostBelow() {
    expectCaught(.lostCancellation, as: "sum.cancellation")
  }
  func testALowerLevelAskedAfterACancellation() {
    expectCaught(.lowerAskedAfterCancel, as: "sum.cancellation")
  }

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
