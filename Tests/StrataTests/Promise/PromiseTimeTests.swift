import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class PromiseTimeTests: XCTestCase {
  func testATimeoutFailsWithTimedOutAndStopsTheWork() {  // T57
    let (time, clock) = TimeSource.manual()
    let journal = Journal<String>()
    let work = Later<Int>("work", in: journal)
    let bounded = work.promise.timeout(after: .seconds(10), clock: time)
    clock.advance(by: .milliseconds(9_999))
    XCTAssertEqual(bounded.text, "pending")
    clock.advance(by: .milliseconds(1))
    XCTAssertEqual(bounded.outcome?.error as? CacheError, .timedOut(after: .seconds(10)))
    XCTAssertEqual(journal.entries, ["work stopped"])
  }

  func testAnOutcomeInTimePassesAndCancelsTheTimer() {
    for end in [Promise<Int>.Outcome.success(1), .failure(Broken.here), .cancelled] {
      for isSettledBefore in [false, true] {
        let (time, clock) = TimeSource.manual()
        let work = Later<Int>()
        if isSettledBefore { work.continuation.settle(end) }
        let bounded = work.promise.timeout(after: .seconds(10), clock: time)
        work.continuation.settle(end)
        XCTAssertEqual(bounded.text, end.text)
        XCTAssertEqual(clock.waiting, 0)
        clock.advance(by: .seconds(20))
        XCTAssertEqual(bounded.text, end.text)
      }
    }
  }

  func testATimeoutHoldsOneInterestAndWithdrawsIt() {
    let (time, clock) = TimeSource.manual()
    let work = Later<Int>()
    let keeper = work.promise.map { $0 }
    let late = work.promise.timeout(after: .seconds(10), clock: time)
    let cancelled = work.promise.timeout(after: .seconds(10), clock: time)
    XCTAssertEqual(work.promise.interests, 3)
    cancelled.cancel()
    clock.advance(by: .seconds(10))
    XCTAssertEqual(work.promise.interests, 1)
    XCTAssertEqual(clock.waiting, 0)
    work.continuation.succeed(1)
    XCTAssertEqual(
      [late.text, cancelled.text, keeper.text],
      ["failed: \(CacheError.timedOut(after: .seconds(10)))", "cancelled", "1"])
  }

  func testADelayStartsAtTheOutcomeAndPreservesIt() {  // T57
    for end in [Promise<Int>.Outcome.success(1), .failure(Broken.here), .cancelled] {
      let (time, clock) = TimeSource.manual()
      let work = Later<Int>()
      let delayed = work.promise.delayed(by: .seconds(10), clock: time)
      clock.advance(by: .seconds(5))
      work.continuation.settle(end)
      clock.advance(by: .seconds(9))
      XCTAssertEqual(delayed.text, "pending")
      clock.advance(by: .seconds(1))
      XCTAssertEqual(delayed.text, end.text)
    }
  }

  func testCancellingADelayReachesTheWorkOrTheClock() {
    let (time, clock) = TimeSource.manual()
    let journal = Journal<String>()
    let work = Later<Int>("work", in: journal)
    work.promise.delayed(by: .seconds(10), clock: time).cancel()
    XCTAssertEqual(journal.entries, ["work stopped"])
    let delayed = Promise(1).delayed(by: .seconds(10), clock: time)
    XCTAssertEqual(clock.waiting, 1)
    delayed.cancel()
    XCTAssertEqual(clock.waiting, 0)
    XCTAssertEqual(delayed.text, "cancelled")
  }

  func testALimitIncludesTheTimeThatTheWorkWaitsInAQueue() {
    let (time, clock) = TimeSource.manual()
    let level = ScriptedLevel(0, LevelScript(contents: [0: 5], hasSlowGets: true))
    let queue = level.cache.limited(toConcurrentGets: 1)
    let busy = queue.get(0)
    let bounded = Promise(0).delayed(by: .seconds(3), clock: time).flatMap { queue.get($0) }
      .timeout(after: .seconds(5), clock: time)
    clock.advance(by: .seconds(3))  // Now the get enters the queue.
    clock.advance(by: .seconds(2))
    XCTAssertEqual(bounded.outcome?.error as? CacheError, .timedOut(after: .seconds(5)))
    level.settle(0)
    XCTAssertEqual(busy.text, "5")
    XCTAssertEqual(level.events, ["get 0"], "The late get should have left the queue.")
    XCTAssertEqual(clock.waiting, 0)
  }
}
