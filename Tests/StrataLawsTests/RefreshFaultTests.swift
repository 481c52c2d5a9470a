import Strata
import StrataLaws

/// What refreshing elsewhere breaks.
final class RefreshFaultTests: FaultCase {
  private func expectCaught(
    _ fault: NaiveRefresher.Fault, as name: String, alone: Bool = false, line: UInt = #line
  ) {
    let laws = Laws.refresh { NaiveRefresher(fault, $0, $1, $2, $3).cache }
    expectCaught("\(fault)", by: laws, as: name, alone: alone, line: line)
  }

  func testARefreshThatRunsTwice() {
    expectCaught(.refreshTwice, as: "refresh.once")
  }
  func testAnErrorThatHidesAValue() {
    expectCaught(.errorHides, as: "refresh.errors", alone: true)
  }
  func testAStaleValueThatIsWaitedFor() {
    expectCaught(.waitsWhenStale, as: "refresh.lively", alone: true)
  }
  func testAStaleValueThatIsNotRefreshed() {
    expectCaught(.forgetsToRefresh, as: "refresh.lively", alone: true)
  }
  func testAnAgeThatAFailureResets() {
    expectCaught(.ageReset, as: "refresh.ages")
  }
  func testADeadValueThatIsServed() {
    expectCaught(.servesDead, as: "refresh.dead", alone: true)
  }
  func testARefreshThatWinsOverASet() {
    expectCaught(.refreshWins, as: "refresh.writes", alone: true)
  }
  func testALoadThatHangsForEver() {
    expectCaught(.noTimeout, as: "refresh.ends", alone: true)
  }
  func testAFreshValueThatIsAskedFor() {
    expectCaught(.asksWhenFresh, as: "refresh.fresh", alone: true)
  }
  func testAValueServedBeforeAnythingFailed() {
    expectCaught(.servesUnasked, as: "refresh.errors", alone: true)
  }
}
