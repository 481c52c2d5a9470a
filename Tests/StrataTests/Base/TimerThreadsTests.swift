import Foundation
import XCTest

@testable import StrataCore

final class TimerThreadsTests: XCTestCase {
  /// Blocks 300 threads of the global queue until the test ends. `DispatchQueue` has fewer threads.
  func testATimerFiresWhileAProgramFillsTheGlobalQueue() {
    let end = DispatchSemaphore(value: 0)
    let blocks = 300
    for _ in 0..<blocks { DispatchQueue.global().async { end.wait() } }
    let fired = DispatchSemaphore(value: 0)
    _ = TimeSource.system.after(.milliseconds(5)) { fired.signal() }
    XCTAssertEqual(fired.wait(timeout: .now() + 20), .success)
    for _ in 0..<blocks { end.signal() }
  }

  func testAClosureThatBlocksDoesNotDelayOtherTimers() {
    let timers = TimerThreads()
    let (end, fired) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    for _ in 0..<20 { _ = timers.schedule(after: .milliseconds(1)) { end.wait() } }
    _ = timers.schedule(after: .milliseconds(5)) { fired.signal() }
    XCTAssertEqual(fired.wait(timeout: .now() + 60), .success)
    for _ in 0..<20 { end.signal() }
  }

  func testBlockedClosuresThatOccupyAllThreadsLetOtherTimersRunWhenTheyEnd() {
    let timers = TimerThreads()
    let (end, fired) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    for _ in 0..<80 { _ = timers.schedule(after: .zero) { end.wait() } }
    _ = timers.schedule(after: .milliseconds(1)) { fired.signal() }
    for _ in 0..<80 { end.signal() }
    XCTAssertEqual(fired.wait(timeout: .now() + 60), .success)
  }

  func testAnEarlierTimerWakesTheThreadThatWaitsForALaterOne() {
    let timers = TimerThreads()
    let fired = DispatchSemaphore(value: 0)
    let cancels = (0..<100).map { timers.schedule(after: .seconds(3_600 - $0)) {} }
    _ = timers.schedule(after: .milliseconds(1)) { fired.signal() }
    XCTAssertEqual(fired.wait(timeout: .now() + 60), .success)
    for cancel in cancels { cancel() }
  }

  /// Deadlines are mostly cancelled long before they pass, and each would wake the thread otherwise.
  func testATimerThatIsCancelledInTimeWakesNoThread() throws {
    let folder = Lock<String?>(nil)
    let timers = TimerThreads { work in
      try startThread {
        folder.withLock { $0 = ThreadSleeps.ownFolder }
        work()
      }
    }
    timers.schedule(after: .seconds(3_600)) {}()
    let fired = DispatchSemaphore(value: 0)
    _ = timers.schedule(after: .milliseconds(1)) { fired.signal() }
    fired.wait()
    guard let own = folder.withLock({ $0 }), let before = ThreadSleeps.count(in: own) else {
      throw XCTSkip("the sleeps of a thread are read from /proc")
    }
    for _ in 0..<200 {
      timers.schedule(after: .seconds(7_200)) {}()
      _ = ThreadSleeps.count(in: own)  // Takes long enough for the thread to wake.
    }
    XCTAssertLessThan(ThreadSleeps.count(in: own) ?? 0, before + 20)
  }

  func testAClosureRunsOnceOrIsCancelledOnManyThreads() {
    let timers = TimerThreads()
    let ran = Lock(0)
    let ended = DispatchSemaphore(value: 0)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<500 {
        let cancel = timers.schedule(after: .microseconds(number % 7 * 50)) {
          ran.withLock { $0 += 1 }
          if number % 2 == 0 { ended.signal() }
        }
        if number % 2 == 1 { cancel() }
      }
    }
    for _ in 0..<2_000 { XCTAssertEqual(ended.wait(timeout: .now() + 60), .success) }
    XCTAssertGreaterThanOrEqual(ran.withLock { $0 }, 2_000)
  }

  func testExtremeDelaysAreBounded() {
    let timers = TimerThreads()
    let fired = DispatchSemaphore(value: 0)
    let late = timers.schedule(after: .seconds(Int64.max) * 10) { XCTFail("It ran.") }
    _ = timers.schedule(after: .seconds(Int64.min) * 10) { fired.signal() }
    XCTAssertEqual(fired.wait(timeout: .now() + 60), .success)
    late()
  }

  /// The system has room for one thread, and its closure waits for the next timer.
  func testATimerFiresAlthoughTheOnlyThreadWaitsForIt() {
    struct NoThread: Error {}
    let isFirst = Lock(true)
    let timers = TimerThreads { body in
      let mayStart = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      guard mayStart else { throw NoThread() }
      try startThread(body)
    }
    let (next, fired) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    _ = timers.schedule(after: .zero) {
      _ = timers.schedule(after: .milliseconds(1)) { next.signal() }
      next.wait()
      fired.signal()
    }
    XCTAssertEqual(fired.wait(timeout: .now() + 60), .success)
    _ = timers.schedule(after: .milliseconds(1)) { fired.signal() }
    XCTAssertEqual(fired.wait(timeout: .now() + 60), .success)
  }
}
