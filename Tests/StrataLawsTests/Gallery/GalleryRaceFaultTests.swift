import Strata
import StrataLaws

/// Faulty levels whose operations return too early, or whose threads lose writes.
final class GalleryRaceFaultTests: FaultCase {
  /// On a loaded machine, only one case in thousands may show a race.
  private static let many = 40_000

  func testAWriteBehind() {
    expectCaught(
      "a set that only starts a task", by: RaceFault.writeBehind, as: ["level.visibility"],
      cases: Self.many)
  }
  func testAnAsyncWriteBehind() {
    expectCaught(
      "an async set that only starts a task", by: RaceFault.asyncWriteBehind,
      as: ["level.visibility"], cases: Self.many)
  }
  func testARemoveThatTakesEffectLater() {
    expectCaught(
      "a remove that only starts a task", by: RaceFault.removeBehind, as: ["level.visibility"],
      cases: Self.many)
  }
  func testAWriteThatTakesEffectAMillisecondLate() {
    expectCaught("a queue with a delay", by: RaceFault.lateQueue, as: "level.visibility")
  }
  func testAnUnlockedReadModifyWrite() {
    expectCaught(
      "a read-modify-write without a lock", by: RaceFault.unlockedUpdate,
      as: ["level.isolation"], within: 48, cases: Self.many)
  }
  func testAReentrantActor() {
    expectCaught(
      "a read-modify-write across an await", by: RaceFault.reenteredActor,
      as: ["level.isolation"], within: 48, cases: Self.many)
  }
  func testASetOfTwoSteps() {
    expectCaught(
      "a set that removes before it stores", by: RaceFault.setOfTwoSteps,
      as: ["level.linearizability"], within: 12, cases: Self.many)
  }
  func testAClearKeyByKey() {
    expectCaught(
      "a clear of one key after another", by: RaceFault.clearKeyByKey, as: ["level.clearing"],
      within: 12, cases: Self.many)
  }
  func testAClearOfAnEarlierList() {
    expectCaught(
      "a clear that puts back what is newer", by: RaceFault.clearOfAList, as: ["level.clearing"],
      within: 12, cases: Self.many)
  }
  func testSetsInNoOrder() {
    expectCaught(
      "tasks in no order", by: RaceFault.setsInNoOrder, as: ["level.order"], within: 12,
      cases: Self.many)
  }
  func testAGetThatNeverAnswers() {
    expectCaught(
      "no answer",
      by: .impatientLevel {
        Cache<Int, Int>(get: { _ in Promise { _ in } })
      }, as: "level.absence")
  }
  func testACacheAboveThatIsFilledTooLate() {
    expectCaught(
      "a fill that overtakes a set", by: RaceFault.lateFill, as: ["level.linearizability"],
      within: 12, cases: Self.many)
  }
}
