import Strata
import StrataLaws

/// Checks that the laws catch faults that can occur in implementations of stores.
final class LevelFaultTests: FaultCase {
  private func expectCaught(
    _ fault: BrokenStore.Fault, as names: String..., alone: Bool = false, within most: Int = 6,
    line: UInt = #line
  ) {
    expectCaught(
      "\(fault)",
      by: .level(keeps: .upTo(3), isPersistent: true) { BrokenStore(fault).cache }, as: names,
      alone: alone, within: most, line: line)
  }

  func testARemovalThatDoesNothing() {
    expectCaught(.removesNothing, as: "level.removing")
  }
  func testARemovalOfTheWrongKey() {
    expectCaught(.removesElsewhere, as: "level.removing")
  }
  func testKeysThatCollideWithoutTheirPunctuation() {
    expectCaught(.collides, as: "level.keys")
  }
  func testKeysThatDifferOnlyInCase() {
    expectCaught(.ignoresCase, as: "level.keys")
  }
  func testOneNameForEveryKey() {
    expectCaught(.oneName, as: "level.reading", "level.keys")
  }
  func testOneKeyInTwoSpellings() {
    expectCaught(.spellsApart, as: "level.keys")
  }
  func testAClearThatLeavesSomething() {
    expectCaught(.clearLeaves, as: "level.removing")
  }
  func testARemoveOfAnAbsentKeyThatFails() {
    expectCaught(.removeOfAbsentFails, as: "level.absence")
  }
  func testAMissThatIsAFailure() {
    expectCaught(.missIsFailure, as: "level.absence")
  }
  func testMoreThanTheCapacity() {
    expectCaught(.overCapacity, as: "level.capacity", alone: true)
  }
  func testAWarningThatLosesPersistentValues() {
    expectCaught(.losesOnWarning, as: "level.keeping", "level.persistence", alone: true)
  }
  func testASetThatDoesNotReplace() {
    expectCaught(.keepsTheOldest, as: "level.reading")
  }
  func testAValueOfAnotherKey() {
    expectCaught(.swapsValues, as: "level.keys")
  }
  func testASetThatTakesEffectTooLate() {
    expectCaught(.hidesUntilRead, as: "level.reading")
  }
  func testAWriteThatReadsBeforeItLocks() {
    expectCaught(.copiesOutside, as: "level.linearizability", within: 9)
  }
  func testALostWriteInALevelWithAWeakContract() {
    expectCaught(
      "copiesOutside",
      by: .level(consistency: .regular) { BrokenStore(.copiesOutside).cache },
      as: "level.regularity", within: 9)
  }
}
