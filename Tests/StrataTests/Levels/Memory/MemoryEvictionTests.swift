import XCTest

@testable import Strata

/// Tests that the level reports evicted entries, with the cause of the eviction, after releasing
/// its locks.
final class MemoryEvictionTests: XCTestCase {
  private typealias Seen = Lock<[String]>

  private func level(
    capacity: Int, cost: Cost<Int>? = nil, onMemoryWarning: MemoryWarningResponse = .clear,
    _ seen: Lock<[String]>
  ) -> Cache<String, Int> {
    .memory(capacity: capacity, cost: cost, onMemoryWarning: onMemoryWarning) { key, value, cause in
      seen.withLock { $0.append("\(key) \(value) \(cause)") }
    }
  }

  func testEachCauseIsReported() {
    let seen = Seen([])
    let cache = level(capacity: 1, seen)
    cache.set(1, for: "a")
    cache.set(2, for: "a")
    cache.set(3, for: "b")
    cache.removeValue(for: "b")
    cache.removeValue(for: "b")
    cache.set(4, for: "c")
    cache.removeAll()
    cache.set(5, for: "d")
    cache.memoryWarning()
    XCTAssertEqual(
      seen.withLock { $0 },
      ["a 1 replaced", "a 2 capacity", "b 3 removed", "c 4 cleared", "d 5 memoryWarning"])
  }

  func testATrimReportsItsEvictions() {
    let seen = Seen([])
    let cache = level(capacity: 200, onMemoryWarning: .trim(to: 0.25), seen)
    for key in 0..<200 { cache.set(key, for: "\(key)") }
    cache.memoryWarning()
    let told = seen.withLock { $0 }
    XCTAssertEqual(told.count, 150)
    XCTAssertTrue(told.allSatisfy { $0.hasSuffix("memoryWarning") })
    XCTAssertEqual(
      (0..<200).filter { (key: Int) in cache.get("\(key)").outcome?.value != nil }.count, 50)
  }

  func testAValueOverTheCapacityEvictsNothingAndRemovesTheOlderValue() {
    let seen = Seen([])
    let cache = level(capacity: 10, cost: Cost { $0 }, seen)
    cache.set(5, for: "a")
    cache.set(5, for: "b")
    cache.set(11, for: "a")
    cache.set(12, for: "c")
    XCTAssertEqual(seen.withLock { $0 }, ["a 5 replaced"])
    XCTAssertEqual(cache.get("b").outcome?.value, 5)
    XCTAssertNil(cache.get("a").outcome?.value)
  }

  func testAGrowingEntryEvictsOtherEntries() {
    let store = MemoryStore<Int, Int>(capacity: 100, cost: { $0 }, seed: 1)
    for key in 0..<10 { store.set(10, for: key) }
    for cost in stride(from: 10, through: 100, by: 10) {
      store.set(cost, for: 3)
      XCTAssertLessThanOrEqual(store.total, 100)
      XCTAssertEqual(store.value(for: 3), cost)
    }
    XCTAssertEqual(store.total, 100)
  }

  func testManyCheapValuesAreEvictedForACostlyOne() {
    let store = MemoryStore<Int, Int>(capacity: 1000, cost: { $0 }, seed: 1)
    for key in 0..<1000 { store.set(1, for: key) }
    store.set(900, for: -1)
    XCTAssertEqual(store.value(for: -1), 900)
    XCTAssertEqual(store.total, 1000)
  }

  func testReleasingALevelReleasesItsValues() {
    final class Value: Sendable {}
    weak var last: Value?
    do {
      let cache: Cache<Int, Value> = .memory(capacity: 10)
      for key in 0..<100 {
        let value = Value()
        cache.set(value, for: key)
        last = value
      }
      XCTAssertNotNil(last)
    }
    XCTAssertNil(last)
  }
}
