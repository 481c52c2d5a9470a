import Foundation
import Strata
import StrataLaws

/// Checks that the laws catch faults in levels that several clients share.
final class SharedFaultTests: FaultCase {
  /// A level that two clients share, and that doesn't distinguish a back-fill from a `set`.
  func testASharedLevelWithoutLeases() {
    let laws = Laws.shared(hasLeases: true) {
      let level = Cache<String, Data>.dictionary()
      return [level, level]
    }
    expectCaught("without leases", by: laws, as: "shared.laterWriteWins")
  }

  func testAPlainSharedLevelIsLawful() throws {
    let laws = Laws.shared {
      let level = Cache<String, Data>.dictionary()
      return [level, level]
    }
    try Laws.check(laws, cases: 100)
  }

  func testAClientThatReadsItsOwnCopyFirst() {
    let laws = Laws.shared {
      let level = Cache<String, Data>.dictionary()
      return (0..<2).map { _ in .dictionary() + level }
    }
    expectCaught("own copies", by: laws, as: "shared.regularity")
  }

  func testNoClientsAreExplained() {
    expectCaught("no clients", by: .shared { [] }, as: ["shared.regularity"], within: 12)
  }

  /// A memory level above a shared level. The memory level receives no report of the other client's
  /// writes.
  func testMemoryThatHearsNothing() {
    let laws = Laws.following(within: .milliseconds(10)) {
      let level = Cache<String, Data>.dictionary()
      return (0..<2).map { _ in .dictionary() + level }
    }
    expectCaught("hears nothing", by: laws, as: "following.bounded")
  }
}
