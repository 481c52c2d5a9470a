import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class RetryLoopTests: XCTestCase {
  private let attempts = Journal<Int>()

  /// Returns a closure whose calls return settled promises with these outcomes, in order.
  private func make(_ outcomes: [Promise<Int>.Outcome]) -> @Sendable () -> Promise<Int> {
    { [attempts] in
      attempts.note(attempts.entries.count)
      return Promise(outcome: outcomes[attempts.entries.count - 1])
    }
  }

  func testThereIsOneAttemptMoreThanRetries() {  // T57
    let failures = (0..<4).map { _ in Promise<Int>.Outcome.failure(Broken.here) }
    XCTAssertEqual(retry(3, make(failures)).text, "failed: here")
    XCTAssertEqual(attempts.entries, [0, 1, 2, 3])
  }

  func testZeroAndFewerRetriesAreOneAttempt() {  // T57
    for count in [0, -1, .min] {
      let attempts = Journal<Int>()
      let promise = retry(count) {
        attempts.note(1)
        return Promise(error: Broken.here)
      }
      XCTAssertEqual(promise.text, "failed: here")
      XCTAssertEqual(attempts.entries, [1])
    }
  }

  func testTheMaximumNumberOfRetriesContinuesToTheFirstSuccess() {
    XCTAssertEqual(
      retry(.max, make([.failure(Broken.here), .failure(Broken.there), .success(3)])).text,
      "3")
    XCTAssertEqual(attempts.entries, [0, 1, 2])
  }

  func testTheLastFailureIsTheResult() {
    XCTAssertEqual(
      retry(1, make([.failure(Broken.here), .failure(Broken.there)])).text, "failed: there")
  }

  func testACancelledAttemptIsNotTriedAgain() {  // T57
    XCTAssertEqual(retry(5, make([.failure(Broken.here), .cancelled])).text, "cancelled")
    XCTAssertEqual(attempts.entries, [0, 1])
  }

  func testCancellingStopsTheRunningAttempt() {
    let journal = Journal<String>()
    let works = (0..<3).map { Later<Int>("\($0)", in: journal) }
    let attempts = attempts
    let promise = retry(2) {
      attempts.note(1)
      return works[attempts.entries.count - 1].promise
    }
    works[0].continuation.fail(Broken.here)
    promise.cancel()
    XCTAssertEqual(journal.entries, ["1 stopped"])
    XCTAssertEqual(attempts.entries, [1, 1])
  }

  func testAttemptsAreADelayApart() {
    let (time, clock) = TimeSource.manual()
    let attempts = Journal<Duration>()
    let start = clock.now
    let promise = retry(2, every: .seconds(10), clock: time) {
      attempts.note(start.duration(to: clock.now))
      return Promise(error: Broken.here)
    }
    clock.advance(by: .seconds(9))
    XCTAssertEqual(attempts.entries, [.zero])
    clock.advance(by: .seconds(100))
    XCTAssertEqual(attempts.entries, [.zero, .seconds(10), .seconds(20)])
    XCTAssertEqual(promise.text, "failed: here")
  }

  func testCancellingInTheDelayBeginsNoMoreAttempts() {
    let (time, clock) = TimeSource.manual()
    let attempts = attempts
    let promise = retry(2, every: .seconds(10), clock: time) {
      attempts.note(1)
      return Promise(error: Broken.here)
    }
    promise.cancel()
    XCTAssertEqual(clock.waiting, 0)
    clock.advance(by: .seconds(100))
    XCTAssertEqual(attempts.entries, [1])
    XCTAssertEqual(promise.text, "cancelled")
  }

  /// A timer can run the next attempt on another thread before the function that starts the timer
  /// has returned.
  func testCancellingStopsAnAttemptThatAFastTimerHasBegun() {
    let fast = TimeSource(
      now: TimeSource.system.now,
      after: { _, work in
        onSmallStack(work)
        return {}
      })
    let journal = Journal<String>()
    let works = (0..<3).map { Later<Int>("\($0)", in: journal) }
    let attempts = attempts
    let promise = retry(2, every: .seconds(10), clock: fast) {
      attempts.note(1)
      return works[attempts.count - 1].promise
    }
    works[0].continuation.fail(Broken.here)
    promise.cancel()
    XCTAssertEqual(journal.entries, ["1 stopped"])
    XCTAssertEqual(attempts.entries, [1, 1])
  }
}

/// Runs a retry loop that retries after every failure.
func retry(
  _ count: Int, every delay: Duration = .zero, clock: TimeSource = .system,
  _ make: @escaping @Sendable () -> Promise<Int>
) -> Promise<Int> {
  RetryLoop(count: count, delay: { _ in delay }, clock: clock, make: make).promise()
}
