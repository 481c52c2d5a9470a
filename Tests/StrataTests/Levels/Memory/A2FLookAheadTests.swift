import XCTest

@testable import StrataCore

/// Tests when the policy looks ahead, and what it counts for this.
final class A2FLookAheadTests: A2FCase {
  /// Requests each key twice, the second time after `lag` other keys, and returns the number of
  /// hits.
  private func requestTwice(_ keys: Int, lag: Int) -> Int {
    var stored: [UInt64: UInt32] = [:]
    var hits = 0
    for number in 1...keys {
      for key in [number, number - lag] where key > 0 {
        if let id = stored[UInt64(key)] {
          policy.nodes[id].pointee.visit()
          hits += 1
          continue
        }
        let candidate = policy.recordMiss(UInt64(key) &* Self.spread, cost: 1)
        while !policy.hasRoom(for: 1, isNew: true) {
          let evicted = policy.evict()
          stored[policy.nodes[evicted].pointee.hash &* Self.back] = nil
          policy.nodes.free(evicted)
        }
        stored[UInt64(key)] = policy.insert(candidate, cost: 1)
      }
    }
    return hits
  }

  func testTheWindowExpandsForKeysThatReturnAfterALongWhile() {
    begin(capacity: 1000)
    let hits = requestTwice(30_000, lag: 300)
    XCTAssertGreaterThan(policy.target, 200)
    XCTAssertGreaterThan(hits, 20_000)
  }

  func testASmallerCapacityEndsAnExpansion() {
    begin(capacity: 1000)
    _ = requestTwice(30_000, lag: 300)
    policy.wanted = 100
    while policy.count > 100 { policy.nodes.free(policy.evict()) }
    policy.adjustCapacity()
    XCTAssertLessThan(policy.target, 20)
  }

  func testAScanDoesNotExpandTheWindow() {
    begin(capacity: 1000)
    for hash in 1...20_000 as ClosedRange<UInt64> { insert(hash) }
    XCTAssertEqual(policy.target, 10)
  }

  func testOnlyAPolicyThatComparesFrequenciesLooksAhead() {
    let nodes = MemoryNodes(stride: MemoryLayout<MemoryNode>.stride, alignment: 8, limit: 1000)
    policy = A2F(capacity: 1000, isWeighted: true, ranksByDensity: true, nodes: nodes)
    _ = requestTwice(10_000, lag: 300)
    XCTAssertLessThan(policy.target, 100)
  }
}
