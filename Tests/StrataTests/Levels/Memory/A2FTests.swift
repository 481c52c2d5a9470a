import XCTest

@testable import StrataCore

final class A2FTests: A2FCase {
  func testAReturningGhostIsKnownAndMovesTheTarget() {
    begin(capacity: 100)
    for hash in 1...100 as ClosedRange<UInt64> { insert(hash) }
    guard let evicted = insert(101).first else { return XCTFail("no entry was evicted") }
    XCTAssertTrue(policy.window.count > 0 && policy.main.count > 0)
    let before = policy.target
    let candidate = policy.recordMiss(evicted &* Self.spread, cost: 1)
    XCTAssertTrue(candidate.isGhost)
    XCTAssertEqual(abs(policy.target - before), 1)
    XCTAssertFalse(
      policy.recordMiss(evicted &* Self.spread, cost: 1).isGhost,
      "A ghost should be found only once.")
    XCTAssertFalse(policy.recordMiss(999 &* Self.spread, cost: 1).isGhost)
  }

  func testTheFirstEntryEntersTheWindowAndFurtherOnesTheMainQueueWhileThereIsSpace() {
    begin(capacity: 100)
    for hash in 1...50 as ClosedRange<UInt64> { insert(hash) }
    XCTAssertEqual([policy.window.count, policy.main.count], [1, 49])
  }

  func testAnEntryDoesNotInheritTheVisitOfARemovedEntry() {
    begin(capacity: 10)
    insert(1)
    policy.nodes[0].pointee.visit()
    policy.remove(0)
    policy.nodes.free(0)
    insert(2)
    XCTAssertEqual(policy.nodes[0].pointee.hash, 2 &* Self.spread)
    XCTAssertFalse(policy.nodes[0].pointee.isVisited.load(ordering: .relaxed))
  }

  func testTheWindowIsAtLeastAHundredthOfTheEntriesWithOrWithoutWeights() {
    for isWeighted in [false, true] {
      begin(capacity: 1000, isWeighted: isWeighted)
      for hash in 1...1000 as ClosedRange<UInt64> { insert(hash) }
      XCTAssertEqual([policy.window.count, policy.main.count], [10, 990])
      if !isWeighted { tearDown() }
    }
  }

  func testTheNumberOfEntriesIsLimitedWhateverTheCapacity() {
    begin(capacity: .max)
    policy.count = A2F.countLimit - 1
    XCTAssertTrue(policy.hasRoom(for: 1, isNew: true))
    policy.count = A2F.countLimit
    XCTAssertFalse(policy.hasRoom(for: 1, isNew: true))
    XCTAssertTrue(policy.hasRoom(for: 1, isNew: false))
  }

  /// If the sketch didn't grow with the number of entries, most new keys would share all of their
  /// counters with other keys.
  func testOfManyNewKeysHardlyAnyIsCountedMoreThanOnce() {
    begin(capacity: 10_000, isWeighted: true)
    for hash in 1...8000 as ClosedRange<UInt64> { insert(hash) }
    let counts = (8001...8100 as ClosedRange<UInt64>).map {
      policy.recordMiss($0 &* Self.spread, cost: 1).frequency.count(at: policy.sketch.epoch)
    }
    XCTAssertGreaterThan(counts.filter { $0 == 1 }.count, 95)
  }
}
