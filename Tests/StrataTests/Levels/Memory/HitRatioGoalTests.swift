import StrataLaws
import XCTest

@testable import StrataCore

/// Tests memory levels with costs, for both goals.
final class HitRatioGoalTests: XCTestCase {
  private static let capacity = 100_000

  func testAValueThatWasJustSetIsFound() {
    for goal in [HitRatioGoal.objects, .bytes] {
      let store = store(favoring: goal, seed: 1)
      var random = SeededGenerator(seed: 7)
      for key in 0..<200 { store.set(Int.random(in: 1...1000, using: &random), for: key) }
      for round in 0..<2000 {
        for key in 0..<200 { _ = store.value(for: key) }  // Makes all stored entries popular.
        let cost = round % 2 == 0 ? 500 : Int.random(in: 1...Self.capacity, using: &random)
        store.set(cost, for: 1000 + round)
        XCTAssertEqual(store.value(for: 1000 + round), cost, "\(goal)")
        XCTAssertLessThanOrEqual(store.total, Self.capacity)
      }
      store.set(Self.capacity, for: -1)
      XCTAssertEqual(
        store.value(for: -1), Self.capacity, "A value that costs exactly the capacity should fit.")
      store.set(Self.capacity + 1, for: -2)
      XCTAssertNil(store.value(for: -2))
    }
  }

  func testOneCriticalSectionEvictsABoundedNumberOfEntries() {
    let store = store(favoring: .objects, seed: 1)
    for key in 0..<1000 { store.set(100, for: key) }
    var evicted = EvictedEntries<Int, Int>()
    let isDone = store.policy.withLock {
      store.evict(for: Self.capacity, isNew: true, &$0, &evicted)
    }
    XCTAssertFalse(isDone)
    XCTAssertEqual(store.policy.withLock { $0.count }, 1000 - MemoryStore<Int, Int>.batch)
  }

  func testTheGoalChoosesWhichHitRatioIsHigher() {
    for seed in [1, 2, 3] as [UInt64] {
      let objects = hitRatios(favoring: .objects, seed: seed)
      let bytes = hitRatios(favoring: .bytes, seed: seed)
      XCTAssertGreaterThan(objects.objects, bytes.objects)
      XCTAssertGreaterThan(bytes.bytes, objects.bytes)
    }
  }

  private func store(favoring goal: HitRatioGoal, seed: UInt64) -> MemoryStore<Int, Int> {
    MemoryStore(capacity: Self.capacity, cost: { $0 }, favoring: goal, seed: seed)
  }

  /// Replays requests that follow Zipf's law. The sizes of the values are between 100 and 12,800.
  private func hitRatios(
    favoring goal: HitRatioGoal, seed: UInt64
  ) -> (objects: Double, bytes: Double) {
    let store = store(favoring: goal, seed: seed)
    let trace = Traces.zipf()
    var (hits, bytes, all) = (0, 0, 0)
    for key in trace {
      let size = 100 << (key &* 7919 % 8)
      all += size
      if store.value(for: key) != nil {
        (hits, bytes) = (hits + 1, bytes + size)
      } else {
        store.set(size, for: key)
      }
    }
    return (Double(hits) / Double(trace.count), Double(bytes) / Double(all))
  }
}
