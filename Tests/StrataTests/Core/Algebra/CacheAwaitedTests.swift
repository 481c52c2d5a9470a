import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Checks that a caller never waits for a hanging level longer than the level's time limit.
final class CacheAwaitedTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private let memory = ScriptedLevel(0, LevelScript())
  private let stuck = ScriptedLevel(1, LevelScript(hasSlowWrites: true))
  private let origin = Fetcher<Int, Int>(offMainThread: false) { $0 + 10 }

  private func sum(_ stuck: Cache<Int, Int>? = nil) -> Cache<Int, Int> {
    memory.cache.named("memory") + (stuck ?? self.stuck.cache).named("stuck").clocked(by: time)
      + origin
  }

  private func late(_ key: Int?) -> String {
    Promise<Int>(
      error: CacheError.timedOut(stage: "stuck", after: .seconds(5), key: key.map { "\($0)" })
    ).answer
  }

  func testAWriteThatHangsFailsAtItsBoundAndNamesTheLevel() {
    let write = sum().set(0, 1)
    clock.advance(by: .milliseconds(4_999))
    XCTAssertEqual(write.answer, "no answer")
    clock.advance(by: .milliseconds(1))
    XCTAssertEqual(write.answer, late(0))
    XCTAssertEqual(clock.waiting, 0)
  }

  func testGetsSkipTheLevelForThatKeyAndDoNotFillIt() {
    let cache = sum()
    _ = cache.set(0, 1)
    clock.advance(by: .seconds(5))
    _ = memory.cache.clear()
    let before = stuck.events
    XCTAssertEqual(cache.get(0).answer, "10", "The origin should answer.")
    XCTAssertEqual(stuck.events, before)
    XCTAssertEqual(memory.rest.contents, [0: 10])
    XCTAssertEqual(cache.get(1).answer, "11")
    XCTAssertEqual(
      stuck.events, before + ["get 1", "set 1 11"], "Another key should not be affected.")
  }

  func testALaterWriteReachesTheLevelAndWinsOverTheLateOne() {
    let cache = sum()
    _ = cache.set(0, 1)
    let second = cache.set(0, 2)
    XCTAssertEqual(stuck.events, ["set 0 1", "set 0 2"], "The level keeps the order of its calls.")
    clock.advance(by: .seconds(5))
    XCTAssertEqual(second.answer, late(0), "The second write should also time out.")
    stuck.settle(0)
    _ = memory.cache.clear()
    XCTAssertEqual(cache.get(0).answer, "10", "The second write is still late.")
    stuck.settle(0)
    _ = memory.cache.clear()
    XCTAssertEqual(cache.get(0).answer, "2")
    XCTAssertEqual(stuck.events, ["set 0 1", "set 0 2", "get 0"])
  }

  func testALateWriteThatFailsDoesNotBringAnOlderValueBack() {
    let broken = ScriptedLevel(
      1, LevelScript(contents: [0: 7], writeFaults: [0: .failure], hasSlowWrites: true))
    let cache = sum(broken.cache)
    _ = cache.set(0, 1)
    clock.advance(by: .seconds(5))
    _ = memory.cache.clear()
    XCTAssertEqual(cache.get(0).answer, "10")
    broken.settle(0)
    XCTAssertEqual(broken.events, ["set 0 1", "remove 0"])
    broken.settle(0)
    _ = memory.cache.clear()
    XCTAssertEqual(
      cache.get(0).answer, "10", "The level still holds 7, so the origin should answer.")
  }

  func testALateWriteWithoutASuccessorIsRead() {
    let cache = sum()
    _ = cache.set(0, 1)
    clock.advance(by: .seconds(5))
    stuck.settle(0)
    _ = memory.cache.clear()
    XCTAssertEqual(cache.get(0).answer, "1")
  }

  func testAClearDoesNotWaitForAHungSetAndRemovesItsKeyAgain() {
    let cache = sum()
    _ = cache.set(0, 1)
    _ = cache.clear()
    XCTAssertEqual(stuck.events, ["set 0 1", "clear"])
    stuck.settle(1)
    XCTAssertEqual(cache.get(0).answer, "10")
    XCTAssertEqual(
      stuck.events, ["set 0 1", "clear", "get 0"], "The clear is in flight.")
    stuck.settle(0)
    XCTAssertEqual(cache.get(0).answer, "10")
  }

  func testAHungClearDelaysNoGetAndNoOtherWriteLongerThanItsBound() {
    let cache = sum()
    let clear = cache.clear()
    XCTAssertEqual(cache.get(0).answer, "10")
    let write = cache.set(1, 1)
    clock.advance(by: .seconds(5))
    XCTAssertEqual([clear.answer, write.answer], [late(nil), late(1)])
    XCTAssertEqual(stuck.events, ["clear", "get 0", "set 1 1"])
  }

  func testAGetThatHangsFallsThrough() {
    let silent = ScriptedLevel(1, LevelScript(hasSlowGets: true))
    let cache = sum(silent.cache)
    let get = cache.get(0)
    clock.advance(by: .seconds(5))
    XCTAssertEqual(get.answer, "10")
    XCTAssertEqual(
      silent.events, ["get 0", "cancel get 0"], "The back-fill should skip a hanging level.")
  }

  func testAGetWaitsForAWriteAndForTheLevelWithinOneBound() {
    let slow = ScriptedLevel(0, LevelScript(hasSlowGets: true, hasSlowWrites: true))
    let cache = slow.cache.clocked(by: time) + origin
    _ = cache.set(0, 1)
    _ = cache.set(0, 2)
    let get = cache.get(0)
    clock.advance(by: .seconds(4))
    slow.settle(0)
    slow.settle(0)
    XCTAssertEqual(slow.events, ["set 0 1", "set 0 2", "get 0"])
    clock.advance(by: .seconds(1))
    XCTAssertEqual(get.answer, "10", "After five seconds, the origin should answer.")
  }

  func testAnOriginHasNoBoundUnlessAVerbSetsOne() {
    let slow = ScriptedLevel(2, LevelScript(contents: [0: 7], hasSlowGets: true)).cache.fetcher
    let cache = memory.cache.clocked(by: time) + slow
    let get = cache.get(0)
    let bounded = (memory.cache.clocked(by: time) + slow.awaitedInSum(atMost: .seconds(60))).get(0)
    clock.advance(by: .seconds(59))
    XCTAssertEqual([get.answer, bounded.answer], ["no answer", "no answer"])
    clock.advance(by: .seconds(1))
    XCTAssertEqual(get.answer, "no answer")
    XCTAssertTrue(bounded.answer.contains("timed out"))
  }

  func testAnObservedStageKeepsItsBound() {
    let slow = ScriptedLevel(2, LevelScript(contents: [0: 7], hasSlowGets: true)).cache
    let stage = slow.awaitedInSum(atMost: .seconds(60)).named("slow")
    let get = (memory.cache.clocked(by: time) + stage).observed { _ in }.get(0)
    clock.advance(by: .seconds(59))
    XCTAssertEqual(get.answer, "no answer")
    clock.advance(by: .seconds(1))
    XCTAssertTrue(get.answer.contains("timed out"))
  }

  func testTheVerbBoundsEachLevelOfASum() {
    let cache = sum().awaitedInSum(atMost: .seconds(1))
    let write = cache.set(0, 1)
    clock.advance(by: .seconds(1))
    XCTAssertTrue(write.answer.contains("timed out"))
    XCTAssertEqual(
      cache.plan.children[1].description, "cache.named(\"stuck\").awaitedInSum(atMost: 1 s)")
    XCTAssertEqual((cache + cache).plan.children.count, 6)
  }

  func testASumBelowAVerbAnswersWhileOneOfItsLevelsHangs() {
    let inner = sum()
    for cache in [
      memory.cache.clocked(by: time) + inner.pooled().awaitedInSum(atMost: .seconds(1)),
      inner.timingOut(after: .seconds(1)), inner.pooled().timingOut(after: .seconds(1)),
    ] {
      let write = cache.set(0, 1)
      clock.advance(by: .seconds(1))
      XCTAssertTrue(write.answer.contains("timed out"))
      XCTAssertEqual(cache.get(0).answer, "1", "The memory level should answer.")
      clock.advance(by: .seconds(4))
      _ = memory.cache.clear()
      XCTAssertEqual(cache.get(0).answer, "10", "The origin should answer.")
      stuck.settle(0)
      stuck.settle(0)
      _ = cache.clear()
      stuck.settle(0)
    }
  }

  func testABackFillThatHangsDelaysNoWrite() {
    let cache = sum()
    XCTAssertEqual(cache.get(0).answer, "10")
    XCTAssertEqual(stuck.events, ["get 0", "set 0 10"])
    let write = cache.set(0, 3)
    XCTAssertEqual(stuck.events, ["get 0", "set 0 10", "set 0 3"])
    clock.advance(by: .seconds(5))
    XCTAssertEqual(write.answer, late(0))
  }

  func testRefreshingSkipsALevelWhoseValueIsUnknown() {
    let hung = Lock(true)
    let store = Lock<[Int: Stamped<Int>]>([0: Stamped(1, storedAt: time.now())])
    let level = Cache<Int, Stamped<Int>>(
      get: { key in Promise(store.withLock { $0[key] }, or: CacheError.notFound) },
      set: { _, _ in hung.withLock { $0 } ? Promise { keep($0) } : Promise() })
    let cache = level.clocked(by: time)
      .refreshing(Freshness(for: .seconds(60)), from: origin)
    XCTAssertEqual(cache.get(0).answer, "1")
    let write = cache.set(0, 2)
    clock.advance(by: .seconds(5))
    XCTAssertTrue(write.answer.contains("timed out"))
    XCTAssertEqual(
      cache.get(0).answer, "10", "The get should ignore the stored value, which may be older.")
  }
}

/// Never releases the continuation, because releasing a continuation makes its promise fail.
private func keep(_ continuation: Promise<Void>.Continuation) {
  kept.withLock { $0.append(continuation) }
}

private let kept = Lock<[Promise<Void>.Continuation]>([])
