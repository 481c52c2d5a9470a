import Strata
import StrataLaws

/// Checks that the laws catch faults that can occur in implementations of pools.
final class PoolFaultTests: FaultCase {
  private func expectCaught(
    _ fault: NaivePool.Fault, as names: String..., alone: Bool = false, line: UInt = #line
  ) {
    let laws = Laws.pool { NaivePool(fault)($0) }
    expectCaught("\(fault)", by: laws, as: names, alone: alone, line: line)
  }

  func testAPoolThatSharesNothing() { expectCaught(.unshared, as: "pool.oneLoad", alone: true) }
  func testAFirstWaiterWhoseCancellationCancelsAllWaiters() {
    expectCaught(.firstWaiterOwns, as: "pool.waiters")
  }
  func testAPoolPoisonedByAFailure() {
    expectCaught(.remembersFailures, as: "pool.sequence", "pool.waiters")
  }
  func testAnEntryRemovedByKeyInsteadOfByIdentity() {
    expectCaught(.removesByKey, as: "pool.oneLoad")
  }
  func testALoadThatOutlivesAWrite() {
    expectCaught(.ignoresWrites, as: "pool.detaching", "pool.detachingOnThreads")
  }
  func testALoadWithoutAWaiter() { expectCaught(.keepsLoads, as: "pool.lastWaiter") }
  func testSetsThatAreMerged() { expectCaught(.mergesSets, as: "pool.writes") }

  func testAQuickPathThatLoadsOutsideThePool() {
    expectCaught(
      "loadsOutside",
      by: .pool { cache in
        let (get, pooled) = (cache.get, cache.pooled())
        return pooled.asked { key in
          let answer = get(key)
          return answer.isReady ? answer : pooled.get(key)
        }
      }, as: "pool.oneLoad")
  }

  func testAQuickPathThatRemembersItsHits() {
    expectCaught(.remembersHits, as: "pool.memory")
  }

  func testAPoolThatLoadsAgainAfterAFailure() {
    // Each faulty pool loads twice, so two nested pools load four times.
    expectCaught(
      "asksAgain",
      by: .pool { cache in
        let get = cache.pooled().get
        return cache.pooled().asked { key in get(key).recover { _ in get(key) } }
      }, as: "pool.idempotence")
  }
}
