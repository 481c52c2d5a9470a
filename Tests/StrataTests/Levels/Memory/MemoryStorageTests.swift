import Foundation
import XCTest

@testable import StrataCore

/// Tests the handle of the memory level.
final class MemoryStorageTests: XCTestCase {
  func testStatisticsCountTheGetsAndTheEvictions() {
    let storage = MemoryStorage<Int, Int>(capacity: 2)
    let level = Cache.memory(storage)
    for key in 0..<3 { _ = level.set(key, key) }
    for key in 0..<3 { _ = level.get(key) }
    let statistics = storage.statistics
    XCTAssertEqual(
      [statistics.count, statistics.cost, statistics.capacity, statistics.hits, statistics.misses],
      [2, 2, 2, 2, 1])
    XCTAssertEqual(statistics.evictions, 1)
    XCTAssertEqual(statistics.hitRatio, 2 / 3, accuracy: 0.001)
    XCTAssertGreaterThan(statistics.overhead, 4_096)
    XCTAssertEqual(level.plan.description, "memory(2)")
  }

  func testGetsOfAKeyWithItsOwnEqualityAreCounted() {
    let storage = MemoryStorage<OwnKey, Int>(capacity: 2)
    let level = Cache.memory(storage)
    _ = level.set(OwnKey(0), 0)
    _ = level.get(OwnKey(0))
    _ = level.get(OwnKey(1))
    XCTAssertEqual([storage.statistics.hits, storage.statistics.misses], [1, 1])
    XCTAssertEqual(storage.update(OwnKey(0)) { ($0 ?? 0) + 1 }, 1)
    XCTAssertEqual(storage.peek(OwnKey(0)), 1)
    XCTAssertEqual(storage.setIfAbsent(5, for: OwnKey(0)), 1)
    XCTAssertEqual(storage.update(OwnKey(0)) { _ in nil }, nil)
    XCTAssertEqual(storage.count, 0)
  }

  func testGrowingKeepsAllValuesAndShrinkingKeepsThoseThatAreRead() {
    let evicted = Journal<Int>()
    let storage = MemoryStorage<Int, Int>(capacity: 100) { key, _, _ in evicted.note(key) }
    let level = Cache.memory(storage)
    for key in 0..<100 { _ = level.set(key, key) }
    for _ in 0..<5 { for key in 0..<10 { _ = level.get(key) } }
    storage.setCapacity(100_000)
    XCTAssertEqual(storage.count, 100)
    for key in 100..<50_000 { _ = level.set(key, key) }
    XCTAssertEqual(storage.count, 50_000)
    storage.setCapacity(1_000)
    XCTAssertEqual(
      [storage.count, storage.capacity, storage.countCapacity], [1_000, 1_000, 1_000])
    XCTAssertEqual(evicted.entries.count, 49_000)
    XCTAssertEqual(Set(storage.keys).count, 1_000)
    storage.setCapacity(0)
    _ = level.set(1, 1)
    XCTAssertEqual(storage.count, 0)
  }

  func testPinnedValuesStayUntilTooManyArePinned() {
    let storage = MemoryStorage<Int, Int>(costing: 10, pins: 3) { key, _ in key < 5 ? 0 : 1 }
    let level = Cache.memory(storage)
    for key in 0..<1_000 { _ = level.set(key, key) }
    XCTAssertEqual([storage.statistics.pinned, storage.count, storage.cost], [3, 13, 10])
    for key in 0..<3 { XCTAssertEqual(level.get(key).outcome?.value, key) }
    XCTAssertEqual(storage.hottest(3).map(\.cost), [0, 0, 0])
    XCTAssertEqual(storage.coldest(10).filter { $0.cost == 0 }.count, 0)
    _ = level.remove(0)
    _ = level.set(4, 4)
    XCTAssertEqual(storage.statistics.pinned, 3)
    storage.setCapacity(cost: 1)
    XCTAssertEqual([storage.count, storage.cost], [4, 1])
    _ = level.clear()
    XCTAssertEqual([storage.count, storage.statistics.pinned], [0, 0])
  }

  func testACostThatDependsOnTheValueMovesAnEntryBetweenPinnedAndOrdinary() {
    let storage = MemoryStorage<String, Int>(costing: 10) { _, value in value }
    let level = Cache.memory(storage)
    for value in [0, 3, 0, -5, 11, 10] { _ = level.set("a", value) }
    XCTAssertEqual([storage.cost, storage.statistics.pinned, storage.count], [10, 0, 1])
    _ = level.set("a", 11)
    XCTAssertEqual(storage.count, 0)
  }

