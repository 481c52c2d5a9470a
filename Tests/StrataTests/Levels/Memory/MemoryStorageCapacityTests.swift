import Foundation
import XCTest

@testable import StrataCore

/// Tests storages whose sizes and number are both limited.
final class MemoryStorageCapacityTests: XCTestCase {
  private func fill(_ storage: MemoryStorage<Int, Data>, _ count: Int, bytes: Int) {
    for key in 0..<count { _ = Cache.memory(storage).set(key, Data(count: bytes)) }
  }

  func testANumberCountsValuesInTheDefaultStorageOfData() {
    let storage = MemoryStorage<Int, Data>()
    XCTAssertEqual([storage.capacity, storage.countCapacity], [64 << 20, 1_000])
    fill(storage, 1_500, bytes: 5)
    XCTAssertEqual(storage.count, 1_000)
    storage.setCapacity(2_000)
    XCTAssertEqual([storage.count, storage.countCapacity], [1_000, 2_000])
    fill(storage, 3_000, bytes: 5)
    XCTAssertEqual(storage.count, 2_000)
    storage.setCapacity(500)
    XCTAssertEqual([storage.count, storage.countCapacity], [500, 500])
    XCTAssertLessThanOrEqual(storage.cost, storage.capacity)
    storage.setCapacity(0)
    fill(storage, 10, bytes: 5)
    XCTAssertEqual([storage.count, storage.cost], [0, 0])
    storage.setCapacity(100)
    fill(storage, 200, bytes: 5)
    XCTAssertEqual(storage.count, 100)
  }

  func testTheLimitThatIsNotGivenStays() {
    let storage = MemoryStorage<Int, Data>(capacity: .bytes(1_000).and(count: 10))
    storage.setCapacity(.bytes(500))
    XCTAssertEqual([storage.capacity, storage.countCapacity], [500, 10])
    fill(storage, 20, bytes: 0)
    XCTAssertEqual(storage.count, 10)
    fill(storage, 20, bytes: 100)
    XCTAssertEqual(storage.count, 5)
    storage.setCapacity(3)
    XCTAssertEqual([storage.count, storage.countCapacity], [3, 3])
    storage.setCapacity(.bytes(2_000).and(count: 20))
    XCTAssertEqual([storage.count, storage.capacity, storage.countCapacity], [3, 2_000, 20])
    fill(storage, 40, bytes: 100)
    XCTAssertEqual([storage.count, storage.cost], [20, 2_000])
    fill(storage, 40, bytes: 200)
    XCTAssertEqual([storage.count, storage.cost], [10, 2_000])
  }

  func testAStorageInBytesCanLimitTheNumberLater() {
    let storage = MemoryStorage<Int, Data>(capacity: .bytes(1_000))
    fill(storage, 100, bytes: 1)
    XCTAssertEqual(storage.count, 100)
    storage.setCapacity(10)
    XCTAssertEqual(storage.count, 10)
    fill(storage, 100, bytes: 1)
    XCTAssertEqual(storage.count, 10)
    storage.setCapacity(cost: 200)
    XCTAssertEqual([storage.count, storage.capacity], [10, 200])
  }

  func testPinnedValuesStayPinnedWhenTheNumberIsLimited() {
    let storage = MemoryStorage<Int, Int>(costing: 1_000, pins: 2) { key, _ in key < 3 ? 0 : 5 }
    let level = Cache.memory(storage)
    for key in 0..<100 { _ = level.set(key, key) }
    storage.setCapacity(10)
    XCTAssertEqual([storage.count, storage.statistics.pinned], [12, 2])
    XCTAssertEqual(storage.update(0) { ($0 ?? 0) + 1 }, 1)
    for key in 0..<100 { _ = level.set(key, key) }
    XCTAssertEqual([storage.count, storage.statistics.pinned], [12, 2])
    XCTAssertEqual(storage.entries.filter { $0.cost > 0 }.count, 10)
  }

