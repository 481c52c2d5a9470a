import Foundation
import XCTest

@testable import Strata

final class TimeSourceTests: XCTestCase {
  func testTheSystemGoesForwardFromTheWallClock() {
    let before = TimeSource.system.now()
    XCTAssertEqual(
      TimeSource.Instant(Date()).duration(to: before) / .seconds(1), 0, accuracy: 5)
    XCTAssertLessThanOrEqual(before, TimeSource.system.now())
  }

  func testTheSystemCallsLaterUnlessCancelled() throws {
    let journal = Journal<String>()
    let cancelTimer = TimeSource.system.after(.milliseconds(1)) { journal.note("called off") }
    cancelTimer()
    let start = TimeSource.system.now()
    try Promise().delayed(by: .milliseconds(20)).wait(for: .seconds(60))
    XCTAssertGreaterThanOrEqual(start.duration(to: TimeSource.system.now()), .milliseconds(20))
    XCTAssertEqual(journal.entries, [])
    TimeSource.system.after(.seconds(Int64.max / 4)) { XCTFail("it ran") }()
  }

  func testACancelledTimerOfTheSystemReleasesItsWorkImmediately() {
    for _ in 0..<10_000 {
      weak var released: Journal<String>?
      let cancelTimer: @Sendable () -> Void
      do {
        let journal = Journal<String>()
        released = journal
        cancelTimer = TimeSource.system.after(.seconds(3600)) { journal.note("called off") }
      }
      XCTAssertNotNil(released)
      cancelTimer()
      XCTAssertNil(released)
    }
  }
}
