import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class ExpirationTrackerTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private lazy var tracker = ExpirationTracker<Stamped<Int>>(time.now) {
    ($0.storedAt, $0.expiresAt)
  }

  private func stamped(_ lifetime: Duration?, after delay: Duration = .zero) -> Stamped<Int> {
    Stamped(1, storedAt: clock.now.advanced(by: delay), lasting: lifetime)
  }

  func testOnlyUnexpiredValuesAreAdmitted() {
    XCTAssertTrue(tracker.admits(stamped(nil)))
    XCTAssertTrue(tracker.admits(stamped(.seconds(1))))
    XCTAssertFalse(tracker.admits(stamped(.zero)))
    XCTAssertFalse(
      tracker.admits(stamped(nil, after: .seconds(61))), "A stamp in the future should be refused.")
  }

  func testAnEarlierExpirationIsDetected() {
    XCTAssertTrue(tracker.expires(stamped(.seconds(2)), noEarlierThan: stamped(.seconds(1))))
    XCTAssertTrue(tracker.expires(stamped(.seconds(2)), noEarlierThan: stamped(.seconds(2))))
    XCTAssertFalse(tracker.expires(stamped(.seconds(1)), noEarlierThan: stamped(.seconds(2))))
    XCTAssertTrue(tracker.expires(stamped(nil), noEarlierThan: stamped(.seconds(2))))
    XCTAssertFalse(tracker.expires(stamped(.seconds(2)), noEarlierThan: stamped(nil)))
  }

  func testNothingIsDueUntilTheClockHasPassedAnExpiration() throws {
    _ = tracker.admits(stamped(nil))
    tracker.schedule(1, stamped(.seconds(10)))
    tracker.schedule(2, stamped(.seconds(20)))
    tracker.schedule(3, stamped(nil))
    XCTAssertNil(tracker.dueTick)
    clock.advance(by: .seconds(15))
    XCTAssertNil(tracker.dueTick, "The tracker should use the time of the latest value.")
    _ = tracker.admits(stamped(nil))
    let now = try XCTUnwrap(tracker.dueTick)
    XCTAssertEqual(tracker.next(by: now), 1)
    XCTAssertNil(tracker.next(by: now))
    tracker.updateDue()
    XCTAssertNil(tracker.dueTick)
  }

  func testARemovedEntryIsNotDue() {
    _ = tracker.admits(stamped(nil))
    tracker.schedule(1, stamped(.seconds(1)))
    tracker.schedule(2, stamped(.seconds(1)))
    tracker.unschedule(1)
    clock.advance(by: .seconds(5))
    _ = tracker.admits(stamped(nil))
    XCTAssertEqual(tracker.dueTick.flatMap(tracker.next), 2)
    tracker.schedule(3, stamped(.seconds(1)))
    tracker.removeAll()
    clock.advance(by: .seconds(5))
    _ = tracker.admits(stamped(nil))
    XCTAssertNil(tracker.dueTick)
  }
}
