import XCTest

@testable import Strata

final class GatheringTests: XCTestCase {
  func testTheyHoldOneInterestInEachAndWithdrawThat() {
    for gather in [
      { Promise.all($0).map { _ in } }, { Promise.some($0).map { _ in } },
      { Promise.first($0).map { _ in } }, { Promise.reduce($0, 0) { $0 + $1 }.map { _ in } },
    ] as [([Promise<Int>]) -> Promise<Void>] {
      let (lonely, shared) = (Later<Int>(), Later<Int>())
      let keeper = shared.promise.map { $0 }
      let whole = gather([lonely.promise, shared.promise])
      XCTAssertEqual([lonely.promise.interests, shared.promise.interests], [1, 2])
      whole.cancel()
      XCTAssertEqual([lonely.promise.text, shared.promise.text], ["cancelled", "pending"])
      shared.continuation.succeed(2)
      XCTAssertEqual(keeper.text, "2")
    }
  }
}
