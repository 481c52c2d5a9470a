import Strata
import StrataLaws

/// Checks that the laws catch faults in conditions and branches.
final class ConditionFaultTests: FaultCase {
  func testAConditionThatIsNegated() {
    expectCaught(
      "negates", by: .conditions { cache, condition in cache.conditioned { try !condition($0) } },
      as: ["condition.truth", "condition.falsehood", "condition.conjunction"])
  }

  func testAnUnmetConditionThatEndsTheWholeGet() {
    // If the condition is false, the faulty get returns a cancelled promise. A sum then doesn't
    // call its next level.
    expectCaught(
      "endsUnmet",
      by: .conditions { cache, condition in
        let get = cache.get
        return cache.asked { key in
          do { return try condition(key) ? get(key) : .cancelled } catch {
            return Promise(error: error)
          }
        }
      }, as: "condition.falsehood")
  }

  func testAConditionWhoseFailureCountsAsUnmet() {
    expectCaught(
      "swallowsErrors",
      by: .conditions { cache, condition in
        cache.conditioned { key in (try? condition(key)) ?? false }
      }, as: "condition.failure", alone: true)
  }

  func testAConditionThatDoesNotApplyToWrites() {
    expectCaught(
      "storesWhatItSkips",
      by: .conditions { cache, condition in cache.asked(cache.conditioned(condition).get) },
      as: ["condition.falsehood", "condition.failure"])
  }

  func testAConditionThatKeepsTheOldValue() {
    expectCaught(
      "keepsOldValues",
      by: .conditions { cache, condition in
        let inner = cache.conditioned(condition)
        return Cache(
          get: inner.get,
          set: { key, value in
            do { return try condition(key) ? cache.set(key, value) : Promise() } catch {
              return Promise(error: error)
            }
          }, remove: cache.remove, clear: cache.clear, memoryWarning: cache.memoryWarning)
      }, as: ["condition.falsehood", "condition.failure"])
  }

  func testAConditionThatLosesCancellation() {
    // The faulty get doesn't react to a cancellation. Even after a cancellation, the faulty get
    // calls the level when the condition returns `true`.
    let condition = Laws.lateConditions { cache, condition in
      let get = cache.get
      return cache.asked { key in
        Promise { continuation in
          condition(key).observed { outcome in
            switch outcome {
            case .success(true): get(key).observed { continuation.settle($0) }
            case .success: continuation.fail(CacheError.conditionNotSatisfied)
            case .failure(let error): continuation.fail(error)
            case .cancelled: continuation.cancel()
            }
          }
        }
      }
    }
    expectCaught("losesCancellation", by: condition, as: "condition.late")
  }

  func testAKeyThatIsSkippedAndReadUnderASpareKey() {
    // If the condition is false for a key, the faulty get reads key 0 instead. If the faulty verb
    // wraps a whole sum, a back-fill stores the value of key 0 under key 0. If the faulty verb
    // wraps each level of the sum, a back-fill stores the value of key 0 under the requested key.
    expectCaught(
      "spareKey",
      by: .conditions { cache, condition in
        let get = cache.get
        return cache.asked { key in
          do { return try get(condition(key) ? key : 0) } catch { return Promise(error: error) }
        }
      }, as: "condition.sums")
  }

  func testBranchesThatRemoveFromBoth() {
    expectCaught(
      "removesFromBoth",
      by: .branches { first, second, branch in
        let branches = Cache.switching(first, second, by: branch)
        return Cache(
          get: branches.get, set: branches.set,
          remove: { key in first.remove(key).flatMap { second.remove(key) } },
          clear: branches.clear, memoryWarning: branches.memoryWarning)
      }, as: ["branches.first", "branches.apart", "branches.failure"])
  }

  func testBranchesThatMoveAKey() {
    // A `set` stores its value in one branch and then removes the key from the other branch. If
    // both branches are the same cache, this removal deletes the new value.
    expectCaught(
      "movesKeys",
      by: .branches { first, second, branch in
        let branches = Cache.switching(first, second, by: branch)
        return Cache(
          get: branches.get,
          set: { key, value in
            branches.set(key, value).flatMap {
              try branch(key) == .first ? second.remove(key) : first.remove(key)
            }
          }, remove: branches.remove, clear: branches.clear, memoryWarning: branches.memoryWarning)
      }, as: ["branches.first", "branches.same"])
  }

  func testBranchesThatClearOne() {
    expectCaught(
      "clearsFirst",
      by: .branches { first, second, branch in
        let branches = Cache.switching(first, second, by: branch)
        return Cache(
          get: branches.get, set: branches.set, remove: branches.remove, clear: first.clear,
          memoryWarning: branches.memoryWarning)
      }, as: ["branches.mirror", "branches.apart"])
  }
}

extension Cache {
  /// Returns this cache with a different `get` function.
  func asked(_ get: @escaping @Sendable (Key) -> Promise<Value>) -> Cache {
    Cache(get: get, set: set, remove: remove, clear: clear, memoryWarning: memoryWarning)
  }
}
