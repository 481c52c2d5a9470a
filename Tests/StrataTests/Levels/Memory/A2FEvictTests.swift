import XCTest

@testable import StrataCore
@testable import StrataVerbs

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

  /// The main queue's entries have been counted twice, so a visit isn't enough for a place there.
  func testAVisitedEntryThatLosesStaysInTheWindowOnce() {
    begin(capacity: 300)
    for hash in 1...300 as ClosedRange<UInt64> { insert(hash) }
    for number in 3..<UInt32(300) { policy.count(policy.nodes[number]) }
    XCTAssertEqual([policy.window.count, policy.main.count], [3, 297])
    policy.nodes[0].pointee.visit()
    XCTAssertEqual(insert(301), [2])
    XCTAssertEqual(insert(302), [3])
    XCTAssertEqual(insert(303), [1], "A visit should be a second chance only once.")
  }

  func testAnEvictionSparesAtMostFiveVisitedEntriesOfTheWindow() {
    begin(capacity: 1000)
    for hash in 1...1000 as ClosedRange<UInt64> { insert(hash) }
    for number in 10..<UInt32(1000) { policy.count(policy.nodes[number]) }
    for number in 0..<UInt32(10) { policy.nodes[number].pointee.visit() }
    XCTAssertEqual(insert(1001), [6])
    XCTAssertEqual(insert(1002), [1], "Of the visited entries, four should stay first.")
  }

  /// If these entries only replaced others of the main queue, the window would stay too large.
  func testMoreValuableEntriesOfAWindowAboveItsTargetEnlargeTheMainQueue() {
    begin(capacity: 100)
    policy.target = 50
    for hash in 1...100 as ClosedRange<UInt64> { insert(hash) }
    XCTAssertEqual([policy.window.count, policy.main.count], [50, 50])
    policy.target = 10
    for number in 0..<UInt32(10) {
      for _ in 1...3 { policy.count(policy.nodes[number]) }
    }
    XCTAssertEqual(insert(101), [51], "At most five entries should move before an eviction.")
    XCTAssertEqual([policy.window.count, policy.main.count], [45, 55])
    XCTAssertEqual(insert(102), [11])
    XCTAssertEqual([policy.window.count, policy.main.count], [41, 59])
  }

  func testARemovedEntryIsNotAGhostAndFreesItsSpace() {
    begin(capacity: 10)
    for hash in 1...10 as ClosedRange<UInt64> { insert(hash) }
    policy.remove(4)
    policy.nodes.free(4)
    XCTAssertEqual([policy.count, policy.total], [9, 9])
    XCTAssertFalse(policy.recordMiss(5 &* Self.spread, cost: 1).isGhost)
    XCTAssertTrue(policy.hasRoom(for: 1, isNew: true))
  }

  /// Removes an entry in the same way as a removal by a caller, which leaves no ghost.
  private func remove(_ hash: UInt64) {
    let number = (0..<UInt32(policy.nodes.count)).first {
      policy.nodes[$0].pointee.hash == hash &* Self.spread && policy.nodes[$0].pointee.serial != 0
    }
    guard let number else { return XCTFail("\(hash) is not held") }
    policy.remove(number)
    policy.nodes.free(number)
  }

  private func evict() -> UInt64 {
    let number = policy.evict()
    policy.nodes.free(number)
    return policy.nodes[number].pointee.hash &* Self.back
  }

  func testAVisitedEntryOfTheMainQueueGetsOneSecondChancePerVisit() {
    begin(capacity: 4)
    for hash in 1...4 as ClosedRange<UInt64> { insert(hash) }
    remove(1)  // The only entry of the window, so evictions are from the main queue.
    policy.nodes[1].pointee.visit()
    XCTAssertEqual([evict(), evict(), evict()], [3, 4, 2])
  }

  func testAVisitInTheWindowIsNotASecondChanceInTheMainQueue() {
    begin(capacity: 4)
    for hash in 1...4 as ClosedRange<UInt64> { insert(hash) }
    policy.nodes[0].pointee.visit()
    XCTAssertEqual(insert(5), [2], "The visited entry should move to the main queue.")
    for hash in [3, 4] as [UInt64] { remove(hash) }
    for hash in [6, 7] as [UInt64] { insert(hash) }
    XCTAssertEqual([policy.window.count, policy.main.count], [1, 3])
    remove(5)
    XCTAssertEqual([evict(), evict(), evict()], [1, 6, 7])
  }
}
