import Foundation
import XCTest

@testable import Strata

final class CoarseClockTests: XCTestCase {
  func testTheCoarseTimeIsBetweenTheLastReadAndTheClock() {
    let clock = CoarseClock()
    let wrong = Lock(0)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      var last = Int64.min
      for _ in 0..<20_000 {
        let coarse = clock.nanoseconds
        if coarse > runningNanoseconds() || coarse < last { wrong.withLock { $0 += 1 } }
        last = coarse
      }
    }
    XCTAssertEqual(wrong.withLock { $0 }, 0)
  }

  func testTheCoarseTimeAdvances() {
    let clock = CoarseClock()
    let start = clock.nanoseconds
    let end = runningNanoseconds() + 120_000_000_000
    while clock.nanoseconds == start, runningNanoseconds() < end { usleep(1_000) }
    XCTAssertGreaterThan(clock.nanoseconds, start)
  }

  func testTheSystemsCoarseTimeIsNotAheadOfItsClock() {
    for _ in 0..<1_000 {
      let coarse = TimeSource.system.coarse()
      XCTAssertLessThanOrEqual(coarse, TimeSource.system.now())
    }
  }
}
