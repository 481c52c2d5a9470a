import XCTest

@testable import Strata

final class WriteTrackerTests: XCTestCase {
  private var tracker = WriteTracker()
  private var lastGet: UInt = 0
  private let (key, other) = (1, 2)

  /// Returns an untracked get that started at a version of the tracker. The default is the current
  /// version.
  private func start(_ hash: Int? = nil, seen version: UInt? = nil) -> WriteTracker.Get {
    lastGet += 1
    return WriteTracker.Get(hash ?? key, seen: version ?? tracker.version, number: lastGet)
  }

  private func begin() -> WriteTracker.Get {
    lastGet += 1
    return tracker.begin(key, number: lastGet)
  }

  private func write(_ hash: Int?) {
    tracker.beginWrite(hash)
    tracker.endWrite(hash)
  }

  func testAGetThatMetNoWriteMayBackFill() throws {
    for begins in [false, true] {
      let get = begins ? begin() : start()
      XCTAssertTrue(tracker.isCurrent(get))
      XCTAssertTrue(tracker.beginBackFill(get))
    }
  }

  func testAWriteOfItsKeyOvertakesAGetAndOneOfAnotherKeyDoesNot() throws {
    for begins in [false, true] {
      let get = begins ? begin() : start()
      write(other)
      XCTAssertTrue(tracker.isCurrent(get))
      tracker.beginWrite(key)
      XCTAssertFalse(tracker.isCurrent(get))
      tracker.endWrite(key)
      XCTAssertFalse(tracker.isCurrent(get))
      XCTAssertFalse(tracker.beginBackFill(get))
    }
  }

  func testAClearOvertakesEveryGet() throws {
    let gets = [start(), begin()]
    tracker.beginWrite(nil)
    XCTAssertEqual(gets.map(tracker.isCurrent), [false, false])
    let during = start()
    XCTAssertFalse(tracker.isCurrent(during))
    XCTAssertNil(tracker.begin(during))
    tracker.endWrite(nil)
    XCTAssertNil(tracker.begin(during))
    XCTAssertNotNil(tracker.begin(start()))
  }

  func testAClearInFlightOvertakesAGetBesideAnotherGetOfItsKey() {
    tracker.beginWrite(nil)
    let other = begin()
    let get = start()
    XCTAssertFalse(tracker.beginBackFill(get))
    XCTAssertTrue(tracker.isCurrent(other), "The clear should not overtake the other get.")
  }

  func testAGetThatLookedBeforeOrDuringAWriteOfItsKeyDoesNotBegin() {
    let before = tracker.version
    tracker.beginWrite(key)
    let during = tracker.version
    XCTAssertNil(tracker.begin(start(seen: during)))
    tracker.endWrite(key)
    XCTAssertNil(tracker.begin(start(seen: before)))
    XCTAssertNil(tracker.begin(start(seen: during)))
    XCTAssertNotNil(tracker.begin(start()))
    XCTAssertNotNil(tracker.begin(start(other, seen: before)))
  }

  func testAGetSeesMoreChangesThanAreRememberedOnlyAfterItHasBegun() throws {
    for (count, begins, isCurrent) in [(64, false, true), (65, false, false), (65, true, true)] {
      tracker = WriteTracker(changes: 128)
      let get = begins ? begin() : start()
      for hash in 100..<100 + count { write(hash) }
      XCTAssertEqual(tracker.isCurrent(get), isCurrent, "\(count) writes")
    }
  }

  func testAGetThatBeginsDuringAWriteIsOvertakenByItsEnd() {
    tracker.beginWrite(key)
    let get = begin()
    XCTAssertTrue(tracker.isCurrent(get))
    tracker.endWrite(key)
    XCTAssertFalse(tracker.isCurrent(get))
  }

  func testTheStoredValueOfALaterGetOvertakesAnEarlierOne() throws {
    for (earlyBegins, lateBegins) in [(true, true), (true, false), (false, true), (false, false)] {
      tracker = WriteTracker()
      var (early, late) = (start(), start())
      if earlyBegins { early = try XCTUnwrap(tracker.begin(early)) }
      if lateBegins { late = try XCTUnwrap(tracker.begin(late)) }
      XCTAssertTrue(tracker.beginBackFill(late))
      XCTAssertFalse(tracker.beginBackFill(early))
      XCTAssertTrue(tracker.beginBackFill(late), "A get should be able to fill several levels.")
      XCTAssertTrue(tracker.beginBackFill(start()))
    }
  }

  func testTheStoredValueOfAnEarlierGetDoesNotOvertakeALaterOne() throws {
    for (earlyBegins, lateBegins) in [(true, true), (true, false), (false, true), (false, false)] {
      tracker = WriteTracker()
      var (early, late) = (start(), start())
      if earlyBegins { early = try XCTUnwrap(tracker.begin(early)) }
      XCTAssertTrue(tracker.beginBackFill(early))
      if lateBegins { late = try XCTUnwrap(tracker.begin(late)) }
      XCTAssertTrue(tracker.beginBackFill(late))
    }
  }

  func testAGetBeginsOnlyIfNoLaterGetHasStoredItsValue() {
    let (early, late) = (start(), start())
    XCTAssertTrue(tracker.beginBackFill(late))
    XCTAssertNil(tracker.begin(early))
  }

  func testTheEndOfAnOvertakenGetDoesNotAffectALaterGetOfItsKey() {
    let overtaken = begin()
    write(key)
    let later = begin()
    tracker.end(overtaken)
    XCTAssertTrue(tracker.isCurrent(later))
    XCTAssertTrue(tracker.beginBackFill(later))
  }

  func testAnEndedGetIsNotCurrent() {
    let get = begin()
    tracker.end(get)
    XCTAssertFalse(tracker.isCurrent(get))
  }

  func testAThousandBackFillsOfOtherKeysDoNotOvertakeAGet() {
    var tracker = WriteTracker()
    let get = WriteTracker.Get(0, seen: tracker.version, number: 1)
    for hash in 1...1_000 {
      let other = WriteTracker.Get(hash, seen: tracker.version, number: UInt(hash) + 1)
      XCTAssertTrue(tracker.beginBackFill(other))
    }
    XCTAssertTrue(tracker.isCurrent(get))
  }
}
