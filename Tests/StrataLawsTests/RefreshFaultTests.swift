import Strata
import StrataLaws

/// What refreshing elsewhere breaks.
final class RefreshFaultTests: FaultCase {
  private func expectCaught(_ fault: NaiveRefresher.Fault, as name: String, line: UInt = #line) {
    let laws = Laws.refresh { NaiveRefresher(fault, $0, $1, $2, $3).cache }.laws
    let law = laws.filter { $0.name == name }
    expectCaught("\(fault)", by: Laws("refresh", law), as: name, line: line)
  }

  func testARefreshThatRunsTwice() { expectCaught(.refreshTwice, as: "refresh.once") }
  func testAnErrorThatHidesAValue() { expectCaught(.errorHides, as: "refresh.errors") }
  func testAStaleValueThatIsWaitedFor() { expectCaught(.waitsWhenStale, as: "refresh.lively") }
  func testAStaleValueThatIsNotRefreshed() { expectCaught(.forgetsToRefresh, as: "refresh.lively") }
  func testAnAgeThatAFailureResets() { expectCaught(.ageReset, as: "refresh.ages") }
  func testADeadValueThatIsServed() { expectCaught(.servesDead, as: "refresh.dead") }
  func testARefreshThatWinsOverASet() { expectCaught(.refreshWins, as: "refresh.writes") }
  func testAValueKeptThatTheOriginHasNot() { expectCaught(.keepsWhatIsGone, as: "refresh.none") }
  func testAFailureThatRemovesAValue() { expectCaught(.failureRemoves, as: "refresh.none") }
  func testARemovalThatWinsOverASet() { expectCaught(.removalWins, as: "refresh.none") }
  func testALoadThatHangsForEver() { expectCaught(.noTimeout, as: "refresh.ends") }
  func testAFreshValueThatIsAskedFor() { expectCaught(.asksWhenFresh, as: "refresh.fresh") }
  func testAValueServedBeforeAnythingFailed() { expectCaught(.servesUnasked, as: "refresh.errors") }
}
