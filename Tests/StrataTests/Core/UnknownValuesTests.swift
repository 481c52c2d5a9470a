import XCTest

@testable import Strata

final class UnknownValuesTests: XCTestCase {
  func testAClearForgetsAFailedRemovalButNoWriteInFlight() {
    var unknown = UnknownValues()
    unknown.add(cleared: 1, of: 7)
    XCTAssertTrue(unknown.settle(1, of: 7, succeeded: false))
    XCTAssertEqual(unknown.beginRemoval(7, 2)?.isOfAll, false)
    XCTAssertNil(unknown.beginRemoval(7, 3), "Only one removal should be in flight.")
    unknown.endRemoval(2, of: 7, succeeded: false)
    // A `clear` begins while a `set` is in flight, and ends before the `set`.
    unknown.add(cleared: 3, of: 7)
    XCTAssertFalse(unknown.settle(4, of: nil, succeeded: true))
    XCTAssertTrue(unknown.contains(7))
    XCTAssertTrue(
      unknown.settle(3, of: 7, succeeded: true), "The set's value should be removed again.")
    XCTAssertNotNil(unknown.beginRemoval(7, 5))
    unknown.endRemoval(5, of: 7, succeeded: true)
    XCTAssertFalse(unknown.contains(7))
  }

  /// A `clear` begins and ends while a `set` is in flight. If a `set` ends after a later `clear`,
  /// the level may still contain the value of the `set`, so the key needs a removal. Before the
  /// level receives the removal, the queue receives a second `clear` and a second `set`.
  func testAClearDuringARemovalDoesNotHideTheNextValue() throws {
    var queue = WriteQueue()
    let (begun, work): (Lock<[Int]>, @Sendable () -> Void) = (Lock([]), {})
    XCTAssertTrue(queue.add(1, of: 7) { work })
    XCTAssertTrue(queue.add(2, of: nil) { work })
    _ = queue.finish(2, of: nil, removal: 3)
    let removal = try XCTUnwrap(queue.finish(1, of: 7, removal: 3).removal)
    XCTAssertTrue(queue.add(4, of: nil) { work })
    XCTAssertFalse(queue.add(5, of: 7) { { begun.withLock { $0.append(5) } } })
    queue.release(removal, of: 7).begin()
    XCTAssertEqual(begun.withLock { $0 }, [], "The set should also wait for the clear.")
    queue.endRemoval(removal, of: 7, succeeded: true)
    queue.finish(4, of: nil, removal: 6).begin()
    XCTAssertEqual(begun.withLock { $0 }, [5])
    _ = queue.finish(5, of: 7, removal: 6)
    XCTAssertFalse(queue.skips(7))
    XCTAssertEqual([queue.detours, queue.count], [0, 0])
  }
}
