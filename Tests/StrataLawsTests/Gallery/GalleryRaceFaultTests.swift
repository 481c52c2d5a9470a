import Strata
import StrataLaws

/// Checks that the laws catch faulty levels whose operations return too early or lose concurrent
/// writes.
final class GalleryRaceFaultTests: FaultCase {
  /// Expects a law to find a race.
  ///
  /// On a loaded machine, a race might occur in only one of thousands of cases, so the law tries up
  /// to 400,000 cases. The shrunk program may have up to 250 operations, because short programs might
  /// not cause a race.
  private func expectCaught(race fault: String, by laws: Laws, as name: String, line: UInt = #line)
  {
    expectCaught(fault, by: laws, as: [name], within: 250, cases: 400_000, line: line)
  }

  func testAWriteBehind() {
    expectCaught(
      race: "a set that only starts a task", by: RaceFault.writeBehind, as: "level.visibility")
  }
  func testAnAsyncWriteBehind() {
    expectCaught(
      race: "an async set that only starts a task", by: RaceFault.asyncWriteBehind,
      as: "level.visibility")
  }
  func testARemoveThatTakesEffectLater() {
    expectCaught(
      race: "a remove that only starts a task", by: RaceFault.removeBehind, as: "level.visibility")
  }
  func testAWriteThatTakesEffectAMillisecondLate() {
    expectCaught(race: "a queue with a delay", by: RaceFault.lateQueue, as: "level.visibility")
  }
  func testAnUnlockedReadModifyWrite() {
    expectCaught(
      race: "a read-modify-write without a lock", by: RaceFault.unlockedUpdate,
      as: "level.isolation")
  }
  func testAReentrantActor() {
    expectCaught(
      race: "a read-modify-write across an await", by: RaceFault.reenteredActor,
      as: "level.isolation")
  }
  func testASetOfTwoSteps() {
    expectCaught(
      race: "a set that removes before it stores", by: RaceFault.setOfTwoSteps,
      as: "level.linearizability")
  }
  func testAClearKeyByKey() {
    expectCaught(
      race: "a clear of one key after another", by: RaceFault.clearKeyByKey, as: "level.clearing")
  }
  func testAClearOfAnEarlierList() {
    expectCaught(
      race: "a clear that puts back what is newer", by: RaceFault.clearOfAList, as: "level.clearing"
    )
  }
  func testAClearThatHidesWritesInFlightFirst() {
    expectCaught(
      race: "a clear that hides the keys of the writes in flight first",
      by: RaceFault.clearOfWritesFirst, as: "level.clearing")
  }
  func testSetsInNoOrder() {
    expectCaught(race: "tasks in no order", by: RaceFault.setsInNoOrder, as: "level.order")
  }
  func testAGetThatNeverAnswers() {
    expectCaught(
      "no answer",
      by: .impatientLevel {
        Cache<Int, Int>(get: { _ in Promise { _ in } }, set: { _, _ in Promise() })
      }, as: "level.absence")
  }
  func testACacheAboveThatIsFilledTooLate() {
    expectCaught(
      race: "a fill that overtakes a set", by: RaceFault.lateFill, as: "level.linearizability")
  }
}
