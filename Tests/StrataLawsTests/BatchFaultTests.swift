import Strata
import StrataLaws

/// Checks that the laws catch faults that can occur in implementations of batches.
final class BatchFaultTests: FaultCase {
  func testValuesInTheOrderOfTheirCompletion() {
    expectCaught(
      "completionOrder",
      by: .batch { cache in
        let batched = cache.batched()
        return Cache(
          get: { keys in
            let values = Box<[Int]>([])
            let gets = keys.map { key in
              cache.get(key).map { value in values.update { $0.append(value) } }
            }
            return Promise.all(gets).map { _ in values.value }
          }, set: batched.set, remove: batched.remove, clear: batched.clear,
          memoryWarning: batched.memoryWarning)
      }, as: "batch.pairs", alone: true)
  }

  func testARemoveThatDoesNothingAndSucceeds() {
    expectCaught(
      "removesNothing",
      by: .batch { cache in
        let batched = cache.batched()
        return Cache(
          get: batched.get, set: batched.set, clear: batched.clear,
          memoryWarning: batched.memoryWarning)
      }, as: ["batch.single", "batch.pairs"])
  }

  func testSetsOneAfterTheOtherThatStopAtAFailure() {
    expectCaught(
      "stopsAtAFailure",
      by: .batch { cache in
        let batched = cache.batched()
        return Cache(
          get: batched.get,
          set: { keys, values in
            zip(keys, values).reduce(Promise()) { before, pair in
              before.flatMap { cache.set(pair.0, pair.1) }
            }
          }, remove: batched.remove, clear: batched.clear, memoryWarning: batched.memoryWarning)
      }, as: "batch.pairs", alone: true)
  }

  func testAnEmptyBatchThatNeverSettles() {
    expectCaught(
      "hangsOnNothing",
      by: .batch { cache in
        let batched = cache.batched()
        return Cache(
          get: { keys in keys.isEmpty ? cache.get(0).map { [$0] } : batched.get(keys) },
          set: batched.set, remove: batched.remove, clear: batched.clear,
          memoryWarning: batched.memoryWarning)
      }, as: "batch.empty", alone: true)
  }

  func testOneFailureThatHidesTheFoundValues() {
    expectCaught(
      "someIsAll",
      by: .outcomes { cache, keys in
        cache.values(of: keys).map { values in values.map { .success($0) } }
      }, as: "batch.some", alone: true)
  }

  func testOutcomesInTheOppositeOrder() {
    expectCaught(
      "opposite", by: .outcomes { cache, keys in cache.outcomes(of: keys.reversed()) },
      as: "batch.some", alone: true)
  }

  func testABatchOfOneThatLosesCancellation() {
    expectCaught(
      "oneIsUncancelled",
      by: .batch { cache in
        let (batched, one) = (cache.batched(), cache.uncancelled)
        return batched.asked { keys in
          keys.count == 1 ? one.get(keys[0]).map { [$0] } : batched.get(keys)
        }
      }, as: "batch.single", alone: true)
  }

  func testALoaderWhoseKeysAreSorted() {
    expectCaught(
      "sortsKeys",
      by: .bulkLoads { window, limit, time, load in
        .bulkLoading(window: .milliseconds(window), limit: limit, clock: time) { load($0.sorted()) }
      }, as: "batching.calls", alone: true)
  }

  func testAFailedCallThatIsReportedAsMisses() {
    expectCaught(
      "failureIsAMiss",
      by: .bulkLoads { window, limit, time, load in
        .bulkLoading(window: .milliseconds(window), limit: limit, clock: time) { keys in
          load(keys).recover { _ in [:] }
        }
      }, as: "batching.answers", alone: true)
  }

  func testALoaderThatIsCalledForEachGet() {
    expectCaught(
      "callsForEach",
      by: .bulkLoads { _, _, _, load in
        Fetcher { key in
          load([key]).flatMap { Promise($0[key], or: CacheError.notFound) }
        }
      }, as: ["batching.calls", "batching.answers"])
  }

  func testALoaderThatReceivesCancelledKeys() {
    expectCaught(
      "asksForWhoLeft",
      by: .bulkLoads { window, limit, time, load in
        let inner = Fetcher<Int, Int>.bulkLoading(
          window: .milliseconds(window), limit: limit, clock: time, load)
        return Fetcher { key in
          let answer = inner.get(key)
          return Promise { continuation in answer.observed { continuation.settle($0) } }
        }
      }, as: "batching.calls", within: 8)
  }

  func testACallAboveItsLimit() {
    expectCaught(
      "unlimited",
      by: .bulkLoads { window, _, time, load in
        .bulkLoading(window: .milliseconds(window), clock: time, load)
      }, as: "batching.calls")
  }
}
