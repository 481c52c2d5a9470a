import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class CacheStatisticsTests: XCTestCase {
  private let statistics = CacheStatistics()
  private let (time, clock) = TimeSource.manual()

  func testHitsMissesBackFillsAndLoadsAreCountedByStage() throws {
    let memory = Cache<Int, Data>.memory().named("memory")
    let network = Fetcher<Int, Data>(offMainThread: false) { key in
      guard key < 5 else { throw CacheError.notFound }
      guard key < 4 else { throw CacheError.timedOut() }
      return Data(count: 100)
    }.named("network")
    let cache = (memory + network).named("all").observed(by: statistics.observer)
    for key in [1, 1, 1, 2, 4, 5] { _ = cache.get(key) }
    let seen = statistics.snapshot
    let all = try XCTUnwrap(seen["all"])
    XCTAssertEqual(
      [all.hits, all.misses, all.failures, all.backFills, all.loads], [4, 1, 1, 2, 0])
    XCTAssertEqual([all.bytesRead, all.bytesWritten], [400, 200])
    XCTAssertEqual(all.hitRatio, 0.8)
    XCTAssertEqual(all.latency.count, 6)
    let upper = try XCTUnwrap(seen["memory"])
    XCTAssertEqual([upper.hits, upper.misses, upper.writes, upper.loads], [2, 4, 2, 0])
    let lower = try XCTUnwrap(seen["network"])
    XCTAssertEqual([lower.hits, lower.misses, lower.failures, lower.loads], [2, 1, 1, 4])
  }

  func testWritesWarningsAndEvictionsAreCountedWithTheirCause() throws {
    let cache = Cache<Int, String>.memory(capacity: 2).named("memory")
      .observed(by: statistics.observer)
    for key in 0..<5 { _ = cache.set(key, "é") }
    _ = cache.remove(4)
    cache.memoryWarning()
    _ = cache.clear()
    let stage = try XCTUnwrap(statistics.snapshot["memory"])
    XCTAssertEqual([stage.writes, stage.warnings, stage.bytesWritten], [7, 1, 10])
    let evicted = stage.evictions
    XCTAssertEqual(evicted[.capacity], 3)
    XCTAssertEqual(evicted.values.reduce(0, +), 4 + (evicted[.memoryWarning] ?? 0) - 1)
  }

  func testAWriteThatAFetcherForgetsIsNoWrite() throws {
    let memory = Cache<Int, Data>.memory()
    let fetcher = Fetcher<Int, Data>(offMainThread: false) { _ in Data(count: 100) }
    let cache = (memory.named("memory") + fetcher.named("network") + memory.fetcher.named("lent"))
      .observed(by: statistics.observer)
    _ = cache.set(1, Data(count: 10))
    _ = cache.remove(1)
    _ = cache.clear()
    let seen = statistics.snapshot
    XCTAssertEqual(seen["memory"]?.writes, 3)
    for stage in seen.stages.filter({ ["network", "lent"].contains($0.name) }) {
      XCTAssertEqual([stage.writes, stage.bytesWritten], [0, 0], stage.name)
    }
  }

  func testAValueThatExpiredIsCountedAsSuch() throws {
    let level: Cache<Int, Stamped<Int>> = .memory(clock: time)
    let cache = level.named("memory").observed(by: statistics.observer)
    let now = time.now()
    for life in [10, 0] {
      _ = cache.set(1, Stamped(1, storedAt: now, expiresAt: now.advanced(by: .seconds(life))))
    }
    XCTAssertEqual(statistics.snapshot["memory"]?.evictions, [.expired: 1])
  }

  func testARefreshWritesOnceAndAMissOfItIsNoFailure() throws {
    let origin = Lock<Data?>(Data(count: 100))
    let cache = Cache<Int, Stamped<Data>>.memory(clock: time).refreshing(
      Freshness(for: .seconds(1), staleWhileRevalidate: .seconds(100)),
      from: Fetcher(offMainThread: false) { _ in
        guard let data = origin.withLock({ $0 }) else { throw CacheError.notFound }
        return data
      }
    ).named("pages").observed(by: statistics.observer)
    _ = cache.get(1)
    clock.advance(by: .seconds(2))
    _ = cache.get(1)
    let pages = try XCTUnwrap(statistics.snapshot["pages"])
    XCTAssertEqual([pages.refreshes, pages.bytesWritten, pages.failures], [2, 200, 0])
    origin.withLock { $0 = nil }
    clock.advance(by: .seconds(2))
    _ = cache.get(1)
    let later = try XCTUnwrap(statistics.snapshot["pages"])
    XCTAssertEqual([later.refreshes, later.bytesWritten, later.failures], [3, 200, 0])
  }

  func testCancellationsAreNeitherHitsNorInTheHistogram() throws {
    let level = ScriptedLevel(0, LevelScript(hasSlowGets: true))
    let cache = level.cache.named("level").observed(by: statistics.observer)
    cache.get(1).cancel()
    let stage = try XCTUnwrap(statistics.snapshot["level"])
    XCTAssertEqual(
      [stage.cancellations, stage.hits, stage.misses, stage.latency.count], [1, 0, 0, 0])
    XCTAssertNil(stage.hitRatio)
  }

  func testLatenciesComeFromTheTimeSource() throws {
    let level = ScriptedLevel(0, LevelScript(contents: [1: 1], hasSlowGets: true))
    let cache = level.cache.named("level").observed(by: statistics.observer, clock: time)
    _ = cache.get(1)
    clock.advance(by: .milliseconds(3))
    level.settle(0)
    let bound = try XCTUnwrap(statistics.snapshot["level"]?.latency.quantile(0.5))
    XCTAssertTrue(Duration.milliseconds(3)...Duration.milliseconds(6) ~= bound)
  }

  func testASnapshotIsAValueAndAResetStartsAgain() {
    let cache = Cache<Int, Int>.dictionary([1: 1]).named("a").observed(by: statistics.observer)
    _ = cache.get(1)
    let before = statistics.snapshot
    _ = cache.get(1)
    XCTAssertEqual([before["a"]?.hits, statistics.snapshot["a"]?.hits], [1, 2])
    XCTAssertNotEqual(before, statistics.snapshot)
    statistics.reset()
    XCTAssertNil(statistics.snapshot["a"])
    for hits in [1_000, 10] {
      for _ in 0..<hits { _ = cache.get(1) }
      XCTAssertEqual(statistics.snapshot["a"]?.hits, hits)
      statistics.reset()
    }
  }

  func testManyThreadsAreCountedExactly() {
    let cache = Cache<Int, Int>.dictionary([1: 1]).named("a").observed(by: statistics.observer)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<500 { _ = cache.get(1) }
    }
    XCTAssertEqual(statistics.snapshot["a"]?.hits, 2000)
  }

  func testHitsAreCountedExactlyAndMeasuredOneOf64() throws {
    let cache = Cache<Int, Data>.dictionary([1: Data(count: 10)]).named("a")
      .observed(by: statistics.observer, clock: time)
    for _ in 0..<64_000 { _ = cache.get(1) }
    let stage = try XCTUnwrap(statistics.snapshot["a"])
    XCTAssertEqual([stage.hits, stage.bytesRead], [64_000, 640_000])
    XCTAssertEqual(Double(stage.latency.count), 64_000, accuracy: 2_000)
  }

  func testMissesAreSampledLikeHits() throws {
    let reads = Lock(0)
    let time = TimeSource(
      now: {
        reads.withLock { $0 += 1 }
        return TimeSource.Instant(milliseconds: 1)
      }, after: TimeSource.system.after)
    let cache = Cache<Int, Int>.dictionary().named("a")
      .observed(by: statistics.observer, clock: time)
    for _ in 0..<64_000 { _ = cache.get(1) }
    let stage = try XCTUnwrap(statistics.snapshot["a"])
    XCTAssertEqual([stage.hits, stage.misses], [0, 64_000])
    XCTAssertEqual(Double(stage.latency.count), 64_000, accuracy: 2_000)
    XCTAssertLessThan(reads.withLock { $0 }, 3_000)
  }

  func testEachLaterAnswerIsMeasured() throws {
    let level = ScriptedLevel(0, LevelScript(contents: [1: 1], hasSlowGets: true))
    let cache = level.cache.named("level").observed(by: statistics.observer, clock: time)
    for _ in 0..<500 { _ = cache.get(1) }
    XCTAssertNil(statistics.snapshot["level"])
    clock.advance(by: .seconds(1))
    level.settle(0)
    XCTAssertEqual(statistics.snapshot["level"]?.inFlight, 499)
    while level.settle(0) {}
    let stage = try XCTUnwrap(statistics.snapshot["level"])
    XCTAssertEqual([stage.hits, stage.latency.count, stage.inFlight], [500, 500, 0])
    XCTAssertGreaterThan(try XCTUnwrap(stage.latency.quantile(0)), .milliseconds(500))
  }

  func testStagesAreInTheOrderOfTheirFirstEvents() {
    let cache = (Cache<Int, Int>.dictionary().named("b") + Cache.dictionary([1: 1]).named("a"))
      .named("all").observed(by: statistics.observer)
    XCTAssertEqual(statistics.snapshot.stages, [])
    _ = cache.get(1)
    XCTAssertEqual(statistics.snapshot.stages.map(\.name), ["b", "a", "all"])
    statistics.reset()
    XCTAssertEqual(statistics.snapshot.stages, [])
    _ = cache.get(1)
    XCTAssertEqual(statistics.snapshot.stages.map(\.name), ["b", "all"])
    XCTAssertEqual(statistics.snapshot.stages.map(\.hits), [1, 1])
  }

  func testAGetThatAConditionRejectedIsNeitherAHitNorAMiss() throws {
    let cache = Cache<Int, Int>.memory().conditioned { $0 < 10 }.named("memory")
      .observed(by: statistics.observer)
    _ = cache.set(1, 1)
    for key in [1, 2, 10, 11, 12] { _ = cache.get(key) }
    let stage = try XCTUnwrap(statistics.snapshot["memory"])
    XCTAssertEqual([stage.hits, stage.misses, stage.skips, stage.failures], [1, 1, 3, 0])
    XCTAssertEqual(stage.hitRatio, 0.5)
  }

  func testStagesBeyondTheLimitAreCountedTogether() {
    let statistics = CacheStatistics(maximumStages: 4)  // Each cache has a name and a plan.
    for user in 0..<1_000 {
      let cache = Cache<Int, Int>.memory().named("user \(user)").observed(by: statistics.observer)
      _ = cache.get(0)
    }
    let snapshot = statistics.snapshot
    XCTAssertEqual(snapshot.stages.map(\.name), ["user 0", "user 1", CacheStatistics.otherStages])
    XCTAssertEqual(snapshot.stages.map(\.misses), [1, 1, 998])
    statistics.reset()
    XCTAssertEqual(statistics.snapshot.stages, [])
  }

  func testHugeSizesInEventsDoNotTrap() {
    for operation in [CacheEvent.Operation.get, .set, .eviction] {
      for bytes in [Int.max, .max, .min] {
        statistics.observer.receive(
          CacheEvent(
            stage: "a", operation: operation, key: 1, outcome: .success,
            duration: .seconds(Int64.max) * 10, bytes: bytes))
      }
    }
    XCTAssertEqual(statistics.snapshot["a"]?.bytesRead, .max)
  }
}
