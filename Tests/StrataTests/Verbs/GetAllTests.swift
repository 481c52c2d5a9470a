import StrataLaws
import XCTest

@testable import Strata

final class GetAllTests: XCTestCase {
  private let slow = ScriptedLevel(
    0,
    LevelScript(
      contents: [0: 5, 1: 6, 2: 7], troubledGets: [3: .failure, 4: .cancellation],
      hasSlowGets: true))
  private let ready = ScriptedLevel(
    0, LevelScript(contents: [0: 5, 1: 6], troubledGets: [3: .failure]))
  private let failure = Promise<Int>(error: ScriptError(level: 0, key: 3, isMiss: false)).answer

  func testAllGetsAreIssuedAtOnceAndValuesComeInTheOrderOfTheKeys() {  // T38
    let get = slow.cache.getAll([2, 0, 1])
    XCTAssertEqual(slow.events, ["get 2", "get 0", "get 1"])
    for place in [1, 1, 0] { slow.settle(place) }
    XCTAssertEqual(get.answer, "[7, 5, 6]")
  }

  func testTheFirstFailureEndsItAndCancelsTheRest() {  // T39
    let get = slow.cache.getAll([0, 3, 1])
    slow.settle(1)
    XCTAssertEqual(get.answer, failure)
    XCTAssertEqual(slow.events, ["get 0", "get 3", "get 1", "cancel get 0", "cancel get 1"])
  }

  func testAFailureThatIsThereAtOnceStartsNoMore() {  // T39
    XCTAssertEqual(ready.cache.getAll([0, 3, 1]).answer, failure)
    XCTAssertEqual(ready.events, ["get 0", "get 3"])
  }

  func testCancellingCancelsAll() {  // T39
    slow.cache.getAll([0, 1]).cancel()
    XCTAssertEqual(slow.events, ["get 0", "get 1", "cancel get 0", "cancel get 1"])
  }

  func testSomeAreThoseThatWereFoundByTheirKey() {  // T40
    let get = slow.cache.getSome([4, 3, 2, 0, 9])
    while slow.settle(0) {}
    XCTAssertEqual(get.outcome?.value, [0: 5, 2: 7])
    XCTAssertEqual(ready.cache.getSome([0, 3, 9]).outcome?.value, [0: 5])
  }

  func testSomeWaitsForAllAndAsksForEachKeyOnce() {  // T40
    let get = slow.cache.getSome([0, 1, 0])
    XCTAssertEqual(slow.events, ["get 0", "get 1"])
    slow.settle(0)
    XCTAssertEqual(get.answer, "no answer")
    slow.settle(0)
    XCTAssertEqual(get.outcome?.value, [0: 5, 1: 6])
  }

  func testCancellingSomeCancelsAll() {  // T40
    slow.cache.getSome([0, 1]).cancel()
    XCTAssertEqual(slow.events, ["get 0", "get 1", "cancel get 0", "cancel get 1"])
  }

  func testOfNoKeysTheAnswerIsThereAtOnce() {  // T65
    XCTAssertEqual([slow.cache.getAll([]).answer, slow.cache.getSome([]).answer], ["[]", "[:]"])
  }

  /// The first answer comes from another thread at any moment: no key may be left out for it.
  func testAnAnswerThatComesMeanwhileLeavesNoKeyOut() {
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
    for _ in 0..<20_000 {
      XCTAssertEqual(try cache.getAll([0, 2, 3]).wait(), [1, 2, 3])
    }
    isOver.withLock { $0 = true }
    done.wait()
  }

  func testAStoredNilIsAValue() {
    let cache = Fetcher<Int, Int?> { $0 == 0 ? nil : $0 }
    XCTAssertEqual(cache.getAll([0, 1]).outcome?.value, [nil, 1])
    XCTAssertEqual(cache.getSome([0, 1]).outcome?.value, [0: nil, 1: 1])
  }

  func testAFetcherIsAskedForManyToo() {
    let fetcher = Fetcher<Int, Int> { $0 }
    XCTAssertEqual(fetcher.getAll(1...3).answer, "[1, 2, 3]")
    XCTAssertEqual(fetcher.getSome(1...2).outcome?.value, [1: 1, 2: 2])
  }
}
