import Strata
import StrataMigration
import XCTest

final class RetryTests: XCTestCase {
  func testThereIsOneAttemptMoreThanRetries() {  // T57
    let attempts = Journal<Int>()
    let promise = retry(3) {
      attempts.note(1)
      return Promise<Int>(error: Broken.here)
    }
    XCTAssertEqual(promise.text, "failed: here")
    XCTAssertEqual(attempts.entries.count, 4)
  }

  func testZeroAndFewerRetriesAreOneAttempt() {  // T57
    for count in [0, -1, .min] {
      let attempts = Journal<Int>()
      let promise = retry(count) {
        attempts.note(1)
        return Promise<Int>(error: Broken.here)
      }
      XCTAssertEqual(promise.text, "failed: here")
      XCTAssertEqual(attempts.entries, [1])
    }
  }

  func testAMissIsRetriedToo() {
    let attempts = Journal<Int>()
    let promise = retry(1) {
      attempts.note(1)
      return Promise<Int>(error: CacheError.notFound)
    }
    XCTAssertEqual(promise.outcome?.error as? CacheError, .notFound)
    XCTAssertEqual(attempts.entries, [1, 1])
  }

  func testCancellingInTheDelayBeginsNoMoreAttempts() {
    let (time, clock) = TimeSource.manual()
    let attempts = Journal<Int>()
    let promise = retry(2, every: .seconds(10), clock: time) {
      attempts.note(1)
      return Promise<Int>(error: Broken.here)
    }
    promise.cancel()
    XCTAssertEqual(clock.waiting, 0)
    XCTAssertEqual(promise.text, "cancelled")
    XCTAssertEqual(attempts.entries, [1])
  }
}
