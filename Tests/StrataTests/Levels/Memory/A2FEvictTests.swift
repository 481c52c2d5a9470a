import XCTest

@testable import Strata

/// Tests which entries the policy evicts.
final class A2FEvictTests: A2FCase {
  func testAFullPolicyEvictsOneEntryPerInsertion() {
    begin(capacity: 10)
    for hash in 1...10 as ClosedRange<UInt64> { XCTAssertEqual(insert(hash), []) }
    for hash in 11...200 as ClosedRange<UInt64> { XCTAssertEqual(insert(hash).count, 1) }
    XCTAssertEqual([policy.count, policy.total], [10, 10])
    XCTAssertEqual(policy.window.count + policy.main.count, 10)
  }

  func testAHeavyEntryTakesTheSpaceOfManyLightEntries() {
    begin(capacity: 100, isWeighted: true)
    for hash in 1...10 as ClosedRange<UInt64> { insert(hash, cost: 10) }
    XCTAssertEqual(insert(11, cost: 75).count, 8)
    XCTAssertEqual([policy.count, policy.total], [3, 95])
    XCTAssertFalse(policy.hasRoom(for: 101, isNew: true))
    XCTAssertFalse(policy.hasRoom(for: 6, isNew: false))
    XCTAssertTrue(policy.hasRoom(for: 5, isNew: false))
  }

  func testPopularEntriesSurviveAScan() {
    begin(capacity: 20)
    var held: Set<UInt64> = []
    for hash in 1...20 as ClosedRange<UInt64> {
      insert(hash)
      held.insert(hash)
    }
    for hash in 21...500 as ClosedRange<UInt64> {
      for number in 0..<UInt32(20) where policy.nodes[number].pointee.hash &* Self.back <= 5 {
        policy.nodes[number].pointee.visit()
      }
      held.insert(hash)
      held.subtract(insert(hash))
    }
    XCTAssertEqual(held.count, 20)
    XCTAssertTrue(held.isSuperset(of: 1...5), "\(held.sorted())")
  }

  func testARemovedEntryIsNotAGhostAndFreesItsSpace() {
    begin(capacity: 10)
    for hash in 1...10 as ClosedRange<UInt64> { insert(hash) }
    policy.remove(4)
    policy.nodes.free(4)
    XCTAssertEqual([policy.count, policy.total], [9, 9])
    XCTAssertFalse(policy.recordMiss(5 &* Self.spread).isGhost)
    XCTAssertTrue(policy.hasRoom(for: 1, isNew: true))
  }
}
