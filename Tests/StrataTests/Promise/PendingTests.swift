import XCTest

@testable import Strata

final class PendingTests: XCTestCase {
  func testWithdrawingTwiceTakesOneInterest() {
    let work = Later<Int>()
    let one = work.promise.map { $0 }
    let other = work.promise.map { $0 }
    one.cancel()
    one.cancel()
    XCTAssertEqual(other.text, "pending")
    XCTAssertEqual(work.promise.interests, 1)
  }
}
