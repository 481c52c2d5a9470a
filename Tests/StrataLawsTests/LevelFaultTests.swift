import Strata
import StrataLaws

/// What stores elsewhere break.
final class LevelFaultTests: FaultCase {
  private func expectCaught(
    _ fault: BrokenStore.Fault, as name: String? = nil, within most: Int = 6,
    line: UInt = #line
  ) {
    expectCaught(
      "\(fault)",
      by: .level(capacity: 3, isPersistent: true) { BrokenStore(fault).cache }, as: name,
      within: most, line: line)
  }

  func testARemovalThatDoesNothing() { expectCaught(.removesNothing) }
  func testARemovalFromTheWrongPlace() { expectCaught(.removesElsewhere) }
  func testKeysThatCollideWithoutTheirPunctuation() { expectCaught(.collides) }
  func testKeysThatDifferInCaseAlone() { expectCaught(.ignoresCase) }
  func testOneNameForEveryKey() { expectCaught(.oneName) }
  func testOneKeyInTwoSpellings() { expectCaught(.spellsApart) }
  func testAClearThatLeavesSomething() { expectCaught(.clearLeaves) }
  func testARemoveOfTheAbsentThatFails() { expectCaught(.removeOfAbsentFails) }
  func testAMissThatIsAFailure() { expectCaught(.missIsFailure) }
  func testMoreThanTheCapacity() { expectCaught(.overCapacity, as: "level.capacity") }
  func testAWarningThatLosesWhatIsPersistent() {
    expectCaught(.losesOnWarning, as: "level.persistence")
  }
  func testASetThatDoesNotReplace() { expectCaught(.keepsTheOldest) }
  func testAValueOfAnotherKey() { expectCaught(.swapsValues) }
  func testASetThatIsSeenTooLate() { expectCaught(.hidesUntilRead) }
  func testAWriteThatReadsBeforeItLocks() {
    expectCaught(.copiesOutside, as: "level.linearizability", within: 9)
  }
  func testAWriteThatIsLostWhereLittleIsPromised() {
    expectCaught(
      "copiesOutside",
      by: .level(consistency: .regular) { BrokenStore(.copiesOutside).cache },
      as: "level.regularity", within: 9)
  }
}
