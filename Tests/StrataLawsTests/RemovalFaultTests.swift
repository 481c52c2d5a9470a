import StrataLaws

@testable import StrataCore
@testable import StrataVerbs

/// Checks that the laws catch faults in removals by a condition.
final class RemovalFaultTests: FaultCase {
  func testAConditionThatIsReversed() {
    expectCaught(
      "reversed", by: .removal { cache, condition in cache.removal { !condition($0) } },
      as: "removal.keys")
  }

  func testARemovalOfOneKeyOnly() {
    expectCaught(
      "oneKey",
      by: .removal { cache, condition in
        [0, 1].first(where: condition).map(cache.remove) ?? Promise()
      }, as: "removal.keys", alone: true)
  }

  func testARemovalThatForgetsLoads() {
    expectCaught(
      "loadsStay",
      by: .removal { cache, condition in
        let held = [0, 1].filter { condition($0) && cache.peeking.get($0).outcome?.value != nil }
        return .joint(held.map(cache.remove))
      }, as: "removal.loads", alone: true)
  }
}
