import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class CoarseClockTests: XCTestCase {
  private static let running: @Sendable () -> TimeSource.Instant = {
    TimeSource.Instant(nanoseconds: runningNanoseconds())
  }

  func testTheTimeIsBetweenTheLastReadAndTheClock() {
    let (clock, wrong) = (CoarseClock(Self.running), Lock(0))
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      var last = TimeSource.Instant(nanoseconds: .min)
      for _ in 0..<20_000 {
        let time = clock.read()
        if time > Self.running() || time < last { wrong.withLock { $0 += 1 } }
        last = time
      }
    }
    XCTAssertEqual(wrong.withLock { $0 }, 0)
  }

  func testTheTimeAdvances() {
    let clock = CoarseClock(Self.running)
    let start = clock.read()
    let end = Self.running().advanced(by: .seconds(120))
    while clock.read() == start, Self.running() < end { usleep(1_000) }
    XCTAssertGreaterThan(clock.read(), start)
  }

  func testATimeIsNotFromAnEarlierTick() {
    let (clock, wrong) = (CoarseClock(Self.running), Lock(0))
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<50 {
        let (before, tick) = (Self.running(), coarseTick())
        while coarseTick() == tick {}
        if clock.read() < before { wrong.withLock { $0 += 1 } }
      }
    }
    XCTAssertEqual(wrong.withLock { $0 }, 0)
  }

  func testTheClockIsReadOncePerTick() {
    let reads = Lock(0)
    let clock = CoarseClock {
      reads.withLock { $0 += 1 }
      return Self.running()
    }
    for _ in 0..<100_000 { _ = clock.read() }
    XCTAssertLessThan(reads.withLock { $0 }, 100_000)
  }

  func testTheSystemsCoarseTimeIsNotAheadOfItsClock() throws {
    let coarse = try XCTUnwrap(TimeSource.system.functions.coarse)
    for _ in 0..<1_000 {
      let time = coarse()
      XCTAssertLessThanOrEqual(time, TimeSource.system.now())
    }
  }
}
