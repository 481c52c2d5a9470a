import Strata
import StrataLaws

/// What levels that always say the same get wrong.
final class ConstantFaultTests: FaultCase {
  private func laws(
    _ name: String,
    constant: @escaping @Sendable (Int) -> Cache<Int, Int> = { .constant($0) },
    failing: @escaping @Sendable (any Error) -> Cache<Int, Int> = { .failing($0) }
  ) -> Laws {
    let all = Laws.constants(constant, failing: failing).laws
    return Laws("constants", all.filter { $0.name == name })
  }

  func testAConstantThatIsOverwritten() {
    let memory: @Sendable (Int) -> Cache<Int, Int> = { .memory() + .constant($0) }
    expectCaught("overwritten", by: laws("constant.above", constant: memory))
  }

  func testAConstantThatMisses() {
    let picky: @Sendable (Int) -> Cache<Int, Int> = { value in
      Cache(get: { $0 == 1 ? Promise(error: CacheError.notFound) : Promise(value) })
    }
    expectCaught("misses", by: laws("constant.beneath", constant: picky))
  }

  func testAFailureThatIsTakenForAMiss() {
    expectCaught(
      "miss", by: laws("failing.above", failing: { _ in .failing(CacheError.notFound) }))
  }

  func testAMissThatIsTakenForAFailure() {
    expectCaught(
      "failure", by: laws("failing.beneath", failing: { _ in .failing(CacheError.timedOut) }))
  }

  func testAFailingLevelWhoseWritesSucceed() {
    expectCaught(
      "writes", by: laws("failing.writes", failing: { Cache.failing($0).fetcher.cache }))
  }
}
