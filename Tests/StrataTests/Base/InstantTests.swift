import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class InstantTests: XCTestCase {
  func testInstantsAreExactAndSurviveCoding() throws {
    let moment = TimeSource.Instant(sinceEpoch: .seconds(1_700_000_000) + .nanoseconds(1))
    let copy = try JSONDecoder().decode(
      [TimeSource.Instant].self, from: JSONEncoder().encode([moment]))
    XCTAssertEqual(copy, [moment])
    XCTAssertEqual(
      moment.advanced(by: .nanoseconds(2)).sinceEpoch, moment.sinceEpoch + .nanoseconds(2))
    XCTAssertLessThan(moment, moment.advanced(by: .nanoseconds(1)))
    XCTAssertEqual(Duration.seconds(-1).dispatchInterval, .nanoseconds(0))
  }

  func testInstantsAreClampedAndNothingTraps() {
    let (first, last) = (
      TimeSource.Instant(nanoseconds: .min), TimeSource.Instant(nanoseconds: .max)
    )
    let far = Duration.seconds(Int64.max)
    XCTAssertEqual(last.advanced(by: .nanoseconds(1)), .last)
    XCTAssertEqual(TimeSource.Instant(sinceEpoch: .zero).advanced(by: far), last)
    XCTAssertEqual(TimeSource.Instant(sinceEpoch: .seconds(-1)).advanced(by: far * -1), first)
    XCTAssertEqual(first.duration(to: last), .nanoseconds(Int64.max) - .nanoseconds(Int64.min))
    for seconds in [Double.infinity, -.infinity, .nan, 1e300] {
      _ = TimeSource.Instant(Date(timeIntervalSince1970: seconds))
    }
    XCTAssertEqual(
      TimeSource.Instant(Date(timeIntervalSince1970: 1.5)).sinceEpoch, .milliseconds(1500))
  }

  func testADurationIsTruncatedToNanosecondsWithinBounds() {
    XCTAssertEqual((Duration.seconds(2) + .nanoseconds(3)).wholeNanoseconds, 2_000_000_003)
    XCTAssertEqual(
      Duration(secondsComponent: 0, attosecondsComponent: -1_999_999_999).wholeNanoseconds, -1)
    XCTAssertEqual(Duration.seconds(Int64.max).wholeNanoseconds, .max)
    XCTAssertEqual(Duration.seconds(Int64.min).wholeNanoseconds, .min)
  }

  func testTheRunningClockGoesForward() {
    let before = runningNanoseconds()
    XCTAssertGreaterThan(before, 0)
    XCTAssertLessThanOrEqual(before, runningNanoseconds())
  }
}
