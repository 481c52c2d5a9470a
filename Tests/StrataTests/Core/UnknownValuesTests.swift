import XCTest

@testable import Strata

final class UnknownValuesTests: XCTestCase {
  func testAClearForgetsAFailedRemovalButNoWriteInFlight() {
    var unknown = UnknownValues()
    unknown.add(cleared: 1, of: 7)
    XCTAssertTrue(unknown.settle(1, of: 7, succeeded: false))
    XCTAssertEqual(unknown.beginRemoval(7, 2)?.isOfAll, false)
    XCTAssertNil(unknown.beginRemoval(7, 3), "Only one removal should be in flight.")
    unknown.endRemoval(2, of: 7, succeeded: false)
    unknown.add(cleared: 3, of: 7)  // A clear begins while a set is in flight.
    XCTAssertFalse(unknown.settle(4, of: nil, succeeded: true))  // The clear ends before the set.
    XCTAssertTrue(unknown.contains(7))
    XCTAssertTrue(
      unknown.settle(3, of: 7, succeeded: true), "The set's value should be removed again.")
    XCTAssertNotNil(unknown.beginRemoval(7, 5))
    unknown.endRemoval(5, of: 7, succeeded: true)
    XCTAssertFalse(unknown.contains(7))
  }
}