  func testEntriesShowStampsAndTheHottestComesFirst() {
    let (clock, time) = TimeSource.manual()
    let storage = MemoryStorage<Int, Stamped<Int>>(capacity: 100, clock: clock)
    let level = Cache.memory(storage)
    let start = clock.now()
    for key in 0..<20 {
      _ = level.set(key, Stamped(key, storedAt: clock.now(), lasting: .seconds(60)))
    }
    for _ in 0..<3 { _ = level.get(7) }
    XCTAssertEqual(storage.hottest(1).map(\.key), [7])
    XCTAssertFalse(storage.coldest(19).contains { $0.key == 7 })
    XCTAssertEqual(storage.hottest(0).count, 0)
    XCTAssertEqual(storage.hottest(.max).count, 20)
    XCTAssertEqual(storage.entries.first?.storedAt, start)
    XCTAssertEqual(storage.entries.first?.expiresAt, start.advanced(by: .seconds(60)))
    time.advance(by: .seconds(61))
    _ = level.set(100, Stamped(1, storedAt: clock.now()))
    XCTAssertEqual(storage.statistics.evictions, 16)
  }

  /// An update runs its closure without a lock, so the closure may use the level.
  func testAnUpdateRunsAgainIfTheValueChangesInTheMeantime() {
    let storage = MemoryStorage<String, String>()
    let level = Cache.memory(storage)
    var seen: [String?] = []
    storage.update("k") { old in
      seen.append(old)
      if seen.count == 1 { _ = level.set("k", "other") }
      return (old ?? "") + "!"
    }
    XCTAssertEqual(seen, [nil, "other"])
    XCTAssertEqual(storage.peek("k"), "other!")
  }

  func testConcurrentUpdatesLoseNothing() {
    let storage = MemoryStorage<Int, Int>(capacity: 10_000)  // Nothing is evicted.
    let level = Cache.memory(storage)
    let first = Lock(0)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for count in 0..<2_000 {
        storage.update(0) { ($0 ?? 0) + 1 }
        if storage.setIfAbsent(thread, for: 1 + count) == nil { first.withLock { $0 += 1 } }
        _ = level.get(0)
      }
    }
    XCTAssertEqual(storage.peek(0), 8_000)
    XCTAssertEqual(first.withLock { $0 }, 2_000)
  }

  /// Four threads read and write while a fifth one resizes, lists, and updates.
  func testALevelIsResizedAndListedWhileOthersUseIt() {
    let storage = MemoryStorage<Int, Int>(capacity: .cost(50_000) { 1 + $0 % 7 })
    let level = Cache.memory(storage)
    let wrong = Lock(0)
    DispatchQueue.concurrentPerform(iterations: 5) { thread in
      var random = SystemRandomNumberGenerator()
      for step in 0..<(thread == 4 ? 20 : 20_000) {
        if thread == 4 {
          storage.setCapacity(cost: step.isMultiple(of: 2) ? 500 : 50_000)
          let keys = storage.keys
          if Set(keys).count > keys.count { wrong.withLock { $0 += 1 } }
          _ = storage.hottest(10)
        } else {
          let key = Int.random(in: 0..<20_000, using: &random)
          if let value = level.get(key).outcome?.value, value != key {
            wrong.withLock { $0 += 1 }
          }
          _ = level.set(key, key)
        }
      }
    }
    storage.setCapacity(cost: 1_000)
    XCTAssertEqual(wrong.withLock { $0 }, 0)
    XCTAssertLessThanOrEqual(storage.cost, 1_000)
    let statistics = storage.statistics
    XCTAssertEqual(statistics.count, storage.keys.count)
    XCTAssertEqual(statistics.cost, storage.entries.reduce(0) { $0 + $1.cost })
  }

  func testAValueAfterItsDeadlineIsAbsentForAnUpdate() {
    let (clock, time) = TimeSource.manual()
    func value(_ number: Int) -> Stamped<Int> {
      Stamped(number, storedAt: clock.now(), lasting: .seconds(60))
    }
    let storage = MemoryStorage<Int, Stamped<Int>>(capacity: 10, clock: clock)
    XCTAssertNil(storage.setIfAbsent(value(1), for: 0))
    time.advance(by: .seconds(59))
    XCTAssertEqual(storage.setIfAbsent(value(2), for: 0)?.value, 1)
    time.advance(by: .seconds(1))
    XCTAssertNil(storage.setIfAbsent(value(3), for: 0))
    XCTAssertEqual(storage.peek(0)?.value, 3)
    time.advance(by: .seconds(60))
    storage.update(0) { old in
      XCTAssertNil(old)
      return value(4)
    }
    XCTAssertEqual(storage.peek(0)?.value, 4)
    time.advance(by: .seconds(60))
    XCTAssertNil(storage.update(0) { $0 })
    XCTAssertNil(storage.peek(0))
  }
}

/// A key with its own equality.
private struct OwnKey: Hashable, Sendable {
  let number: Int

  init(_ number: Int) { self.number = number }
}
