import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class ManualTimeTests: XCTestCase {
  func testManyTimersAreCancelledInAnyOrder() {
    let (time, clock) = TimeSource.manual()
    let fired = Lock<[Int]>([])
    let cancels = (0..<20_000).map { number in
      time.after(.seconds(number % 7)) { fired.withLock { $0.append(number) } }
    }
    for (number, cancel) in cancels.enumerated().reversed() where number % 1000 != 0 { cancel() }
    XCTAssertEqual(clock.waiting, 20)
    clock.advance(by: .seconds(7))
    XCTAssertEqual(
      fired.withLock { $0 }, (0..<20).map { $0 * 1000 }.sorted { ($0 % 7, $0) < ($1 % 7, $1) })
    cancels.forEach { $0() }
  }

  func testClosuresRunInTheOrderOfTheirTimesAndSeeThem() {
    let (time, clock) = TimeSource.manual()
    let journal = Journal<String>()
    let start = time.now()
    for (place, seconds) in [3, 1, 2, 1].enumerated() {
      _ = time.after(.seconds(seconds)) {
        journal.note("\(seconds).\(place) at \(start.duration(to: time.now()))")
      }
    }
    clock.advance(by: .seconds(2))
    XCTAssertEqual(
      journal.entries, ["1.1 at 1.0 seconds", "1.3 at 1.0 seconds", "2.2 at 2.0 seconds"])
    XCTAssertEqual(start.duration(to: clock.now), .seconds(2))
    XCTAssertEqual(clock.waiting, 1)
  }

  func testNoClosureRunsOnTheStackOfItsCaller() {
    let (time, clock) = TimeSource.manual()
    let journal = Journal<String>()
    for delay in [Duration.zero, .seconds(-1)] { _ = time.after(delay) { journal.note("run") } }
    XCTAssertEqual(journal.entries, [])
    clock.advance(by: .zero)
    XCTAssertEqual(journal.entries, ["run", "run"])
  }

  func testACancelledClosureNeverRunsAndIsReleased() {
    final class Token: Sendable {}
    weak var weakToken: Token?
    let (time, clock) = TimeSource.manual()
    do {
      let token = Token()
      weakToken = token
      let cancelTimer = time.after(.seconds(1)) {
        withExtendedLifetime(token) { XCTFail("it ran") }
      }
      cancelTimer()
      cancelTimer()
    }
    XCTAssertNil(weakToken)
    clock.advance(by: .seconds(2))
  }

  func testAClosureScheduledDuringAnAdvanceRunsInIt() {
    let (time, clock) = TimeSource.manual()
    let journal = Journal<String>()
    _ = time.after(.seconds(1)) { _ = time.after(.seconds(1)) { journal.note("second") } }
    clock.advance(by: .seconds(3))
    XCTAssertEqual(journal.entries, ["second"])
  }

  func testANestedAdvanceIsNotUndone() {
    for (delay, advance, end) in [(1, 2, 11), (0, 0, 10)] {
      let (time, clock) = TimeSource.manual()
      let start = clock.now
      _ = time.after(.seconds(delay)) { clock.advance(by: .seconds(10)) }
      clock.advance(by: .seconds(advance))
      XCTAssertEqual(start.duration(to: clock.now), .seconds(end))
    }
  }

  func testANegativeAdvanceSetsTheClockBackAndRunsNothing() {
    let (time, clock) = TimeSource.manual()
    let start = clock.now
    _ = time.after(.zero) { XCTFail("it ran") }
    clock.advance(by: .seconds(-5))
    XCTAssertEqual(start.duration(to: clock.now), .seconds(-5))
  }

  func testReleasingTheClockDropsScheduledClosures() {
    var promise: Promise<Int>?
    do {
      let (time, _) = TimeSource.manual()
      promise = Promise(1).delayed(by: .seconds(1), clock: time)
    }
    XCTAssertEqual(promise?.outcome?.error as? CacheError, .abandoned)
  }
}
