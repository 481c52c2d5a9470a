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

  /// In an optimized build, an unused result would otherwise be released under the lock.
  func testAnUnusedResultIsReleasedAfterUnlocking() {
    final class Witness: Sendable {
      let lock: Lock<[Witness]>
      let releases: Lock<[Bool]>
      init(_ lock: Lock<[Witness]>, _ releases: Lock<[Bool]>) {
        (self.lock, self.releases) = (lock, releases)
      }
      deinit {
        let isFree = lock.withLockIfFree { _ in true } ?? false
        releases.withLock { $0.append(isFree) }
      }
    }
    let (lock, releases) = (Lock<[Witness]>([]), Lock<[Bool]>([]))
    func add() { lock.withLock { $0 = [Witness(lock, releases)] } }
    add()
    _ = lock.withLock { $0.removeLast() }
    add()
    _ = lock.withLock { state in
      defer { state = [] }
      return state
    }
    add()
    _ = lock.withLockIfFree { state in
      defer { state = [] }
      return state
    }
    let adaptive = AdaptiveLock([Witness(lock, releases)])
    _ = adaptive.withLock { state in
      defer { state = [] }
      return lock.withLock { _ in state }
    }
    XCTAssertEqual(releases.withLock { $0 }, [true, true, true, true])
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
