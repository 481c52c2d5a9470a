import Strata
import StrataLaws

/// Checks that the laws catch faults in verbs that must not change the behavior of a cache.
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

  func testANameThatChangesASum() {
    expectCaught(
      "ofSums", by: .transparent("named") { $0.askedTwiceIfASum },
      as: "transparency.namedOfSum", alone: true)
  }

  func testAnObserverThatChangesASum() {
    expectCaught(
      "ofSums", by: .transparent("observed") { $0.askedTwiceIfASum },
      as: "transparency.observedOfSum", alone: true)
  }
}

extension Cache {
  /// A copy of this cache that retries each failed get once if the cache is a sum.
  fileprivate var askedTwiceIfASum: Cache {
    guard plan.form == .sum else { return self }
    let get = get
    return asked { key in get(key).recover { _ in get(key) } }
  }
}
