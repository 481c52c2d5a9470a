import XCTest

@testable import StrataCore

/// Tests the policy with entries of different costs.
final class A2FDensityTests: A2FCase {
  func testASearchVisitsABoundedNumberOfEntries() {
    begin(capacity: 10_000, isWeighted: true)
    for hash in 1...1000 as ClosedRange<UInt64> { insert(hash, cost: 1 + Int(hash) % 19) }
    for id in 0..<UInt32(policy.nodes.count) { policy.nodes[id].pointee.visit() }
    let visited = { (0..<UInt32(self.policy.nodes.count)).count { self.isVisited($0) } }
    let before = visited()
    policy.nodes.free(policy.evict())
    XCTAssertLessThanOrEqual(before - visited(), 22)
  }

  /// As long as the entry that a search chose stays, the next searches compare few others with it.
  func testASearchDoesNotBeginAnewUntilItsChoiceHasLeft() {
    begin(capacity: 10_000, isWeighted: true)
    for hash in 1...1000 as ClosedRange<UInt64> { insert(hash, cost: 10) }
    for number in 0..<UInt32(1000) where policy.nodes[number].pointee.isMain {
      policy.count(policy.nodes[number])
    }
    insert(2000, cost: 10)
    let chosen = policy.main.head
    for hash in 2001...2005 as ClosedRange<UInt64> {
      let main = (0..<UInt32(1000)).filter { policy.nodes[$0].pointee.isMain }
      for id in main where id != chosen { policy.nodes[id].pointee.visit() }
      XCTAssertEqual(insert(hash, cost: 10).count, 1)
      XCTAssertEqual(policy.main.head, chosen)
      XCTAssertEqual(main.count { !isVisited($0) }, 3, "the chosen entry, and two others")
    }
  }

  /// The main queue's entries are as expensive and more frequent, so no entry of the window wins.
  func testAnEvictionSparesAtMostFiveVisitedEntriesOfTheWindow() {
    begin(capacity: 2000, isWeighted: true)
    for hash in 1...1000 as ClosedRange<UInt64> { insert(hash, cost: 2) }
    let window = (0..<UInt32(1000)).filter { !policy.nodes[$0].pointee.isMain }
    XCTAssertEqual(window.count, 10)
    for number in 0..<UInt32(1000) where policy.nodes[number].pointee.isMain {
      for _ in 1...3 { policy.count(policy.nodes[number]) }
    }
    for number in window { policy.nodes[number].pointee.visit() }
    let evicted = policy.evict()
    XCTAssertTrue(window.contains(evicted), "An entry of the main queue was evicted.")
    XCTAssertEqual(window.count { $0 != evicted && isVisited($0) }, 4)
    policy.nodes.free(evicted)
  }

  private func isVisited(_ id: UInt32) -> Bool {
    policy.nodes[id].pointee.isVisited.load(ordering: .relaxed)
  }

  func testOfEquallyFrequentEntriesTheMostExpensiveIsEvicted() {
    begin(capacity: 100, isWeighted: true)
    for hash in 1...8 as ClosedRange<UInt64> { insert(hash, cost: hash == 5 ? 44 : 8) }
    XCTAssertEqual(insert(9, cost: 8), [5])
  }
}
