import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests that a level frees its tables, its locks, and its timers.
final class MemoryReleaseTests: XCTestCase {
  private func expectNoGrowth<Value: Equatable>(
    _ value: Value, line: UInt = #line, _ make: () -> Cache<Int, Value>
  ) {
    let growth = Memory.growth {
      for _ in 0..<5 {
        let cache = make()
        for _ in 0..<2 {
          for key in 0..<400 {
            _ = cache.set(key, value)
            _ = cache.get(key / 2)
          }
          cache.memoryWarning()
          _ = cache.clear()
        }
        for key in 0..<100 { _ = cache.set(key, value) }
      }
    }
    XCTAssertLessThanOrEqual(growth ?? 0, 0, line: line)
  }

  func testAReleasedLevelLeavesNoMemoryInUse() {
    expectNoGrowth(7) { .memory(capacity: 300) }
    expectNoGrowth(7) { .memory(capacity: .cost(300) { _ in 2 }) }
    expectNoGrowth(7) { .memory(capacity: 300, onMemoryWarning: .trim(to: 0.5)) }
    expectNoGrowth(Stamped(7, storedAt: TimeSource.system.now(), lasting: .seconds(60))) {
      .memory(capacity: 300)
    }
    expectNoGrowth(Stamped(7, storedAt: TimeSource.system.now(), lasting: .seconds(60))) {
      .memory(capacity: 300, expiringAfterAccess: .seconds(60))
    }
  }

  /// When the entries become lighter, the level holds more of them, so the policy replaces its
  /// tables with larger tables.
  func testALevelWhoseTablesHaveGrownLeavesNoMemoryInUse() {
    let growth = Memory.growth {
      let store = MemoryStore<Int, Int>(capacity: 1200, cost: { $0 }, seed: 1)
      for cost in [60, 1] { for key in 0..<1300 { store.set(cost, for: key) } }
      XCTAssertGreaterThan(store.total, 1100)
    }
    XCTAssertLessThanOrEqual(growth ?? 0, 0)
  }
}
