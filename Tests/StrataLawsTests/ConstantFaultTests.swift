import Strata
import StrataLaws

/// Checks that the laws catch faults in levels that always give the same answer.
final class ConstantFaultTests: FaultCase {
  private func laws(
    constant: @escaping @Sendable (Int) -> Cache<Int, Int> = { .constant($0) },
    failing: @escaping @Sendable (any Error) -> Cache<Int, Int> = { .failing($0) }
  ) -> Laws {
    .constants(constant, failing: failing)
  }

  func testAConstantThatIsOverwritten() {
    let memory: @Sendable (Int) -> Cache<Int, Int> = { .memory() + .constant($0) }
    expectCaught("overwritten", by: laws(constant: memory), as: "constant.above", alone: true)
  }

  func testAConstantThatMisses() {
    let picky: @Sendable (Int) -> Cache<Int, Int> = { value in
      Cache(
        get: { $0 == 1 ? Promise(error: CacheError.notFound) : Promise(value) },
        set: { _, _ in Promise() })
    }
    expectCaught("misses", by: laws(constant: picky), as: "constant.beneath")
  }

  func testAFailureThatIsReportedAsAMiss() {
    expectCaught(
      "miss", by: laws(failing: { _ in .failing(CacheError.notFound) }), as: "failing.above")
  }

  func testAMissThatIsReportedAsAFailure() {
    expectCaught(
      "failure", by: laws(failing: { _ in .failing(CacheError.timedOut()) }), as: "failing.beneath")
  }

  func testAFailingLevelWhoseWritesSucceed() {
    expectCaught(
      "writes", by: laws(failing: { Cache.failing($0).fetcher }), as: "failing.writes",
      alone: true)
  }
}
