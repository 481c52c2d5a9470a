import Foundation
import XCTest

@testable import Strata

final class InstantTests: XCTestCase {
  func testMomentsAreExactAndSurviveCoding() throws {
    let moment = TimeSource.Instant(sinceEpoch: .seconds(1_700_000_000) + .nanoseconds(1))
    let copy = try JSONDecoder().decode(
      [TimeSource.Instant].self, from: JSONEncoder().encode([moment]))
    XCTAssertEqual(copy, [moment])
    XCTAssertEqual(
      moment.advanced(by: .nanoseconds(2)).sinceEpoch, moment.sinceEpoch + .nanoseconds(2))
    XCTAssertLessThan(moment, moment.advanced(by: .nanoseconds(1)))
    XCTAssertEqual(Duration.seconds(-1).dispatchInterval, .nanoseconds(0))
  }
}
