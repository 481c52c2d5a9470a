import Strata
import StrataLaws

/// What conditions and lanes elsewhere break.
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
      by: .lanes { first, second, lane in
        let lanes = Cache.switching(first, second, by: lane)
        return Cache(
          get: lanes.get, set: lanes.set,
          remove: { key in first.remove(key).flatMap { second.remove(key) } },
          clear: lanes.clear, memoryWarning: lanes.memoryWarning)
      }, as: ["lanes.first", "lanes.apart", "lanes.failure"])
  }

  func testLanesThatMoveAKey() {
    // What is stored in one lane is removed from the other: of one cache twice that is all.
    expectCaught(
      "movesKeys",
      by: .lanes { first, second, lane in
        let lanes = Cache.switching(first, second, by: lane)
        return Cache(
          get: lanes.get,
          set: { key, value in
            lanes.set(key, value).flatMap {
              try lane(key) == .first ? second.remove(key) : first.remove(key)
            }
          }, remove: lanes.remove, clear: lanes.clear, memoryWarning: lanes.memoryWarning)
      }, as: ["lanes.first", "lanes.same"])
  }

  func testLanesThatClearOne() {
    expectCaught(
      "clearsFirst",
      by: .lanes { first, second, lane in
        let lanes = Cache.switching(first, second, by: lane)
        return Cache(
          get: lanes.get, set: lanes.set, remove: lanes.remove, clear: first.clear,
          memoryWarning: lanes.memoryWarning)
      }, as: ["lanes.mirror", "lanes.apart"])
  }
}

extension Cache {
  /// This cache asked in another way.
  func asked(_ get: @escaping @Sendable (Key) -> Promise<Value>) -> Cache {
    Cache(get: get, set: set, remove: remove, clear: clear, memoryWarning: memoryWarning)
  }
}
