import Strata
import StrataLaws

/// What conditions and branches elsewhere break.
final class ConditionFaultTests: FaultCase {
  func testAConditionThatIsNegated() {
    expectCaught(
      "negates", by: .conditions { cache, condition in cache.skipping(condition) },
      as: ["condition.truth", "condition.falsehood", "condition.conjunction"])
  }

  func testASkippingOfWhatIsNotToBeSkipped() {
    // The other polarity: asked where the condition holds.
    expectCaught(
      "asksWhatIsSkipped",
      by: .conditions { cache, condition in cache.conditioned { try !condition($0) } },
      as: "condition.truth")
  }

  func testAnUnmetConditionThatEndsTheWholeGet() {
    // As a level that completes without a value: the one beneath is not asked.
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

  func testAConditionOfWhichAFailureCountsAsUnmet() {
    expectCaught(
      "swallowsErrors",
      by: .conditions { cache, condition in
        cache.conditioned { key in (try? condition(key)) ?? false }
      }, as: "condition.failure", alone: true)
  }

  func testAConditionOnWritesToo() {
    expectCaught(
      "conditionsWrites",
      by: .conditions { cache, condition in
        let inner = cache.conditioned(condition)
        return Cache(
          get: inner.get,
          set: { key, value in
            (try? condition(key)) == true
              ? cache.set(key, value) : Promise(error: CacheError.conditionNotSatisfied)
          }, remove: cache.remove, clear: cache.clear, memoryWarning: cache.memoryWarning)
      }, as: ["condition.falsehood", "condition.failure"])
  }

  func testAConditionInWhichCancellationIsLost() {
    // As futures that forward it to their first stage alone: the level is asked all the same.
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
    // In a sum the spare key is filled; outside, the key that was skipped is.
    expectCaught(
      "spareKey",
      by: .conditions { cache, condition in
        let get = cache.get
        return cache.asked { key in
          do { return try get(condition(key) ? key : 0) } catch { return Promise(error: error) }
        }
      }, as: "condition.sums")
  }

  func testLanesThatRemoveFromBoth() {
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

  func testLanesThatMoveAKey() {
    // What is stored in one branch is removed from the other: of one cache twice that is all.
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

  func testLanesThatClearOne() {
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
  /// This cache asked in another way.
  func asked(_ get: @escaping @Sendable (Key) -> Promise<Value>) -> Cache {
    Cache(get: get, set: set, remove: remove, clear: clear, memoryWarning: memoryWarning)
  }
}
