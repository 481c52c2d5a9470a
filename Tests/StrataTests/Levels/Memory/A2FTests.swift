import XCTest

@testable import Strata

/// The policy by itself, over nodes without keys and values.
final class A2FTests: XCTestCase {
  /// Makes hashes of small numbers, which look like those of keys, and numbers of those hashes.
  private static let (spread, back): (UInt64, UInt64) = (
    0x9e37_79b9_7f4a_7c15, 0xf1de_83e1_9937_733d
  )

  private var policy: A2F!

  private func begin(capacity: Int, isWeighted: Bool = false) {
    policy = A2F(
      capacity: capacity, isWeighted: isWeighted, stride: MemoryLayout<MemoryNode>.stride,
      alignment: 8)
  }

  override func tearDown() {
    let old = policy.removeAll()
    for chunk in 0..<32 { freeZeroed(old[chunk]) }
    old.deallocate()
    policy.nodes.chunks.deallocate()
    policy.deallocate()
  }

  /// Lets a hash in, making room; returns those that have left.
  @discardableResult
  private func enter(_ hash: UInt64, cost: Int = 1) -> [UInt64] {
    let arrival = policy.announce(hash &* Self.spread)
    var left: [UInt64] = []
    while !policy.hasRoom(for: cost, isNew: true) {
      let number = policy.evict()
      left.append(policy.nodes[number].pointee.hash &* Self.back)
      policy.nodes.giveBack(number)
    }
    _ = policy.insert(arrival, cost: cost)
    return left
  }

  func testItLetsGoOfOneForEachThatComesWhenItIsFull() {
    begin(capacity: 10)
    for hash in 1...10 as ClosedRange<UInt64> { XCTAssertEqual(enter(hash), []) }
    for hash in 11...200 as ClosedRange<UInt64> { XCTAssertEqual(enter(hash).count, 1) }
    XCTAssertEqual([policy.count, policy.total], [10, 10])
    XCTAssertEqual(policy.window.count + policy.main.count, 10)
  }

  func testAHeavyOneTakesTheRoomOfManyLightOnes() {
    begin(capacity: 100, isWeighted: true)
    for hash in 1...10 as ClosedRange<UInt64> { enter(hash, cost: 10) }
    XCTAssertEqual(enter(11, cost: 75).count, 8)
    XCTAssertEqual([policy.count, policy.total], [3, 95])
    XCTAssertFalse(policy.hasRoom(for: 101, isNew: true))
    XCTAssertFalse(policy.hasRoom(for: 6, isNew: false))
    XCTAssertTrue(policy.hasRoom(for: 5, isNew: false))
  }

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

  func testWhatIsWantedStaysInAScan() {
    begin(capacity: 20)
    var held: Set<UInt64> = []
    for hash in 1...20 as ClosedRange<UInt64> {
      enter(hash)
      held.insert(hash)
    }
    for hash in 21...500 as ClosedRange<UInt64> {
      for number in 0..<UInt32(20) where policy.nodes[number].pointee.hash &* Self.back <= 5 {
        policy.nodes[number].pointee.visit()
      }
      held.insert(hash)
      held.subtract(enter(hash))
    }
    XCTAssertEqual(held.count, 20)
    XCTAssertTrue(held.isSuperset(of: 1...5), "\(held.sorted())")
  }

  func testWhatIsRemovedIsNoGhostAndLeavesRoom() {
    begin(capacity: 10)
    for hash in 1...10 as ClosedRange<UInt64> { enter(hash) }
    policy.remove(4)
    policy.nodes.giveBack(4)
    XCTAssertEqual([policy.count, policy.total], [9, 9])
    XCTAssertFalse(policy.announce(5 &* Self.spread).isGhost)
    XCTAssertTrue(policy.hasRoom(for: 1, isNew: true))
  }
}
