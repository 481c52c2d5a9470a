import Strata
import StrataLaws

/// What verbs that say they change nothing change elsewhere.
final class TransparencyFaultTests: FaultCase {
  func testAVerbThatForgetsToForwardARemove() {
    expectCaught(
      "forgetsRemove",
      by: .transparent("named") { level in
        Cache(
          get: level.get, set: level.set, clear: level.clear, memoryWarning: level.memoryWarning)
      }, as: ["transparency.named", "transparency.namedOfSum"])
  }

  func testAVerbThatLosesCancellation() {
    expectCaught(
      "losesCancellation", by: .transparent("observed") { $0.uncancelled },
      as: ["transparency.observed", "transparency.observedOfSum"])
  }

  func testAVerbThatIsAnotherOfASum() {
    @Sendable func broken(_ cache: Cache<Int, Int>) -> Cache<Int, Int> {
      guard case .sum = cache.plan else { return cache }
      return cache.asked { key in cache.get(key).recover { _ in cache.get(key) } }
    }
    expectCaught(
      "ofSums", by: .transparent("named", broken), as: "transparency.namedOfSum", alone: true)
    expectCaught(
      "ofSums", by: .transparent("observed", broken), as: "transparency.observedOfSum", alone: true)
  }
}
