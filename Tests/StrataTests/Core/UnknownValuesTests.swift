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
    queue.receive(removal, of: 7).begin()
    XCTAssertEqual(begun.withLock { $0 }, [], "The set should also wait for the clear.")
    queue.endRemoval(removal, of: 7, succeeded: true)
    queue.finish(4, of: nil, removal: 6).begin()
    XCTAssertEqual(begun.withLock { $0 }, [5])
    _ = queue.finish(5, of: 7, removal: 6)
    XCTAssertFalse(queue.skips(7))
    XCTAssertEqual([queue.detours, queue.count], [0, 0])
  }

  /// A `clear` begins during a `set`, and ends after the `set`. The level might have stored the
  /// value after it had run the `clear`.
  func testAClearDoesNotReplaceTheRemovalOfASetThatEndedDuringIt() throws {
    var queue = WriteQueue()
    XCTAssertTrue(queue.add(1, of: 7) { {} })
    XCTAssertTrue(queue.add(2, of: nil) { {} })
    let removal = try XCTUnwrap(queue.finish(1, of: 7, removal: 3).removal)
    XCTAssertNil(queue.finish(2, of: nil, removal: 4).removal)
    XCTAssertTrue(queue.skips(7), "The removal is still in flight.")
    _ = queue.receive(removal, of: 7)
    queue.endRemoval(removal, of: 7, succeeded: true)
    XCTAssertFalse(queue.skips(7))
    XCTAssertEqual([queue.detours, queue.count], [0, 0])
  }

  func testALateWriteThatSucceedsReplacesAFailedRemovalAndOneThatFailsDoesNot() throws {
    for succeeds in [true, false] {
      var queue = WriteQueue()
      XCTAssertTrue(queue.add(1, of: 7) { {} })
      XCTAssertNotNil(queue.expire(1, of: 7))
      let next = queue.finish(1, of: 7, succeeded: false, removal: 2)
      let removal = try XCTUnwrap(next.removal)
      _ = queue.receive(removal, of: 7)
      queue.endRemoval(removal, of: 7, succeeded: false)
      XCTAssertTrue(queue.add(3, of: 7) { {} })
      XCTAssertNotNil(queue.expire(3, of: 7))
      let last = queue.finish(3, of: 7, succeeded: succeeds, removal: 4)
      XCTAssertEqual(last.removal == nil, succeeds)
      XCTAssertEqual(queue.skips(7), !succeeds)
    }
  }
}
