import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class KeyVersionsTests: XCTestCase {
  private var versions = KeyVersions(remembering: 4)

  func testAWriteCountsWhenItBeginsAndWhenItEnds() {
    let before = versions.now
    _ = versions.begin(7)
    let during = versions.now
    XCTAssertTrue(versions.isWritten(7, since: before))
    XCTAssertFalse(versions.isWritten(7, since: during))
    XCTAssertTrue(versions.isOpen(7))
    versions.end(7)
    XCTAssertTrue(versions.isWritten(7, since: during))
    XCTAssertFalse(versions.isOpen(7))
    XCTAssertEqual(versions.keys.count, 0)
  }

  func testABackFillAfterAWriteIsTheLastWriteOfAWatchedKey() {
    var versions = KeyVersions()
    _ = versions.watch(1)
    let write = versions.begin(1)
    versions.end(1)
    XCTAssertTrue(versions.isLast(write, of: 1))
    _ = versions.fill(1)
    XCTAssertFalse(versions.isLast(write, of: 1))
  }

  func testAClearIsAWriteToEveryKey() {
    let before = versions.now
    _ = versions.begin(nil)
    XCTAssertTrue(versions.isWritten(7, since: before))
    XCTAssertTrue(versions.isOpen(8))
    versions.end(nil)
    XCTAssertFalse(versions.isOpen(8))
  }

  func testAWatchedKeyIsExactAndOthersAreForTheLastChanges() {
    let before = versions.now
    XCTAssertTrue(versions.watch(7, since: before))
    for _ in 0..<4 { versions.change(11) }
    XCTAssertTrue(versions.isWritten(11, since: before))
    XCTAssertFalse(versions.isWritten(8, since: before))
    versions.change(11)
    XCTAssertFalse(versions.isWritten(7, since: before))
    XCTAssertTrue(versions.isWritten(8, since: before), "Five changes are too many to know.")
    XCTAssertFalse(versions.watch(8, since: before))
    XCTAssertFalse(versions.isWritten(8, since: before + 1))
    versions.change(7)
    XCTAssertTrue(versions.isWritten(7, since: before))
    XCTAssertFalse(versions.watch(7, since: before))
    versions.unwatch(7)
    XCTAssertEqual(versions.keys.count, 0)
    XCTAssertTrue(versions.isWritten(7, since: before))
  }

  func testAReadThatBeginsNowIsCurrent() {
    versions.change(7)
    let version = versions.watch(7)
    XCTAssertFalse(versions.isWritten(7, since: version))
    versions.change(nil)
    XCTAssertTrue(versions.isWritten(7, since: version))
  }
}
