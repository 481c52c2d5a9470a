import StrataHTTP
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class ReadingTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private let calls = Lock(0)
  private let isDown = Lock(false)

  private var origin: Cache<Int, Int> {
    Cache { [calls, isDown] key in
      let number = calls.withLock { calls in
        calls += 1
        return calls
      }
      return isDown.withLock { $0 } ? Promise(error: Failure()) : Promise(100 * key + number)
    }
  }

  private struct Failure: Error {}

  func testStoredCallsNoOriginBehindAnyVerb() {
    let origins: [Cache<Int, Int>] = [
      origin, origin.pooled(), origin.limited(toConcurrentGets: 1), origin.retrying(3),
      origin.timingOut(after: .seconds(1)), origin.named("origin"),
      origin.breakingCircuit(after: .failures(1), retryAfter: .seconds(1)),
      origin.rememberingMisses(for: .seconds(60)), origin.recovering { _, _ in 7 },
      { $0 + 1 } <^> origin, origin <*> .identity, origin.fetcher,
      Cache(as: .origin, get: origin.get, set: { _, _ in Promise() }),
    ]
    for origin in origins {
      let sums = [
        Cache.dictionary() + origin, (.dictionary() + origin).pooled(),
        .memory() + (.dictionary() + origin).pooled().named("lower"),
        .switching(.dictionary() + origin, .empty) { _ in .first },
      ]
      for sum in sums {
        XCTAssertEqual(sum.stored.get(1).answer, "not found", "\(sum.plan)")
        XCTAssertEqual(sum.peeking.get(1).answer, "not found", "\(sum.plan)")
        XCTAssertEqual(sum.reloading.stored.get(1).answer, "not found", "\(sum.plan)")
        XCTAssertEqual(sum.stored.reloading.get(1).answer, "not found", "\(sum.plan)")
        _ = sum.set(1, 5)
        XCTAssertEqual(sum.stored.get(1).answer, "5", "\(sum.plan)")
        XCTAssertEqual(sum.peeking.get(1).answer, "5", "\(sum.plan)")
      }
    }
    XCTAssertEqual(calls.withLock { $0 }, 0)
  }

  func testReloadingCallsTheOriginBehindEachVerb() {
    let levels: [(Cache<Int, Int>) -> Cache<Int, Int>] = [
      { .dictionary() + $0 }, { .memory() + (.dictionary() + $0).pooled() },
      { (.dictionary() + $0.pooled()).rememberingMisses(for: .seconds(60)) },
      { (.memory() + .dictionary()).named("levels") + $0.named("origin") },
      { .dictionary() + ($0 + .dictionary()) }, { ({ -$0 } <^> (.dictionary() + $0)) },
      { (.memory() + $0).observed { _ in } }, { (.memory() + $0).limited(toConcurrentGets: 1) },
    ]
    for level in levels {
      let cache = level(origin)
      _ = cache.set(1, -1)
      let reloaded = cache.reloading.get(1).answer
      XCTAssertNotEqual(reloaded, "-1", "\(cache.plan)")
      XCTAssertEqual(cache.get(1).answer, reloaded, "\(cache.plan)")
      XCTAssertEqual(cache.stored.get(1).answer, reloaded, "\(cache.plan)")
    }
  }

  func testAReloadWithoutAnOriginMisses() {
    let cache: Cache<Int, Int> = .memory() + .dictionary().named("level")
    _ = cache.set(1, 5)
    XCTAssertEqual(cache.reloading.get(1).answer, "not found")
    _ = cache.reloading.set(1, 6)
    XCTAssertEqual(cache.get(1).answer, "6")
  }

  func testTheStoredValueAnswersAFailureAndNotAMiss() {
    let cache = .dictionary() + origin
    _ = cache.set(1, 5)
    isDown.withLock { $0 = true }
    XCTAssertEqual(cache.reloadingOrStored.get(1).answer, "5")
    XCTAssertTrue(cache.reloadingOrStored.get(2).answer.contains("Failure"))
    isDown.withLock { $0 = false }
    XCTAssertEqual(cache.reloadingOrStored.get(1).answer, "103")
    XCTAssertEqual(cache.stored.get(1).answer, "103")
  }

  func testModesOfARefreshedCache() {
    let stamped: Cache<Int, Stamped<Int>> = .memory(clock: time)
    let cache = stamped.refreshing(
      Freshness(for: .seconds(60), staleIfError: .seconds(60)), from: origin)
    XCTAssertEqual(cache.stored.get(1).answer, "not found")
    XCTAssertEqual(cache.get(1).answer, "101")
    XCTAssertEqual(cache.reloading.get(1).answer, "102")
    clock.advance(by: .seconds(90))
    XCTAssertEqual(cache.stored.get(1).answer, "102")
    XCTAssertEqual(cache.peeking.get(1).answer, "102")
    isDown.withLock { $0 = true }
    XCTAssertEqual(cache.reloadingOrStored.get(1).answer, "102")
    clock.advance(by: .seconds(31))
    XCTAssertEqual(cache.stored.get(1).answer, "not found")
    XCTAssertEqual(cache.stored.reloading.get(1).answer, "not found")
    XCTAssertEqual(calls.withLock { $0 }, 3)
  }

  func testALoaderSeesTheOldValueWhenItIsReloaded() {
    let stamped: Cache<Int, Stamped<Int>> = .memory(clock: time)
    let cache = stamped.refreshing(
      Freshness(for: .seconds(60)),
      from: Loader { _, old in Promise(.fresh((old?.value ?? 0) + 1)) })
    XCTAssertEqual(cache.get(1).answer, "1")
    XCTAssertEqual(cache.reloading.get(1).answer, "2")
    XCTAssertEqual(cache.get(1).answer, "2")
  }

  func testAnUpdatedCacheReloadsFromItsFetcher() {
    let cache = Cache.dictionary([1: 5]).updating(from: origin).cache
    XCTAssertEqual(cache.stored.get(1).answer, "5")
    XCTAssertEqual(cache.reloading.get(1).answer, "101")
    XCTAssertEqual(cache.get(1).answer, "101")
  }

  func testATaggedCacheReloads() {
    let (tagged, tags) = Cache<Int, Stamped<Int>>.memory(clock: time).tagged { key, _ in ["\(key)"]
    }
    let cache = tagged.expiring(after: .seconds(60)) + origin
    XCTAssertEqual(cache.get(1).answer, "101")
    _ = tags.mark(["1"], .remove)
    XCTAssertEqual(cache.stored.get(1).answer, "not found")
    XCTAssertEqual(cache.reloading.get(1).answer, "102")
    XCTAssertEqual(cache.peeking.get(1).answer, "102")
  }

  func testAReloadIgnoresRememberedMisses() {
    let isEmpty = Lock(true)
    let origin = Cache<Int, Int> { _ in isEmpty.withLock { $0 } ? .miss : Promise(3) }
    let cache = (.dictionary() + origin)
      .rememberingMisses(for: .seconds(60))
    XCTAssertEqual(cache.stored.get(1).answer, "not found")
    isEmpty.withLock { $0 = false }
    XCTAssertEqual(cache.get(1).answer, "3")  // `stored` has remembered nothing.
    _ = cache.remove(1)
    isEmpty.withLock { $0 = true }
    _ = cache.get(1)
    isEmpty.withLock { $0 = false }
    XCTAssertEqual(cache.get(1).answer, "not found")
    XCTAssertEqual(cache.reloading.get(1).answer, "3")
    XCTAssertEqual(cache.get(1).answer, "3")
  }

  func testModesShareStatistics() {
    let statistics = CacheStatistics()
    let cache = (.memory().named("memory") + origin.named("origin")).observed(by: statistics)
    _ = cache.get(1)
    _ = cache.stored.get(1)
    _ = cache.reloading.get(1)
    for _ in 0..<10 { _ = cache.peeking.get(1) }
    XCTAssertEqual(statistics.snapshot["memory"]?.hits, 1)
    XCTAssertEqual(statistics.snapshot["memory"]?.misses, 1)
    XCTAssertEqual(statistics.snapshot["origin"]?.hits, 2)
  }

  func testAPeekRenewsNoIdleTime() {
    let cache: Cache<Int, Int> = Cache<Int, Stamped<Int>>.memory(
      expiringAfterAccess: .seconds(60), clock: time
    )
    .expiring(after: .seconds(600))
    _ = cache.set(1, 5)
    clock.advance(by: .seconds(40))
    XCTAssertEqual(cache.peeking.get(1).answer, "5")
    clock.advance(by: .seconds(40))
    XCTAssertEqual(cache.peeking.get(1).answer, "not found")
    XCTAssertEqual(cache.get(1).answer, "not found")
  }

  func testTheMethodPeeks() async throws {
    let cache = Cache.dictionary([1: 5]) + origin
    let (found, absent) = (try await cache.peek(1), try await cache.peek(2))
    XCTAssertEqual(found, 5)
    XCTAssertNil(absent)
  }

  func testPlans() {
    let cache: Cache<Int, Int> = .dictionary() + Cache { _ in .miss }
    XCTAssertEqual("\(cache.stored.plan)", "(dictionary + fetcher).stored()")
    XCTAssertEqual("\(cache.stored.stored.plan)", "(dictionary + fetcher).stored()")
    XCTAssertEqual("\(cache.reloading.plan)", "(dictionary + fetcher).reloading()")
    XCTAssertEqual("\(cache.peeking.plan)", "(dictionary + fetcher).peeking()")
    XCTAssertEqual(
      "\(cache.reloadingOrStored.plan)", "(dictionary + fetcher).reloading(or: stored)")
  }

  func testAsynchronousLevelsAreReadInEachMode() async throws {
    let values = Lock<[Int: Int]>([1: 5])
    let level = Cache<Int, Int>(
      get: { key async throws in
        guard let value = values.withLock({ $0[key] }) else { throw CacheError.notFound }
        return value
      }, set: { key, value async throws in values.withLock { $0[key] = value } })
    let cache = .memory() + level + Fetcher { (key: Int) async throws in 10 * key }
    let peeked = try await cache.peek(1)
    let stored = try await cache.stored.value(for: 1)
    let reloaded = try await cache.reloading.value(for: 1)
    let (after, lower) = (try await cache.value(for: 1), try await level.value(for: 1))
    XCTAssertEqual([peeked, stored, reloaded, after, lower], [5, 5, 10, 10, 10])
  }

  func testAReloadDoesNotShowAValueFromBeforeAFailedWrite() {
    let (stored, isDown) = (Lock([1: 10]), Lock(false))
    let write = { @Sendable (value: Int?) -> Promise<Void> in
      if isDown.withLock({ $0 }) { return Promise(error: Broken.here) }
      stored.withLock { $0[1] = value }
      return Promise()
    }
    let remote = Cache<Int, Int>(
      keepsOrder: true,
      get: { key in Promise(stored.withLock { $0[key] }, or: CacheError.notFound) },
      set: { _, value in write(value) }, remove: { _ in write(nil) }
    ).filledByTicket(take: { _, _ in Promise("ticket") }, set: { _, value, _ in write(value) })
    let cache = .memory() + remote + Fetcher(offMainThread: false) { _ in 30 }
    isDown.withLock { $0 = true }
    XCTAssertEqual(cache.set(1, 20).answer, "Broken.here")
    isDown.withLock { $0 = false }
    XCTAssertEqual(cache.reloading.get(1).answer, "30")
    cache.memoryWarning()  // Memory forgets the key.
    XCTAssertEqual(cache.get(1).answer, "30")
  }
}
