import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class TimingOutTests: XCTestCase {
  private let source = ScriptedLevel(0, LevelScript(contents: [0: 5], hasSlowGets: true))
  private let late = Promise<Int>(
    error: CacheError.timedOut(stage: "cache", after: .seconds(5), key: "0")
  ).answer

  func testAGetWithoutAnAnswerInTimeFailsAndIsStopped() {  // T57
    let (time, clock) = TimeSource.manual()
    let get = source.cache.timingOut(after: .seconds(5), clock: time).get(0)
    clock.advance(by: .milliseconds(4_999))
    XCTAssertEqual(get.answer, "no answer")
    clock.advance(by: .milliseconds(1))
    XCTAssertEqual(get.answer, late)
    XCTAssertEqual(source.events, ["get 0", "cancel get 0"])
  }

  func testAnAnswerInTimePassesAndCancelsTheTimer() {  // T57
    let (time, clock) = TimeSource.manual()
    let get = source.cache.timingOut(after: .seconds(5), clock: time).get(0)
    source.settle(0)
    XCTAssertEqual(get.answer, "5")
    XCTAssertEqual(clock.waiting, 0)
  }

  func testASynchronousAnswerStartsNoTimer() {
    let (time, clock) = TimeSource.manual()
    let level = ScriptedLevel(0, LevelScript(contents: [0: 5]))
    let cache = level.cache.timingOut(after: .zero, clock: time)
    XCTAssertEqual([cache.get(0).answer, cache.get(1).answer], ["5", "not found"])
    XCTAssertEqual(clock.waiting, 0)
  }

  func testInASumTheLevelBelowThenAnswers() {
    let (time, clock) = TimeSource.manual()
    let get =
      (source.cache.timingOut(after: .seconds(5), clock: time)
      + Fetcher(offMainThread: false) { _ in 9 }).get(0)
    clock.advance(by: .seconds(5))
    XCTAssertEqual(get.answer, "9")
  }

  func testEachWaiterOfALoadHasItsOwnLimit() {
    let (time, clock) = TimeSource.manual()
    let cache = source.cache.pooled().timingOut(after: .seconds(5), clock: time)
    let first = cache.get(0)
    clock.advance(by: .seconds(3))
    let second = cache.get(0)
    clock.advance(by: .seconds(2))
    XCTAssertTrue(first.answer.contains("timed out in cache.pooled(), key 0"), first.answer)
    XCTAssertEqual(second.answer, "no answer")
    source.settle(0)
    XCTAssertEqual(second.answer, "5")
    XCTAssertEqual(source.events, ["get 0"])
  }

  func testALoadThatWaitsForItselfIsBounded() {
    let (time, clock) = TimeSource.manual()
    let own = Lock<Cache<Int, Int>?>(nil)
    let cache = Fetcher<Int, Int> { key in own.withLock { $0 }!.get(key) }.pooled()
      .timingOut(after: .seconds(5), clock: time)
    own.withLock { $0 = cache }
    let get = cache.get(0)
    clock.advance(by: .seconds(5))
    XCTAssertTrue(get.answer.contains("timed out"), get.answer)
  }

  func testCancellingStopsTheLoadAndTheTimer() {  // T68
    let (time, clock) = TimeSource.manual()
    source.cache.timingOut(after: .seconds(5), clock: time).get(0).cancel()
    XCTAssertEqual(source.events, ["get 0", "cancel get 0"])
    XCTAssertEqual(clock.waiting, 0)
  }

  func testAFetcherTimesOutToo() {
    let (time, clock) = TimeSource.manual()
    let fetcher = source.cache.fetcher.timingOut(after: .seconds(5), clock: time)
    let get = fetcher.get(0)
    clock.advance(by: .seconds(5))
    XCTAssertEqual(get.answer, late)
    XCTAssertEqual(fetcher.plan.description, "cache.timingOut(after: 5 s)")
  }

  private let hung = ScriptedLevel(0, LevelScript(contents: [0: 5], hasSlowWrites: true))

  func testALateWriteFailsAndItsValueIsUnknownUntilItSettles() {
    let (time, clock) = TimeSource.manual()
    let cache = hung.cache.timingOut(after: .seconds(5), clock: time)
    let write = cache.set(0, 6)
    clock.advance(by: .seconds(5))
    XCTAssertEqual(write.answer, late)
    XCTAssertTrue(cache.get(0).answer.contains("unsettled"))
    XCTAssertEqual(cache.get(1).answer, "not found")
    hung.settle(0)
    XCTAssertEqual(cache.get(0).answer, "6")
    XCTAssertEqual(clock.waiting, 0)
  }

  func testTheKeyIsRemovedIfALaterWriteReachedTheLevel() {
    let (time, clock) = TimeSource.manual()
    let cache = hung.cache.timingOut(after: .seconds(5), clock: time)
    _ = cache.set(0, 6)
    _ = cache.set(1, 7)
    clock.advance(by: .seconds(5))
    _ = cache.remove(0)
    XCTAssertEqual(hung.events, ["set 0 6", "set 1 7", "remove 0"])
    hung.settle(0)
    XCTAssertEqual(hung.events, ["set 0 6", "set 1 7", "remove 0"], "The level keeps the order.")
    hung.settle(0)
    XCTAssertEqual(cache.get(1).answer, "7", "Key 1 had no later write, so it should stay.")
  }

  func testARemovalThatFailsIsRepeatedByTheNextGet() {
    let (time, clock) = TimeSource.manual()
    let (slow, removals) = (Later<Void>(), Journal<Int>())
    let level = Cache<Int, Int>(
      keepsOrder: true, get: { _ in .miss }, set: { _, _ in slow.promise },
      remove: { key in
        removals.note(key)
        return removals.count == 1 ? Promise(error: Broken.here) : Promise()
      })
    let cache = level.timingOut(after: .seconds(5), clock: time)
    _ = cache.set(0, 6)
    clock.advance(by: .seconds(5))
    slow.continuation.fail(Broken.there)
    XCTAssertEqual(removals.entries, [0])
    XCTAssertEqual(cache.get(0).answer, "not found")
    XCTAssertEqual(removals.entries, [0, 0])
  }

  func testAWriteInTimeAndACancelledWriteLeaveNothing() {
    let (time, clock) = TimeSource.manual()
    let cache = hung.cache.timingOut(after: .seconds(5), clock: time)
    let write = cache.set(0, 6)
    hung.settle(0)
    XCTAssertEqual(write.answer, "()")
    cache.set(0, 7).cancel()
    XCTAssertEqual(hung.events, ["set 0 6", "set 0 7", "cancel set 0 7"])
    XCTAssertEqual(clock.waiting, 0)
    XCTAssertEqual(cache.get(0).answer, "7")
  }

  func testInASumALevelWithALateWriteIsSkippedAndNotFilled() {
    let (time, clock) = TimeSource.manual()
    let cache =
      hung.cache.timingOut(after: .seconds(1), clock: time)
      + Fetcher(offMainThread: false) { _ in 9 }
    _ = cache.set(0, 6)
    clock.advance(by: .seconds(1))
    XCTAssertEqual(cache.get(0).answer, "9")
    XCTAssertEqual(hung.events, ["set 0 6"])
  }

  func testALimitAfterAQueueIncludesTheWait() {
    let (time, clock) = TimeSource.manual()
    let queue = source.cache.limited(toConcurrentGets: 1)
    let cache = queue.timingOut(after: .seconds(5), clock: time)
    let (first, second) = (queue.get(0), cache.get(0))
    clock.advance(by: .milliseconds(4_999))
    XCTAssertEqual(second.answer, "no answer")
    clock.advance(by: .milliseconds(1))
    XCTAssertEqual(second.answer, late.replacing("cache", with: queue.plan.stage))
    source.settle(0)
    XCTAssertEqual(first.answer, "5")
    XCTAssertEqual(source.events, ["get 0"], "The late get should have left the queue.")
    XCTAssertEqual(clock.waiting, 0)
  }

  func testALimitBeforeAQueueExcludesTheWait() {
    let (time, clock) = TimeSource.manual()
    let cache = source.cache.timingOut(after: .seconds(5), clock: time).limited(toConcurrentGets: 1)
    let (first, second) = (cache.get(0), cache.get(0))
    clock.advance(by: .seconds(4))
    XCTAssertEqual(clock.waiting, 1, "Only the running get should have a timer.")
    source.settle(0)
    XCTAssertEqual(first.answer, "5")
    clock.advance(by: .milliseconds(4_999))
    XCTAssertEqual(second.answer, "no answer")
    clock.advance(by: .milliseconds(1))
    XCTAssertEqual(second.answer, late)
    XCTAssertEqual(clock.waiting, 0)
  }

  func testLimitsOnBothSidesOfAQueueBoundTheRequestAndTheGet() {
    let (time, clock) = TimeSource.manual()
    let cache = source.cache.timingOut(after: .seconds(5), clock: time)
      .limited(toConcurrentGets: 1).timingOut(after: .seconds(8), clock: time)
    let gets = (0..<3).map { _ in cache.get(0) }
    clock.advance(by: .seconds(5))
    XCTAssertTrue(gets[0].answer.contains("5.0 seconds"), gets[0].answer)
    clock.advance(by: .seconds(3))
    for get in gets[1...] { XCTAssertTrue(get.answer.contains("8.0 seconds"), get.answer) }
    XCTAssertEqual(
      source.events.sorted(),
      (["cancel get 0", "get 0"].flatMap { Array(repeating: $0, count: 3) }))
    XCTAssertEqual(clock.waiting, 0)
  }

  func testALimitIncludesTheWaitThroughOtherVerbsLevelsAndTasks() {
    let (time, clock) = TimeSource.manual()
    let queue = source.cache.limited(toConcurrentGets: 1)
    let busy = queue.get(0)
    let task = Fetcher<Int, Int> { key async throws in try await queue.value(for: key) }
    let caches = [
      queue.retrying(1, clock: time), queue.pooled(), queue.plusOne(), queue.named("x"),
      ScriptedLevel(1, LevelScript()).cache + queue.fetcher, task,
    ]
    let gets = caches.map { $0.timingOut(after: .seconds(5), clock: time).get(0) }
    clock.advance(by: .seconds(5))
    for get in gets { XCTAssertTrue(get.answer.contains("timed out"), get.answer) }
    busy.cancel()
    XCTAssertEqual(clock.waiting, 0)
  }
}

extension Cache<Int, Int> {
  fileprivate func plusOne() -> Cache {
    transformingGet("next") { get in { key in get(key).map { $0 + 1 } } }
  }
}

/// Waits until a condition is true, for at most two minutes.
private func waitUntil(_ condition: () -> Bool) {
  for _ in 0..<120_000 where !condition() { usleep(1_000) }
}
