import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

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

  func testATimeIsInAnIntervalAsTheClockSaysWhateverTheLagOfTheCoarseTime() {
    let (time, clock) = TimeSource.manual()
    let start = clock.now
    for lag in [0, 1, 4_000_000, TimeSource.precision - 1, TimeSource.precision] {
      let lagging = TimeSource(
        now: time.now, coarse: { clock.now.advanced(byNanoseconds: -lag) }, after: time.after)
      for length in [0, 1, 4_000_000, TimeSource.precision, 3 * TimeSource.precision] {
        for offset in [-length - 1, -length, 1 - length, -length / 2, -1, 0, 1, lag, -lag] {
          let begin = start.advanced(byNanoseconds: offset)
          let end = begin.advanced(byNanoseconds: length)
          XCTAssertEqual(
            lagging.isNow(from: begin, until: end), begin <= start && start < end,
            "lag \(lag), length \(length), offset \(offset)")
        }
      }
    }
  }
}
