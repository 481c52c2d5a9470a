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
    XCTAssertLessThanOrEqual(before - visited(), 14)
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
