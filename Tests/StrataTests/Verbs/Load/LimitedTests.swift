import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class LimitedTests: XCTestCase {
  private let source = ScriptedLevel(
    0,
    LevelScript(
      contents: Dictionary(uniqueKeysWithValues: (0..<6).map { ($0, 10 + $0) }),
      hasSlowGets: true))
  private lazy var cache = source.cache.limited(toConcurrentGets: 2)

  func testTheNextGetIsForwardedWhenOneFinishes() {  // T57
    let gets = (0..<4).map { cache.get($0) }
    XCTAssertEqual(source.events, ["get 0", "get 1"])
    source.settle(1)
    XCTAssertEqual(source.events, ["get 0", "get 1", "get 2"])
    while source.settle(0) {}
    XCTAssertEqual(gets.map(\.answer), ["10", "11", "12", "13"])
  }

  func testWritesAndWarningsAreNotLimited() {  // T57
    let gets = [cache.get(0), cache.get(1)]
    _ = cache.set(5, 1)
    _ = cache.remove(5)
    _ = cache.clear()
    cache.memoryWarning()
    XCTAssertEqual(source.events.suffix(4), ["set 5 1", "remove 5", "clear", "warn"])
    XCTAssertEqual(gets.map(\.answer), ["no answer", "no answer"])
  }

  func testAFullQueueRefusesTheNextGetImmediately() {
    for (queue, waiting) in [(-1, 0), (0, 0), (2, 2)] {
      let slow = ScriptedLevel(0, LevelScript(contents: [0: 1], hasSlowGets: true))
      let cache = slow.cache.limited(toConcurrentGets: 1, queue: queue)
      let gets = (0..<6).map { cache.get($0) }
      XCTAssertEqual(gets.count { $0.answer == "no answer" }, 1 + waiting)
      XCTAssertEqual(gets.suffix(5 - waiting).count { $0.outcome?.error != nil }, 5 - waiting)
      XCTAssertEqual(slow.events, ["get 0"])
    }
  }

  func testAFailureReturnsThePermit() {  // T57
    let broken = ScriptedLevel(0, LevelScript(getFaults: [0: .failure], hasSlowGets: true))
    let cache = broken.cache.limited(toConcurrentGets: 1)
    _ = (cache.get(0), cache.get(1))
    broken.settle(0)
    XCTAssertEqual(broken.events, ["get 0", "get 1"])
  }

  func testAWaiterThatIsCancelledLeavesTheQueue() {
    let gets = (0..<4).map { cache.get($0) }
    gets[2].cancel()
    source.settle(0)
    XCTAssertEqual(source.events, ["get 0", "get 1", "get 3"])
    XCTAssertEqual(gets[2].answer, "cancelled")
  }

  func testARunningGetThatIsCancelledReturnsItsPermitAndStops() {
    let gets = (0..<4).map { cache.get($0) }
    gets[0].cancel()
    XCTAssertEqual(source.events, ["get 0", "get 1", "cancel get 0", "get 2"])
    gets[2].cancel()
    XCTAssertEqual(source.events.suffix(2), ["cancel get 2", "get 3"])
  }

  func testLessThanOneCountsAsOne() {
    let cache = source.cache.limited(toConcurrentGets: -3)
    let gets = [cache.get(0), cache.get(1)]
    while source.settle(0) {}
    XCTAssertEqual(gets.map(\.answer), ["10", "11"])
  }

  func testTwentyThousandSynchronousGetsUseNoStack() {
    let answers = onSmallStack {
      let first = Later<Int>()
      let cache = Fetcher<Int, Int> { $0 == 0 ? first.promise : Promise($0) }
        .limited(toConcurrentGets: 1)
      let gets = (0..<20_000).map { cache.get($0) }
      first.continuation.succeed(0)
      return gets.filter { $0.outcome != nil }.count
    }
    XCTAssertEqual(answers, 20_000)
  }

  func testWaitingInACallbackDoesNotDelayTheNextGet() {
    let first = Later<Int>()
    let cache = Fetcher<Int, Int> { $0 == 0 ? first.promise : Promise($0) }
      .limited(toConcurrentGets: 1)
    let seen = Journal<Int>()
    let running = cache.get(0)
    let waiting = cache.get(1)
    let last = cache.get(2)
    waiting.onSuccess { _ in
      if let value = try? last.wait(for: .seconds(300)) { seen.note(value) }
    }
    first.continuation.succeed(0)
    XCTAssertEqual([running.answer, waiting.answer], ["0", "1"])
    XCTAssertEqual(seen.entries, [2])
  }

  func testThreadsNeverExceedTheLimitAndLoseNoPermit() {
    for cancels in [false, true] {
      let running = Lock((now: 0, most: 0))
      let cache = Fetcher<Int, Int> { key in
        Promise { continuation in
          running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
          DispatchQueue.global().async {
            running.withLock { $0.now -= 1 }
            continuation.succeed(key)
          }
        }
      }.limited(toConcurrentGets: 3)
      let gets = Lock<[Promise<Int>]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        for key in 0..<300 {
          let get = cache.get(key)
          if cancels, key % 3 == 0 { get.cancel() }
          gets.withLock { $0.append(get) }
        }
      }
      for get in gets.withLock({ $0 }) { _ = try? get.wait(for: .seconds(60)) }
      XCTAssertTrue(gets.withLock { $0.allSatisfy { $0.outcome != nil } })
      // A cancelled get returns its permit before its work has ended, so more than three loads can
      // run at the same time.
      if !cancels { XCTAssertLessThanOrEqual(running.withLock { $0.most }, 3) }
      XCTAssertEqual(try? cache.get(7).wait(for: .seconds(60)), 7)
    }
  }

  func testAGetThatFindsAFreePermitTakesOnlyThatPermit() {
    let limiter = ConcurrencyLimiter(1)
    for _ in 0..<2 {
      let get = limiter.wait({ .medium }, { Promise(7) }, refused: { CacheError.notFound })
      XCTAssertEqual(get.answer, "7")
    }
    XCTAssertEqual([limiter.take(), limiter.take()], [true, false])
  }

  func testAFetcherIsLimitedToo() {
    let fetcher = source.cache.fetcher.limited(toConcurrentGets: 1)
    _ = (fetcher.get(0), fetcher.get(1))
    XCTAssertEqual(source.events, ["get 0"])
    XCTAssertEqual(fetcher.plan.description, "cache.limited(toConcurrentGets: 1)")
  }
  func testUrgentGetsComeFirstAndGetsOfOnePriorityInTheirOrder() {
    let cache = source.cache.limited(toConcurrentGets: 1) { $0 < 3 ? .background : .high }
    let gets = (0..<6).map { cache.get($0) }
    gets[4].cancel()
    while source.settle(0) {}
    XCTAssertEqual(source.events, ["get 0", "get 3", "get 5", "get 1", "get 2"])
  }

  func testThePriorityOfTheTaskIsTheDefault() async throws {
    let cache = source.cache.limited(toConcurrentGets: 1)
    let first = cache.get(0)
    // Awaiting a task would raise its priority.
    func call(_ key: Int, _ priority: TaskPriority) async -> Promise<Int> {
      let get = Lock<Promise<Int>?>(nil)
      Task.detached(priority: priority) { get.withLock { $0 = cache.get(key) } }
      while true {
        if let get = get.withLock({ $0 }) { return get }
        await Task.yield()
      }
    }
    let late = await call(1, .background)
    let urgent = await call(2, .high)
    while source.settle(0) {}
    XCTAssertEqual(source.events, ["get 0", "get 2", "get 1"])
    XCTAssertEqual([first, late, urgent].map(\.answer), ["10", "11", "12"])
  }

  func testAGetOutsideATaskOvertakesThoseOfBackgroundTasks() async {
    let cache = source.cache.limited(toConcurrentGets: 1)
    _ = cache.get(0)
    _ = await withCheckedContinuation { end in
      Task.detached(priority: .background) { end.resume(returning: cache.get(1)) }
    }
    _ = await withCheckedContinuation { end in
      Thread.detachNewThread { end.resume(returning: cache.get(2)) }
    }
    while source.settle(0) {}
    XCTAssertEqual(source.events, ["get 0", "get 2", "get 1"])
  }

  /// A time limit around the limit can't lead to more loads than permits, although the loads ignore
  /// that they were cancelled.
  func testALoadThatIgnoresItsCancellationKeepsItsPermit() async throws {
    let (running, gates) = (Lock((now: 0, most: 0)), Lock<[CheckedContinuation<Void, Never>]>([]))
    let origin = Fetcher<Int, Int> { key async throws -> Int in
      running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      await withCheckedContinuation { gate in gates.withLock { $0.append(gate) } }
      running.withLock { $0.now -= 1 }
      return key
    }
    let cache = origin.limited(toConcurrentGets: 2)
    for key in 0..<12 {
      let get = cache.get(key)
      while key < 2, gates.withLock({ $0.count }) <= key { await Task.yield() }
      get.cancel()
    }
    let last = cache.get(100)
    while last.outcome == nil {
      for gate in gates.withLock({ gates in
        defer { gates = [] }
        return gates
      }) { gate.resume() }
      await Task.yield()
    }
    XCTAssertEqual(last.answer, "100")
    XCTAssertEqual(running.withLock { $0.most }, 2)
  }

  /// The tasks of a get belong to each limit above it.
  func testTwoLimitsCountTheSameTasks() async {
    let (begun, gate) = (Journal<Int>(), Later<Void>())
    let origin = Fetcher<Int, Int> { key async throws -> Int in
      await withCheckedContinuation { end in gate.promise.observed { _ in end.resume() } }
      return key
    }
    let counted = origin.transformingGet("counted") { get in
      { key in
        begun.note(key)
        return get(key)
      }
    }
    let cache = counted.limited(toConcurrentGets: 8).limited(toConcurrentGets: 1)
    cache.get(0).cancel()
    let last = cache.get(1)
    XCTAssertEqual(begun.entries, [0])
    gate.continuation.succeed(())
    _ = try? await last.value
    XCTAssertEqual(begun.entries, [0, 1])
  }

  func testGetsThatLeaveTheQueueLeaveNothingBehind() {
    let cache = source.cache.limited(toConcurrentGets: 1)
    let first = cache.get(0)
    for _ in 0..<10_000 { cache.get(1).cancel() }
    let last = cache.get(2)
    while source.settle(0) {}
    XCTAssertEqual([first.answer, last.answer], ["10", "12"])
    XCTAssertEqual(source.events, ["get 0", "get 2"])
  }
}
