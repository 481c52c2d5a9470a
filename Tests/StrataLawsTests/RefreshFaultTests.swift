import Strata
import StrataLaws

/// Checks that the laws catch faults that can occur in implementations of refreshing caches.
final class RefreshFaultTests: FaultCase {
  private func expectCaught(
    _ fault: NaiveRefresher.Fault, as name: String, alone: Bool = false, within most: Int = 6,
    line: UInt = #line
  ) {
    let laws = Laws.refresh { NaiveRefresher(fault, $0, $1, $2, $3).cache }
    expectCaught("\(fault)", by: laws, as: name, alone: alone, within: most, line: line)
  }

  func testARefreshThatRunsTwice() {
    expectCaught(.refreshTwice, as: "refresh.once")
  }
  func testAnErrorThatHidesAValue() {
    expectCaught(.errorHides, as: "refresh.errors", alone: true)
  }
  func testAStaleValueThatWaitsForItsRefresh() {
    expectCaught(.waitsWhenStale, as: "refresh.lively", alone: true)
  }
  func testAStaleValueThatIsNotRefreshed() {
    expectCaught(.forgetsToRefresh, as: "refresh.lively", alone: true)
  }
  func testAnAgeThatAFailureResets() {
    expectCaught(.ageReset, as: "refresh.ages")
  }
  func testAnExpiredValueThatIsReturned() {
    expectCaught(.servesDead, as: "refresh.dead", alone: true)
  }
  func testARefreshThatWinsOverASet() {
    expectCaught(.refreshWins, as: "refresh.writes", alone: true)
  }
  func testAValueThatStaysAfterAMissOfTheOrigin() {
    expectCaught(.keepsWhatIsGone, as: "refresh.none", alone: true)
  }
  func testAFailureThatRemovesAValue() {
    expectCaught(.failureRemoves, as: "refresh.none", alone: true)
  }
  func testARemovalThatWinsOverASet() {
    expectCaught(.removalWins, as: "refresh.none", alone: true)
  }
  func testAFailureThatIsFollowedByNoPause() {
    let laws = Laws.refresh { NaiveRefresher(.noPause, $0, $1, $2, $3).cache }
    expectCaught("noPause", by: laws, as: ["refresh.pause", "refresh.fast"], within: 12)
  }
  func testALoadDuringAPauseThatForbidsIt() {
    expectCaught(.loadsInPause, as: "refresh.fast", alone: true, within: 12)
  }
  func testAPopularValueThatIsNotRefreshedEarly() {
    expectCaught(.ignoresEarly, as: "refresh.lively", alone: true)
  }
  func testALoadThatHangsForever() {
    expectCaught(.noTimeout, as: "refresh.ends", alone: true)
  }
  func testAFreshValueThatIsLoadedAgain() {
    expectCaught(.asksWhenFresh, as: "refresh.fresh", alone: true)
  }
  func testAStaleValueReturnedBeforeTheLoadFails() {
    expectCaught(.servesUnasked, as: "refresh.errors", alone: true)
  }
}
