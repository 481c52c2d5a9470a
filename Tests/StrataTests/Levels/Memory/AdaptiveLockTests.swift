import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class AdaptiveLockTests: XCTestCase {
  func testTryLockIsExclusiveAndDoesNotWait() {
    let lock = AdaptiveLock(1)
    lock.withLock { _ in XCTAssertNil(lock.tryLock()) }
    XCTAssertEqual(lock.tryLock()?.pointee, 1)
    XCTAssertNil(lock.tryLock())
    lock.unlock()
    XCTAssertEqual(lock.withLock { $0 }, 1)
  }

  /// Four of the eight loops always call `withLock`. Each of the other four loops calls `tryLock`
  /// first, and calls `withLock` only if `tryLock` fails.
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

  /// The kernel counts a thread's sleeps in the thread's directory in `/proc`. The test waits until
  /// the thread has slept five times, or has used a second of processor time without enough sleeps.
  func testAThreadThatWaitsLongSleeps() throws {
    guard let own = ThreadSleeps.ownFolder, ThreadSleeps.count(in: own) != nil else {
      throw XCTSkip("the sleeps of a thread are read from /proc")
    }
    let (lock, folder) = (AdaptiveLock(0), Lock<String?>(nil))
    let (hasBegun, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    XCTAssertNotNil(lock.tryLock())
    let thread = Thread {
      folder.withLock { $0 = ThreadSleeps.ownFolder }
      hasBegun.signal()
      lock.withLock { $0 += 1 }
      hasEnded.signal()
    }
    thread.start()
    hasBegun.wait()
    let waiter = try XCTUnwrap(folder.withLock { $0 })
    let (before, begin) = (ThreadSleeps.count(in: waiter) ?? 0, Self.ticks(of: waiter))
    while ThreadSleeps.count(in: waiter) ?? 0 < before + 5, Self.ticks(of: waiter) < begin + 100 {}
    XCTAssertGreaterThanOrEqual(ThreadSleeps.count(in: waiter) ?? 0, before + 5)
    lock.unlock()
    hasEnded.wait()
    XCTAssertEqual(lock.withLock { $0 }, 1)
  }

  /// The processor time of a thread in hundredths of a second.
  private static func ticks(of folder: String) -> Int {
    let text = (try? String(contentsOfFile: folder + "stat", encoding: .utf8)) ?? ""
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : .max
  }
}
