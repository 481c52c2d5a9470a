import Strata

@testable import StrataLaws

/// Checks that the laws about sums catch faults in sums.
final class SumFaultTests: FaultCase {
  private func expectCaught(
    _ fault: BrokenSum.Fault, as names: String..., line: UInt = #line
  ) {
    let broken = BrokenSum(fault: fault)
    expectCaught("\(fault)", by: .sum { broken($0, $1) }, as: names, line: line)
  }

  func testABackFillThatIsAwaited() { expectCaught(.awaitedBackFill, as: "sum.backFill") }
  func testABackFillThatFailsTheGet() { expectCaught(.failingBackFill, as: "sum.backFill") }
  func testNoBackFill() { expectCaught(.noBackFill, as: "sum.backFill") }
  func testAFailureThatDoesNotFallThrough() { expectCaught(.failureStops, as: "sum.errors") }
  func testAnUpperErrorThatHidesTheLower() { expectCaught(.upperErrorHides, as: "sum.errors") }
  func testALowerErrorThatHidesTheUpper() { expectCaught(.lowerErrorHides, as: "sum.errors") }
  func testFailuresReportedAsMisses() { expectCaught(.everythingIsAMiss, as: "sum.errors") }
  func testAWriteThatIsDroppedWhenItsSiblingFails() {
    expectCaught(.siblingDropped, as: "sum.writesReachAll")
  }
  func testLevelsThatDisagreeAfterOverlappingSets() {
    expectCaught(.chainedWrites, as: "sum.agreement", "sum.agreementOnThreads")
  }
  func testAFailureThatPreventsHealing() {
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
      by: .sum { broken.init(guardsSets: true, guardsClears: false)($0, $1) },
      as: ["sum.laterWriteWins", "sum.laterWriteWinsOnThreads"])
  }

  func testAStaleWriteBackAfterASet() {
    let broken = HalfGuardedSum.self
    expectCaught(
      "staleAfterSet",
      by: .sum { broken.init(guardsSets: false, guardsClears: true)($0, $1) },
      as: "sum.laterWriteWins")
  }

  func testAFailedWriteThatLeavesAnOlderValue() {
    expectCaught(.failedWriteStays, as: "sum.failedWrites")
  }

  func testAFailedRemovalThatIsForgotten() {
    expectCaught("forgetsRemoval", by: .sum { definedSum($0, $1) }, as: "sum.failedWrites")
  }

  func testAFailedClearThatLeavesOlderValues() {
    expectCaught(
      "failedClearStays",
      by: .sum { upper, lower in
        let sum = upper + lower
        return Cache(
          get: sum.get, set: sum.set, remove: sum.remove,
          clear: { both(upper.clear(), lower.clear()) }, memoryWarning: sum.memoryWarning)
      }, as: "sum.failedWrites")
  }

  func testAReadOnlyMemberThatBlocksTheWritesOfOtherMembers() {
    expectCaught(
      "readOnlyDropsWrites",
      by: .sum(
        readOnly: { level in
          Cache(get: level.get, set: { _, _ in .cancelled }, remove: { _ in .cancelled })
        },
        { $0 + $1 }), as: "sum.readOnly", alone: true)
  }
}
