import XCTest

@testable import Strata

final class WriteTrackerTests: XCTestCase {
  private var tracker = WriteTracker()
  private let (key, other) = (1, 2)

  func testAGetThatMetNoWriteMayBackFill() throws {
    let get = try XCTUnwrap(tracker.begin(key, seen: tracker.version))
    XCTAssertTrue(tracker.isCurrent(get))
  }

  func testAWriteOfItsKeyOvertakesAGetAndOneOfAnotherKeyDoesNot() throws {
    let get = try XCTUnwrap(tracker.begin(key, seen: tracker.version))
    tracker.beginWrite(other)
    tracker.endWrite(other)
    XCTAssertTrue(tracker.isCurrent(get))
    tracker.beginWrite(key)
    XCTAssertFalse(tracker.isCurrent(get))
    tracker.endWrite(key)
    XCTAssertFalse(tracker.isCurrent(get))
  }

  func testAClearOvertakesEveryGet() throws {
    let get = try XCTUnwrap(tracker.begin(key, seen: tracker.version))
    tracker.beginWrite(nil)
    XCTAssertFalse(tracker.isCurrent(get))
    XCTAssertNil(tracker.begin(key, seen: tracker.version))
    tracker.endWrite(nil)
    XCTAssertNotNil(tracker.begin(key, seen: tracker.version))
  }

  func testAGetThatLookedBeforeOrDuringAWriteOfItsKeyIsNotEntered() {
    let before = tracker.version
    tracker.beginWrite(key)
    let during = tracker.version
    XCTAssertNil(tracker.begin(key, seen: during))
    tracker.endWrite(key)
    XCTAssertNil(tracker.begin(key, seen: before))
    XCTAssertNil(tracker.begin(key, seen: during))
    XCTAssertNotNil(tracker.begin(key, seen: tracker.version))
    XCTAssertNotNil(tracker.begin(other, seen: before))
  }

  func testAGetThatMissedMoreWritesThanAreRememberedIsNotEntered() {
    let before = tracker.version
    for hash in 100..<200 {
      tracker.beginWrite(hash)
      tracker.endWrite(hash)
    }
    XCTAssertNil(tracker.begin(key, seen: before))
  }

  func testAGetThatBeginsDuringAWriteIsOvertakenByItsEnd() {
    tracker.beginWrite(key)
    let get = tracker.begin(key)
    XCTAssertTrue(tracker.isCurrent(get))
    tracker.endWrite(key)
    XCTAssertFalse(tracker.isCurrent(get))
  }

  func testTheStoredValueOfALaterGetOvertakesAnEarlierOne() {
    let (early, late) = (tracker.begin(key), tracker.begin(key))
    XCTAssertTrue(tracker.beginBackFill(late))
    XCTAssertFalse(tracker.beginBackFill(early))
    XCTAssertTrue(tracker.beginBackFill(late), "A get may fill several levels.")
    tracker.end(early)
    tracker.end(late)
    XCTAssertTrue(tracker.beginBackFill(tracker.begin(key)))
  }

  func testAnEndedGetIsNotCurrent() {
    let get = tracker.begin(key)
    tracker.end(get)
    XCTAssertFalse(tracker.isCurrent(get))
  }
}