  func testTheCostOfAnEntryIsItsSize() {
    let storage = MemoryStorage<Int, Data>(capacity: .bytes(1_000_000).and(count: 10))
    fill(storage, 1, bytes: 10)
    XCTAssertEqual(storage.entries.map(\.cost), [10])
    XCTAssertEqual(storage.hottest(1).map(\.cost), [10])
    XCTAssertEqual(storage.cost, 100_000)
    _ = Cache.memory(storage).set(0, Data(count: 200_000))
    XCTAssertEqual(storage.entries.map(\.cost), [200_000])
  }

  func testTheGaugesShowBothLimits() {
    let storage = MemoryStorage<Int, Data>(capacity: .bytes(1_000_000).and(count: 10))
    fill(storage, 20, bytes: 10)
    let gauges = Cache.memory(storage).currentGauges
    XCTAssertEqual(gauges.map(\.name), ["values", "cost"])
    XCTAssertEqual(gauges.map(\.value), [10, 1_000_000])
    XCTAssertEqual(gauges.map(\.limit), [10, 1_000_000])
  }

  /// Three threads write while a fourth one changes the number.
  func testTheNumberChangesWhileOthersWrite() {
    let storage = MemoryStorage<Int, Data>(capacity: .bytes(100_000).and(count: 100))
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for step in 0..<(thread == 0 ? 30 : 3_000) {
        guard thread > 0 else {
          storage.setCapacity(.count([1_000, 10, 100][step % 3]))
          continue
        }
        let key = (step &* 7919 &+ thread) % 1_500
        _ = Cache.memory(storage).set(key, Data(count: key % 50))
        if step % 3 == 0 { storage.update(key) { _ in Data(count: 3) } }
      }
    }
    storage.setCapacity(50)
    XCTAssertLessThanOrEqual(storage.count, 50)
    XCTAssertLessThanOrEqual(storage.cost, storage.capacity)
    for key in storage.keys { _ = Cache.memory(storage).remove(key) }
    XCTAssertEqual([storage.count, storage.cost], [0, 0])
  }

  func testAnUpdateToNothingRemoves() {
    let (clock, time) = TimeSource.manual()
    let causes = Journal<EvictionCause>()
    let storage = MemoryStorage<Int, Stamped<Int>>(capacity: 10, clock: clock) { _, _, cause in
      causes.note(cause)
    }
    let value = Stamped(1, storedAt: clock.now(), lasting: .seconds(5))
    storage.update(1) { _ in value }
    storage.update(1) { _ in nil }
    storage.update(1) { _ in value }
    time.advance(by: .seconds(1))
    storage.update(1) { _ in Stamped(2, storedAt: clock.now(), lasting: .zero) }
    storage.update(1) { _ in Stamped(2, storedAt: clock.now(), lasting: .seconds(1)) }
    time.advance(by: .seconds(1))
    storage.update(1) { _ in nil }
    XCTAssertEqual(causes.entries, [.removed, .expired, .expired])
  }

  func testAClearDuringAChangeOfBothLimits() {
    let clear = Lock<(@Sendable () -> Void)?>(nil)
    let storage = MemoryStorage<Int, Data>(
      capacity: .bytes(1_000_000) { data in
        clear.withLock { $0.take() }?()
        return data.count
      }.and(count: 1_000))
    let level = Cache.memory(storage)
    for key in 0..<100 { _ = level.set(key, Data(count: 10)) }
    clear.withLock { $0 = { _ = level.clear() } }
    storage.setCapacity(500)
    XCTAssertEqual(storage.count, 0)
  }

  func testAnUnlimitedSizeWithASmallerNumber() {
    let evicted = Lock<[Int]>([])
    let storage = MemoryStorage<Int, Int>(capacity: .cost(.max) { _ in 1 }.and(count: 10)) {
      key, _, _ in evicted.withLock { $0.append(key) }
    }
    let level = Cache.memory(storage)
    for key in 0..<10 { _ = level.set(key, key) }
    storage.setCapacity(5)
    XCTAssertEqual(storage.count, 5)
    XCTAssertEqual(Set(evicted.withLock { $0 }).count, 5)
  }
}
