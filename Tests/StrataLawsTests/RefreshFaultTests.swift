import Strata
import StrataLaws

/// What refreshing elsewhere breaks.
final class RefreshFaultTests: FaultCase {
  private func expectCaught(
    _ fault: NaiveRefresher.Fault, as name: String, alone: Bool = true, line: UInt = #line
  ) {
    let laws = Laws.refresh { NaiveRefresher(fault, $0, $1, $2, $3).cache }
    expectCaught("\(fault)", by: laws, as: name, alone: alone, line: line)
  }

  func testARefreshThatRunsTwice() { expectCaught(.refreshTwice, as: "refresh.once") }
  func testAnErrorThatHidesAValue() { expectCaught(.errorHides, as: "refresh.errors") }
  func testAStaleValueThatIsWaitedFor() { expectCaught(.waitsWhenStale, as: "refresh.lively") }
  func testAStaleValueThatIsNotRefreshed() { expectCaught(.forgetsToRefresh, as: "refresh.lively") }
  func testAnAgeThatAFailureResets() { expectCaught(.ageReset, as: "refresh.ages", alone: false) }
  func testADeadValueThatIsServed() { expectCaught(.servesDead, as: "refresh.dead") }
  func testARefreshThatWinsOverASet() { expectCaught(.refreshWins, as: "refresh.writes") }
  func testALoadThatHangsForEver() { expectCaught(.noTimeout, as: "refresh.ends") }
  func testAFreshValueThatIsAskedFor() { expectCaught(.asksWhenFresh, as: "refresh.fresh") }
  func testAValueServedBeforeAnythingFailed() { expectCaught(.servesUnasked, as: "refresh.errors") }
}
