import XCTest

@testable import Strata

/// Keys that all hash alike: slower, and never wrong.
final class MemoryFloodTests: XCTestCase {
  func testTenThousandEqualHashesTakeSeconds() {
    let count = 10_000
    let store = MemoryStore<Dull, Int>(capacity: count, cost: nil, seed: 1)
    let start = ContinuousClock.now
    for number in 0..<count { store.set(number, for: Dull(number)) }
    for number in 0..<count {
      if let value = store.value(for: Dull(number)), value != number {
        return XCTFail("\(number) is \(value)")
      }
    }
    XCTAssertLessThan(ContinuousClock.now - start, .seconds(10))
    XCTAssertLessThanOrEqual(store.total, count)
    XCTAssertEqual(store.value(for: Dull(count - 1)), count - 1)
  }

  func testFewEqualHashesAreAllKept() {
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

  private struct Dull: Hashable, Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
    func hash(into hasher: inout Hasher) { hasher.combine(1) }
  }
}
