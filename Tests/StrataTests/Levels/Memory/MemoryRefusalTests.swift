import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests that the process continues if the system refuses memory for a table, and that the level
/// then stores fewer values than its capacity allows.
final class MemoryRefusalTests: XCTestCase {
  /// A key type with a custom `==`, which makes the level take its slow path.
  private struct OwnKey: Hashable, Sendable {
    let number: Int

    static func == (left: OwnKey, right: OwnKey) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  override func tearDown() { ZeroedMemory.largest.store(.max, ordering: .relaxed) }

  private func grant(atMost bytes: Int) {
    ZeroedMemory.largest.store(bytes, ordering: .relaxed)
  }

  /// Stores values in a level, and returns the number of these values that the level still has
  /// afterwards.
  private func fill<Key>(
    _ cache: Cache<Key, Int>, _ keys: Range<Int>, _ key: (Int) -> Key
  ) -> Int {
    for number in keys {
      XCTAssertNotNil(cache.set(key(number), number).outcome?.value)
      if number % 7 == 0 { _ = cache.remove(key(number / 2)) }
    }
    return keys.filter { number in
      let found = cache.get(key(number)).outcome?.value
      if let found { XCTAssertEqual(found, number) }
      return found != nil
    }.count
  }

  private func check<Key>(_ make: () -> Cache<Key, Int>, _ key: (Int) -> Key) {
    for bytes in [200, 1 << 10, 10_000, 100_000] {
      grant(atMost: bytes)
      let cache = make()
      let held = fill(cache, 0..<10_000, key)
      XCTAssertLessThan(held, 10_000)
      if bytes >= 10_000 { XCTAssertGreaterThan(held, 30) }
      XCTAssertNotNil(cache.clear().outcome?.value)
      XCTAssertEqual((0..<10_000).filter { cache.get(key($0)).outcome?.value != nil }, [])
      _ = fill(cache, 0..<1_000, key)
      // From here on, the system grants memory again.
      grant(atMost: .max)
      XCTAssertGreaterThan(fill(cache, 20_000..<30_000, key), 5_000)
    }
  }

  func testALevelHoldsLessWhileMemoryIsRefused() {
    check({ .memory(capacity: 20_000) }, { $0 })
    check({ .memory(capacity: 20_000) }, { "\($0)" })
    check({ .memory(capacity: 20_000) }, OwnKey.init)
    check({ .memory(capacity: .cost(40_000) { 1 + $0 % 2 }) }, { $0 })
    check({ .memory(capacity: .cost(40_000) { 1 + $0 % 2 }) }, OwnKey.init)
  }

  func testStampedValuesExpireWhileMemoryIsRefused() {
    let (time, clock) = TimeSource.manual()
    for bytes in [200, 5_000, 20_000] {
      grant(atMost: bytes)
      let level: Cache<Int, Stamped<Int>> = .memory(capacity: 5_000, clock: time)
      let cache = level.expiring(after: .seconds(10))
      for key in 0..<5_000 { _ = cache.set(key, key) }
      let held = (0..<5_000).filter { cache.get($0).outcome?.value == $0 }
      XCTAssertLessThan(held.count, 5_000)
      clock.advance(by: .seconds(11))
      XCTAssertEqual((0..<5_000).filter { cache.get($0).outcome?.value != nil }, [])
    }
  }

  func testEvictionsAreReportedOnceWhileMemoryIsRefused() {
    let evicted = Journal<Int>()
    grant(atMost: 10_000)
    let cache: Cache<Int, Int> = .memory(
      capacity: 10_000, onEviction: { key, _, _ in evicted.note(key) })
    for key in 0..<5_000 { _ = cache.set(key, key) }
    let held = (0..<5_000).filter { cache.get($0).outcome?.value != nil }
    XCTAssertEqual(Set(evicted.entries).count, evicted.count)
    XCTAssertTrue(Set(evicted.entries).isDisjoint(with: held))
    XCTAssertLessThanOrEqual(held.count + evicted.count, 5_000)
  }

  func testAnEmptyLevelWithoutMemoryStoresNothingAndContinuesLater() {
    grant(atMost: 200)
    let store = MemoryStore<Int, Int>(capacity: 10, cost: nil, seed: 1)
    store.set(1, for: 1)
    XCTAssertNil(store.value(for: 1))
    XCTAssertNotNil(store.policy.tryLock(), "The set should release its locks.")
    store.policy.unlock()
    grant(atMost: .max)
    store.set(2, for: 1)
    XCTAssertEqual(store.value(for: 1), 2)
    XCTAssertEqual(store.total, 1)
  }
}
