import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class BatchedTests: XCTestCase {
  private let level = ScriptedLevel(
    0,
    LevelScript(
      contents: [0: 5, 1: 6, 2: 7], writeFaults: [3: .failure], hasSlowWrites: true))
  private lazy var cache = level.cache.batched()

  func testALargeBatchIsBackFilledAsAWhole() {
    let level = Cache<Int, Int>.dictionary()
    let origin = Fetcher<[Int], [Int]>(offMainThread: false) { $0 }
    let keys = Array(0..<3_000)
    XCTAssertEqual((level.batched() + origin).get(keys).outcome?.value, keys)
    XCTAssertEqual(keys.filter { level.get($0).outcome?.value != $0 }, [])
  }

  func testValuesAreInTheOrderOfTheKeys() {  // T38
    XCTAssertEqual(cache.get([2, 0, 0]).answer, "[7, 5, 5]")
    XCTAssertEqual(cache.get([0, 9]).answer, "not found")
  }

  func testASetPairsKeysAndValuesAndSettlesWithTheLast() {  // T41
    let set = cache.set([7, 8], [1, 2])
    XCTAssertEqual(level.events, ["set 7 1", "set 8 2"])
    level.settle(1)
    XCTAssertEqual(set.answer, "no answer")
    level.settle(0)
    XCTAssertEqual(set.answer, "()")
    XCTAssertEqual(level.rest.contents[8], 2)
  }

  func testASetWithAFailingKeyFailsAndStoresTheOthers() {  // T41
    let set = cache.set([7, 3, 8], [1, 2, 3])
    while level.settle(0) {}
    let failure = Promise<Int>(error: ScriptError(level: 0, key: 3, isMiss: false))
    XCTAssertEqual(set.answer, failure.answer)
    XCTAssertEqual([level.rest.contents[7], level.rest.contents[8]], [1, 3])
  }

  func testUnequalCountsAreRejected() {
    let answer = cache.set([7, 8], [1])
    XCTAssertEqual(answer.outcome?.error as? UnequalCounts, UnequalCounts(keys: 2, values: 1))
    XCTAssertEqual(level.events, [])
  }

  func testARemoveReallyRemoves() {  // T59
    let remove = cache.remove([0, 9, 2])
    while level.settle(0) {}
    XCTAssertEqual(remove.answer, "()")
    XCTAssertEqual(level.rest.contents, [1: 6])
  }

  func testEveryOperationOnNoKeysIsSynchronous() {  // T65
    XCTAssertEqual(
      [cache.get([]).answer, cache.set([], []).answer, cache.remove([]).answer],
      ["[]", "()", "()"])
    XCTAssertEqual(level.events, [])
  }

  func testAClearAndAWarningPass() {
    _ = cache.clear()
    cache.memoryWarning()
    XCTAssertEqual(level.events, ["clear", "warn"])
  }

  func testTheLastValueOfARepeatedKeyStays() {
    _ = cache.set([7, 7], [1, 2])
    XCTAssertEqual(cache.get([7]).answer, "[2]")
  }

  func testAFetcherIsBatchedToo() {
    let fetcher = Fetcher<Int, Int>(offMainThread: false) { $0 }.batched()
    XCTAssertEqual(fetcher.get([3, 1]).answer, "[3, 1]")
    XCTAssertEqual(fetcher.plan.description, "fetcher.batched()")
    XCTAssertTrue(fetcher.metadata.isReadOnly)
  }

  func testAWriteOfABatchDetachesTheLoadsOfItsKeys() {
    let slow = ScriptedLevel(0, LevelScript(contents: [0: 5], hasSlowGets: true))
    let batches = slow.cache.fetcher.pooled().batched()
    let cache = .memory() + batches as Cache<[Int], [Int]>
    _ = batches.get([0])
    _ = cache.set([0], [1])
    _ = batches.get([0])
    XCTAssertEqual(slow.events, ["get 0", "get 0"])
  }
}
