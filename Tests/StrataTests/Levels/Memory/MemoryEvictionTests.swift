import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests that the level reports evicted entries, with the cause of the eviction, after releasing
/// its locks.
final class MemoryEvictionTests: XCTestCase {
  private typealias Seen = Lock<[String]>

  private func level(
    capacity: MemoryCapacity<Int>, onMemoryWarning: MemoryWarningResponse = .clear,
    _ seen: Lock<[String]>
  ) -> Cache<String, Int> {
    .memory(capacity: capacity, onMemoryWarning: onMemoryWarning) { key, value, cause in
      seen.withLock { $0.append("\(key) \(value) \(cause)") }
    }
  }

  func testEachCauseIsReported() {
    let seen = Seen([])
    let cache = level(capacity: 1, seen)
    _ = cache.set("a", 1)
    _ = cache.set("a", 2)
    _ = cache.set("b", 3)
    _ = cache.remove("b")
    _ = cache.remove("b")
    _ = cache.set("c", 4)
    _ = cache.clear()
    _ = cache.set("d", 5)
    cache.memoryWarning()
    XCTAssertEqual(
      seen.withLock { $0 },
      ["a 1 replaced", "a 2 capacity", "b 3 removed", "c 4 cleared", "d 5 memoryWarning"])
  }

  func testATrimReportsItsEvictions() {
    let seen = Seen([])
    let cache = level(capacity: 200, onMemoryWarning: .trim(to: 0.25), seen)
    for key in 0..<200 { _ = cache.set("\(key)", key) }
    cache.memoryWarning()
    let told = seen.withLock { $0 }
    XCTAssertEqual(told.count, 150)
    XCTAssertTrue(told.allSatisfy { $0.hasSuffix("memoryWarning") })
    XCTAssertEqual(
      (0..<200).filter { (key: Int) in cache.get("\(key)").outcome?.value != nil }.count, 50)
  }

  func testAValueOverTheCapacityEvictsNothingAndRemovesTheOlderValue() {
    let seen = Seen([])
    let cache = level(capacity: .cost(10) { $0 }, seen)
    _ = cache.set("a", 5)
    _ = cache.set("b", 5)
    _ = cache.set("a", 11)
    _ = cache.set("c", 12)
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
        _ = cache.set(key, value)
        last = value
      }
      XCTAssertNotNil(last)
    }
    XCTAssertNil(last)
  }

  func testAReplacementOfAnotherCostIsReported() {
    let seen = Seen([])
    let cache = level(capacity: .cost(10) { $0 }, seen)
    for value in [2, 3, 3, 1] { _ = cache.set("a", value) }
    XCTAssertEqual(seen.withLock { $0 }, ["a 2 replaced", "a 3 replaced", "a 3 replaced"])
  }

  func testTheCostOfAReplacementCounts() {
    let store = MemoryStore<Int, Int>(capacity: 100, cost: { $0 }, seed: 1)
    store.set(10, for: 0)
    for cost in [30, 30, 5] {
      store.set(cost, for: 0)
      XCTAssertEqual(store.total, cost)
    }
    for key in 0..<20 { store.set(1, for: key) }
    for key in 0..<20 { store.set(50, for: key) }
    let held = (0..<20).compactMap { store.value(for: $0) }
    XCTAssertLessThanOrEqual(held.reduce(0, +), 100)
  }

  func testAnObservedLevelStillReportsToItsOwnClosure() {
    let (seen, events) = (Seen([]), Journal<String>())
    let cache = level(capacity: 1, seen).named("memory").observed { event in
      if event.operation == .eviction { events.note(event.stage) }
    }
    _ = cache.set("a", 1)
    _ = cache.set("b", 2)
    XCTAssertEqual(seen.withLock { $0 }, ["a 1 capacity"])
    XCTAssertEqual(events.entries, ["memory"])
  }

  func testOneCriticalSectionMakesAsMuchRoomAsItsLimitAllows() {
    let batch = MemoryStore<Int, Int>.batch
    for (cost, isEnough) in [(batch, true), (batch + 1, false)] {
      let store = MemoryStore<Int, Int>(capacity: 100, cost: { $0 }, seed: 1)
      for key in 0..<100 { store.set(1, for: key) }
      var evicted = EvictedEntries<Int, Int>()
      let hasRoom = store.policy.withLock { store.evict(for: cost, isNew: true, &$0, &evicted) }
      XCTAssertEqual(hasRoom, isEnough)
      XCTAssertEqual(store.total, 100 - batch)
    }
  }

  /// The caller must look up the key again, because the entry to replace is gone.
  func testRoomThatOnlyTheReplacedEntryMakesIsNotEnough() {
    let store = MemoryStore<Int, Int>(capacity: 100, cost: { $0 }, seed: 1)
    store.set(60, for: 7)
    var evicted = EvictedEntries<Int, Int>()
    let hasRoom = store.policy.withLock { state in
      store.evict(for: 41, isNew: false, replacing: 0, &state, &evicted)
    }
    XCTAssertFalse(hasRoom)
    XCTAssertEqual(evicted.key, 7)
    XCTAssertEqual(evicted.cause, .replaced)
  }

  private final class Handle: Sendable {}

  func testAnObjectThatReplacesItselfIsNotEvicted() {
    let (time, clock) = TimeSource.manual()
    let (one, other) = (Handle(), Handle())
    let seen = Seen([])
    @Sendable func note(_ handle: Handle, _ cause: EvictionCause) {
      seen.withLock { $0.append("\(handle === one ? "one" : "other") \(cause)") }
    }
    let plain = Cache<String, Handle>.memory { note($1, $2) }
    let slow = Cache<URL, Handle>.memory { note($1, $2) }
    let held = Cache<Int, Handle>.memory(capacity: .cost(9) { _ in .random(in: 1...4) }) {
      note($1, $2)
    }
    let any = Cache<Int, any Sendable>.memory { note($1 as! Handle, $2) }
    let stamped = Cache<Int, Stamped<Handle>>.memory(clock: time) { note($1.value, $2) }
    let idle = Cache<Int, Stamped<Handle>>.memory(expiringAfterAccess: .seconds(60), clock: time) {
      note($1.value, $2)
    }
    func set(_ handle: Handle) {
      _ = plain.set("a", handle)
      _ = slow.set(URL(fileURLWithPath: "/a"), handle)
      _ = held.set(0, handle)
      _ = any.set(0, handle)
      for cache in [stamped, idle] {
        _ = cache.set(0, Stamped(handle, storedAt: time.now(), lasting: .seconds(5)))
      }
    }
    for _ in 0..<20 {
      set(one)
      clock.advance(by: .seconds(10))  // Even an expired value stays if it is stored again.
    }
    XCTAssertEqual(seen.withLock { $0 }, [])
    set(other)
    XCTAssertEqual(seen.withLock { $0.filter { $0 == "one replaced" }.count }, 4)
    XCTAssertEqual(seen.withLock { $0.count }, 6)
  }

  /// Whether a value is reported doesn't depend on how its type stores short values.
  func testAnEqualTextOfAnyLengthIsReported() {
    for text in ["a", String(repeating: "a", count: 100)] {
      let seen = Seen([])
      let cache = Cache<Int, String>.memory { _, _, cause in
        seen.withLock { $0.append("\(cause)") }
      }
      for _ in 0..<2 { _ = cache.set(0, text) }
      XCTAssertEqual(seen.withLock { $0 }, ["replaced"])
    }
  }
}
