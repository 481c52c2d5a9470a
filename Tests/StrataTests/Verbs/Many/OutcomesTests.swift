import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class OutcomesTests: XCTestCase {
  private let slow = ScriptedLevel(
    0,
    LevelScript(
      contents: [0: 5, 1: 6, 2: 7], getFaults: [3: .failure, 4: .cancellation],
      hasSlowGets: true))
  private let ready = ScriptedLevel(
    0, LevelScript(contents: [0: 5, 1: 6], getFaults: [3: .failure]))
  private let failure = Promise<Int>(error: ScriptError(level: 0, key: 3, isMiss: false)).answer

  func testAllGetsRunConcurrentlyAndValuesAreInTheOrderOfTheKeys() {  // T38
    let get = slow.cache.values(of: [2, 0, 1])
    XCTAssertEqual(slow.events, ["get 2", "get 0", "get 1"])
    for place in [1, 1, 0] { slow.settle(place) }
    XCTAssertEqual(get.answer, "[7, 5, 6]")
  }

  func testTheOrderIsThatOfTheKeysIfSomeGetsAreSynchronousAndOthersPending() {
    let level = Cache<Int, Int>(
      get: { [slow, ready] key in
        (key == 2 ? slow : ready).cache.get(key)
      }, set: { _, _ in Promise() })
    for keys in [[0, 2, 1], [2, 0, 1], [0, 1, 2], [2, 2, 0]] {
      let get = level.values(of: keys)
      XCTAssertEqual(get.answer, "no answer")
      while slow.settle(0) {}
      XCTAssertEqual(get.outcome?.value, keys.map { $0 + 5 })
    }
  }

  func testTheArrayOfSynchronousHitsIsAllocatedOnce() {
    let values = Cache<Int, Int>(get: { Promise($0) }, set: { _, _ in Promise() })
      .outcomes(of: 0..<1_025).outcome?.value
    XCTAssertEqual(values?.count, 1_025)
    XCTAssertLessThan(values?.capacity ?? 0, 1_200, "A growing array would have doubled.")
  }

  func testTheFirstFailureEndsItAndCancelsTheRest() {  // T39
    let get = slow.cache.values(of: [0, 3, 1])
    slow.settle(1)
    XCTAssertEqual(get.answer, failure)
    XCTAssertEqual(slow.events, ["get 0", "get 3", "get 1", "cancel get 0", "cancel get 1"])
  }

  func testASynchronousFailureStartsNoFurtherGets() {  // T39
    XCTAssertEqual(ready.cache.values(of: [0, 3, 1]).answer, failure)
    XCTAssertEqual(ready.events, ["get 0", "get 3"])
  }

  func testCancellingCancelsAll() {  // T39
    slow.cache.values(of: [0, 1]).cancel()
    XCTAssertEqual(slow.events, ["get 0", "get 1", "cancel get 0", "cancel get 1"])
  }

  func testEachKeyHasItsOwnOutcome() {  // T40
    func texts(_ outcomes: [Promise<Int>.Outcome]?) -> [String] {
      (outcomes ?? []).map { Promise(outcome: $0).answer }
    }
    let get = slow.cache.outcomes(of: [4, 3, 2, 0, 9])
    while slow.settle(0) {}
    XCTAssertEqual(
      texts(get.outcome?.value), ["cancelled", failure, "7", "5", "not found"])
    XCTAssertEqual(
      texts(ready.cache.outcomes(of: [0, 3, 9]).outcome?.value), ["5", failure, "not found"])
  }

  func testFoundTellsMissesFromFailures() throws {
    XCTAssertEqual(try Promise<Int>.Outcome.success(1).found, 1)
    XCTAssertNil(try Promise<Int>.Outcome.failure(CacheError.notFound).found)
    XCTAssertThrowsError(try Promise<Int>.Outcome.failure(Broken.here).found)
    XCTAssertThrowsError(try Promise<Int>.Outcome.cancelled.found) { error in
      XCTAssertTrue(error is CancellationError)
    }
  }

  func testTheOutcomesWaitForAllKeys() {  // T40
    let get = slow.cache.known(of: [0, 1, 0])
    XCTAssertEqual(slow.events, ["get 0", "get 1", "get 0"])
    slow.settle(0)
    slow.settle(0)
    XCTAssertEqual(get.answer, "no answer")
    slow.settle(0)
    XCTAssertEqual(get.outcome?.value, [0: 5, 1: 6])
  }

  func testCancellingTheOutcomesCancelsAll() {  // T40
    slow.cache.known(of: [0, 1]).cancel()
    XCTAssertEqual(slow.events, ["get 0", "get 1", "cancel get 0", "cancel get 1"])
  }

  func testNoKeysAreSynchronous() {  // T65
    XCTAssertEqual(
      [slow.cache.values(of: []).answer, slow.cache.known(of: []).answer], ["[]", "[:]"])
  }

  /// The first value can arrive from another thread while the loop over the keys is still running.
  /// The result must contain the values of all keys even if a value arrives during the loop.
  func testAnAnswerThatArrivesDuringTheLoopOmitsNoKey() {
    let worker = Lock<[Promise<Int>.Continuation]>([])
    let isOver = Lock(false)
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while !isOver.withLock({ $0 }) {
        for continuation in worker.withLock({ waiting in
          defer { waiting = [] }
          return waiting
        }) { continuation.succeed(1) }
      }
      done.signal()
    }
    let cache = Cache<Int, Int>(
      get: { key in
        guard key == 0 else { return Promise(key) }
        return Promise { (continuation: Promise<Int>.Continuation) in
          worker.withLock { $0.append(continuation) }
        }
      }, set: { _, _ in Promise() })
    for _ in 0..<Extent.rounds(2000, full: 20_000) {
      XCTAssertEqual(try cache.values(of: [0, 2, 3]).wait(), [1, 2, 3])
    }
    isOver.withLock { $0 = true }
    done.wait()
  }

  func testAStoredNilIsAValue() {
    let cache = Fetcher<Int, Int?>(offMainThread: false) { $0 == 0 ? nil : $0 }
    XCTAssertEqual(cache.values(of: [0, 1]).outcome?.value, [nil, 1])
    XCTAssertEqual(cache.known(of: [0, 1]).outcome?.value, [0: nil, 1: 1])
  }

  func testAFetcherGetsManyKeysToo() {
    let fetcher = Fetcher<Int, Int>(offMainThread: false) { $0 }
    XCTAssertEqual(fetcher.values(of: 1...3).answer, "[1, 2, 3]")
    XCTAssertEqual(fetcher.known(of: 1...2).outcome?.value, [1: 1, 2: 2])
  }
}
