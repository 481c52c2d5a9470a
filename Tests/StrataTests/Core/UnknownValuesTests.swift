import XCTest

@testable import Strata

final class UnknownValuesTests: XCTestCase {
  func testAClearForgetsAFailedRemovalButNoWriteInFlight() {
    var unknown = UnknownValues()
    unknown.add(cleared: 1, of: 7)
    XCTAssertTrue(unknown.settle(1, of: 7, succeeded: false))
    unknown.removed(7, succeeded: false, last: 2)
    unknown.add(cleared: 3, of: 7)  // A clear passes a set,
    XCTAssertFalse(unknown.settle(4, of: nil, succeeded: true))  // and succeeds before it.
    XCTAssertTrue(unknown.contains(7))
    XCTAssertTrue(unknown.settle(3, of: 7, succeeded: true), "The set has to be removed again.")
    unknown.removed(7, succeeded: true, last: 4)
    XCTAssertFalse(unknown.contains(7))
  }
}
