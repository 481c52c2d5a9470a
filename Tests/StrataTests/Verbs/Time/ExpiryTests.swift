import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class ExpiryTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private let number = Lock(0)
  private let isDown = Lock(false)
  private lazy var stamped: Cache<Int, Stamped<Int>> = .memory(clock: time)
  private lazy var cache = stamped.refreshing(
    Freshness(for: .seconds(60), staleIfError: .seconds(600), pause: .zero), from: origin)

  private var origin: Cache<Int, Int> {
    Cache { [number, isDown] _ in
      isDown.withLock { $0 }
        ? Promise(error: CacheError.timedOut(after: .seconds(1)))
        : Promise(
          number.withLock { number in
            number += 1
            return number
          })
    }
  }

  func testAnExpiredValueIsLoadedAgain() async throws {
    XCTAssertEqual(cache.get(1).answer, "1")
    try await cache.expire(1)
    XCTAssertEqual(cache.get(1).answer, "2")
    XCTAssertEqual(cache.get(1).answer, "2")
  }

  func testAnExpiredValueIsAFallbackForItsWindow() {
    XCTAssertEqual(cache.get(1).answer, "1")
    isDown.withLock { $0 = true }
    _ = cache.operations.expire(1)
    XCTAssertEqual(cache.get(1).answer, "1")
    clock.advance(by: .seconds(599))
    XCTAssertEqual(cache.get(1).answer, "1")
    clock.advance(by: .seconds(1))
    XCTAssertTrue(cache.get(1).answer.contains("timed out"))
  }

  func testAllValuesExpire() async throws {
    XCTAssertEqual([1, 2].map { cache.get($0).answer }, ["1", "2"])
    try await cache.expireAll()
    isDown.withLock { $0 = true }
    XCTAssertEqual([1, 2].map { cache.get($0).answer }, ["1", "2"])
    isDown.withLock { $0 = false }
    XCTAssertEqual([1, 2].map { cache.get($0).answer }, ["3", "4"])
    XCTAssertEqual([1, 2].map { cache.get($0).answer }, ["3", "4"])
  }

  func testALoadThatBeganBeforeIsNotStored() {
    for key in [1, nil] {
      let loads = Lock<[Pending<Int>]>([])
      let cache = Cache<Int, Stamped<Int>>.memory(clock: time).refreshing(
        Freshness(for: .seconds(60)),
        from: Cache { _ in
          let load = Pending<Int>()
          loads.withLock { $0.append(load) }
          return load.promise
        })
      let old = cache.get(1)
      _ = cache.operations.expire(key)
      let new = cache.get(1)
      XCTAssertEqual(loads.withLock { $0.count }, 2)
      for (index, load) in loads.withLock({ $0 }).enumerated().reversed() {
        load.settle(.success(index))
      }
      XCTAssertEqual([old, new, cache.get(1)].map(\.answer), ["0", "1", "1"])
    }
  }

  func testAWriteDuringAnExpiryWins() {
    let level = ScriptedLevel(0, LevelScript(hasSlowGets: true))
    let stamped =
      level.cache
      <*> Codec<Int, Stamped<Int>>(
        decode: { [time] in Stamped($0, storedAt: time.now()) }, encode: { $0.value })
    let cache = stamped.clocked(by: time).refreshing(Freshness(for: .seconds(60)), from: origin)
    _ = cache.set(1, 5)
    let expiry = cache.operations.expire(1)
    _ = cache.set(1, 6)
    level.settle(0)
    XCTAssertNotNil(expiry.outcome)
    let get = cache.get(1)
    level.settle(0)
    XCTAssertEqual(get.answer, "6")
  }

  func testAnInfiniteLifetimeEnds() {
    let cache = stamped.refreshing(
      Freshness(for: .seconds(Int64.max), staleIfError: .seconds(60)), from: origin)
    XCTAssertEqual(cache.get(1).answer, "1")
    _ = cache.operations.expire(1)
    XCTAssertEqual(cache.get(1).answer, "2")
  }

  func testALifetimeThatALoaderChoseEnds() {
    let cache = stamped.refreshing(
      Freshness(for: .seconds(60), staleIfError: .seconds(60)),
      from: Loader { [number] _, _ in
        Promise(
          .fresh(
            number.withLock { number in
              number += 1
              return number
            }, for: .seconds(3_600)))
      })
    XCTAssertEqual(cache.get(1).answer, "1")
    _ = cache.operations.expire(1)
    XCTAssertEqual(cache.stored.get(1).answer, "1")
    XCTAssertEqual(cache.get(1).answer, "2")
  }

  func testLevelsWithoutStaleValuesRemoveThem() {
    let upper: Cache<Int, Int> = .memory()
    let whole = upper + (cache <*> .identity).named("refreshed").pooled()
    XCTAssertEqual(whole.get(1).answer, "1")
    isDown.withLock { $0 = true }
    _ = whole.operations.expire(1)
    XCTAssertEqual(upper.get(1).answer, "not found")
    XCTAssertEqual(whole.get(1).answer, "1")  // The fallback of the level below.
  }

  func testATagThatWasRemovedBeforeDoesNotKeepAValueFresh() {
    let (tagged, tags) = stamped.tagged { _, _ in ["all"] }
    let cache = tagged.refreshing(
      Freshness(for: .seconds(60), staleIfError: .seconds(60)), from: origin)
    _ = tags.mark(["all"], .remove)
    clock.advance(by: .seconds(1))
    XCTAssertEqual(cache.get(1).answer, "1")
    _ = cache.operations.expire(1)
    XCTAssertEqual(cache.get(1).answer, "2")
  }

  func testAnAbsentKeyStaysAbsent() {
    _ = cache.operations.expire(1)
    XCTAssertEqual(stamped.get(1).answer, "not found")
  }

  func testAnExpiryIsAnEventAndAWrite() {
    let (events, statistics) = (Journal<String>(), CacheStatistics())
    let pages = cache.named("pages").observed(by: statistics).observed(
      by: CacheObserver { event in
        if event.operation == .expire { events.note("\(event.stage) \(event.outcome)") }
      })
    _ = pages.operations.expire(1)
    _ = pages.operations.expire(nil)
    XCTAssertEqual(events.entries, ["pages success", "pages success"])
    XCTAssertEqual(statistics.snapshot["pages"]?.writes, 2)
  }

  /// A cache without stale values removes the value, and says so.
  func testAnExpiryOfOtherCachesIsARemoval() {
    let events = Journal<String>()
    let memory = Cache<Int, Int>.memory().named("memory").observed(
      by: CacheObserver { events.note($0.operation.rawValue) })
    _ = memory.operations.expire(1)
    _ = memory.operations.expire(nil)
    XCTAssertEqual(events.entries, ["remove", "clear"])
  }
}
