import XCTest

@testable import Strata

final class A2FTests: A2FCase {
  func testAReturningGhostIsKnownAndMovesTheTarget() {
    begin(capacity: 100)
    for hash in 1...100 as ClosedRange<UInt64> { insert(hash) }
    guard let evicted = insert(101).first else { return XCTFail("no entry was evicted") }
    XCTAssertTrue(policy.window.count > 0 && policy.main.count > 0)
    let before = policy.target
    let candidate = policy.recordMiss(evicted &* Self.spread)
    XCTAssertTrue(candidate.isGhost)
    XCTAssertEqual(abs(policy.target - before), 1)
    XCTAssertFalse(
      policy.recordMiss(evicted &* Self.spread).isGhost, "A ghost should be found only once.")
    XCTAssertFalse(policy.recordMiss(999 &* Self.spread).isGhost)
  }

  func testTheFirstEntryEntersTheWindowAndFurtherOnesTheMainQueueWhileThereIsSpace() {
    begin(capacity: 100)
    for hash in 1...50 as ClosedRange<UInt64> { insert(hash) }
    XCTAssertEqual([policy.window.count, policy.main.count], [1, 49])
  }
}
