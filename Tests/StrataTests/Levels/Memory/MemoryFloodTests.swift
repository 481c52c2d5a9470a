import Synchronization
import XCTest

@testable import StrataCore

/// The number of comparisons of keys that have the same hash.
private let comparisons = Atomic(0)

/// Tests keys that all have the same hash. Equal hashes make the level slow, but not incorrect.
final class MemoryFloodTests: XCTestCase {
  /// If the level compared each key with all other keys, it would make over twelve million
  /// comparisons.
  func testThousandsOfEqualHashesTakeFewComparisons() {
    let count = 5_000
    let store = MemoryStore<Dull, Int>(capacity: count, cost: nil, seed: 1)
    let before = comparisons.load(ordering: .relaxed)
    for number in 0..<count { store.set(number, for: Dull(number)) }
    for number in 0..<count {
      if let value = store.value(for: Dull(number)), value != number {
        return XCTFail("\(number) is \(value)")
      }
    }
    XCTAssertLessThanOrEqual(comparisons.load(ordering: .relaxed) - before, 4 * count * 64)
    XCTAssertLessThanOrEqual(store.total, count)
    XCTAssertEqual(store.value(for: Dull(count - 1)), count - 1)
  }

  func testFewEntriesWithEqualHashesAreAllStored() {
    let store = MemoryStore<Dull, Int>(capacity: 200, cost: nil, seed: 1)
    for round in 0..<2 {
      for number in 0..<50 { store.set(number + round, for: Dull(number)) }
      for number in 0..<50 { XCTAssertEqual(store.value(for: Dull(number)), number + round) }
    }
    for number in 0..<50 where number % 2 == 0 { _ = store.remove(Dull(number)) }
    for number in 0..<50 {
      XCTAssertEqual(store.value(for: Dull(number)), number % 2 == 0 ? nil : number + 1)
    }
    XCTAssertEqual(store.total, 25)
  }

  func testAtMostSixtyFourEntriesHaveOneHash() {
    let causes = Journal<String>()
    let store = MemoryStore<Dull, Int>(capacity: 200, cost: nil, seed: 1)
    for number in 0..<66 {
      store.set(number, for: Dull(number)) { key, _, cause in causes.note("\(key.number) \(cause)")
      }
      XCTAssertEqual(store.total, min(number + 1, 64))
    }
    XCTAssertEqual(causes.entries, ["63 capacity", "64 capacity"])
    store.set(-1, for: Dull(0))  // Replacing a value evicts no other entry.
    XCTAssertEqual(store.total, 64)
    XCTAssertEqual(store.value(for: Dull(0)), -1)
    XCTAssertEqual(store.value(for: Dull(65)), 65)
  }

  private struct Dull: Hashable, Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
    static func == (one: Dull, other: Dull) -> Bool {
      comparisons.add(1, ordering: .relaxed)
      return one.number == other.number
    }
    func hash(into hasher: inout Hasher) { hasher.combine(1) }
  }
}
