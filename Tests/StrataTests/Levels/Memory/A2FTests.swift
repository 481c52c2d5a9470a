import XCTest

@testable import Strata

final class A2FTests: A2FCase {
  func testAGhostThatComesBackIsKnownAndMovesTheBoundOfItsQueue() {
    begin(capacity: 100)
    for hash in 1...100 as ClosedRange<UInt64> { enter(hash) }
    guard let gone = enter(101).first else { return XCTFail("nobody has left") }
    XCTAssertTrue(policy.window.count > 0 && policy.main.count > 0)
    let before = policy.target
    let arrival = policy.announce(gone &* Self.spread)
    XCTAssertTrue(arrival.isGhost)
    XCTAssertEqual(abs(policy.target - before), 1)
    XCTAssertFalse(policy.announce(gone &* Self.spread).isGhost, "It is a ghost no more.")
    XCTAssertFalse(policy.announce(999 &* Self.spread).isGhost)
  }

  func testTheFirstGoesToTheWindowAndOthersToTheMainQueueWhileThereIsRoom() {
    begin(capacity: 100)
    for hash in 1...50 as ClosedRange<UInt64> { enter(hash) }
    XCTAssertEqual([policy.window.count, policy.main.count], [1, 49])
  }
}
