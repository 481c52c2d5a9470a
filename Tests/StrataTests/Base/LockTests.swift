import Dispatch
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class LockTests: XCTestCase {
  func testCountsOfManyThreadsAreNotLost() {
    let count = Lock(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<10_000 { count.withLock { $0 += 1 } }
    }
    XCTAssertEqual(count.withLock { $0 }, 80_000)
  }

  func testAStateIsReleasedWithItsLock() {
    final class Token {}
    weak var weakToken: Token?
    do {
      let token = Token()
      weakToken = token
      let lock = Lock(token)
      XCTAssertTrue(lock.withLock { $0 === token })
    }
    XCTAssertNil(weakToken)
  }

  func testAThrowingBodyReleasesTheLock() {
    struct Refused: Error {}
    let lock = Lock(1)
    XCTAssertThrowsError(try lock.withLock { _ in throw Refused() })
    XCTAssertEqual(lock.withLock { $0 }, 1)
  }

  func testALockInUseIsNotFreeEvenForItsOwnThread() {
    let lock = Lock(1)
    XCTAssertEqual(lock.withLockIfFree { $0 }, 1)
    lock.withLock { _ in XCTAssertNil(lock.withLockIfFree { $0 }) }
    XCTAssertEqual(lock.withLockIfFree { $0 }, 1)
  }
}
