import Dispatch
import XCTest

@testable import Strata

final class AdaptiveLockTests: XCTestCase {
  func testTryLockIsExclusiveAndDoesNotWait() {
    let lock = AdaptiveLock(1)
    lock.withLock { _ in XCTAssertNil(lock.tryLock()) }
    XCTAssertEqual(lock.tryLock()?.pointee, 1)
    XCTAssertNil(lock.tryLock())
    lock.unlock()
    XCTAssertEqual(lock.withLock { $0 }, 1)
  }

  /// Half of the threads always call `withLock`. The other half first call `tryLock`, and call
  /// `withLock` only if `tryLock` fails.
  func testCountsOfManyThreadsAreNotLost() {
    let lock = AdaptiveLock(0)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for _ in 0..<10_000 {
        if thread % 2 == 0, let state = lock.tryLock() {
          state.pointee += 1
          lock.unlock()
        } else {
          lock.withLock { $0 += 1 }
        }
      }
    }
    XCTAssertEqual(lock.withLock { $0 }, 80_000)
  }

  func testAStateIsReleasedWithItsLock() {
    final class Token {}
    weak var weakToken: Token?
    do {
      let token = Token()
      weakToken = token
      let lock = AdaptiveLock(token)
      XCTAssertTrue(lock.withLock { $0 === token })
    }
    XCTAssertNil(weakToken)
  }
}
