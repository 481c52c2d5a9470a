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

  func testAVerbThatDropsForget() {
    for name in ["named", "observed"] {
      expectCaught(
        "dropsForget", by: .transparent(name) { $0.withoutForget },
        as: ["transparency.\(name)OfOrigin"])
    }
  }

  func testAVerbThatAwaitsInATaskIsLawful() throws {
    let laws = Laws.transparent("delegating") { cache in
      Cache(
        get: { key in try await cache.value(for: key) },
        set: { key, value async throws in try await cache.set(key, value).value },
        remove: { key async throws in try await cache.remove(key).value },
        clear: { () async throws in try await cache.clear().value },
        memoryWarning: cache.memoryWarning)
    }
    try Laws.check(laws, cases: 3)
  }

  func testAnObserverThatChangesASum() {
    expectCaught(
      "ofSums", by: .transparent("observed") { $0.askedTwiceIfASum },
      as: "transparency.observedOfSum", alone: true)
  }
}

extension Cache {
  /// A copy of this cache that doesn't pass on that a write has overtaken a load.
  fileprivate var withoutForget: Cache {
    transforming("named") { operations in
      var result = operations
      result.dropLoad = { _ in }
      return result
    }
  }

  /// A copy of this cache that retries each failed get once if the cache is a sum.
  fileprivate var askedTwiceIfASum: Cache {
    guard plan.form == .sum else { return self }
    let get = get
    return asked { key in get(key).recover { _ in get(key) } }
  }
}
