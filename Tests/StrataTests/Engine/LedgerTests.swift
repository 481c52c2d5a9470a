import XCTest

@testable import Strata

/// What a sum decides a back-fill by: whether a get has met a write of its key.
final class LedgerTests: XCTestCase {
  private var ledger = Ledger(levels: 2)
  private let (key, other) = (1, 2)

  func testAGetThatMetNoWriteMayBackFill() throws {
    let entry = try XCTUnwrap(ledger.enter(key, seen: ledger.version))
    XCTAssertTrue(ledger.isValid(entry))
  }

  func testAWriteOfItsKeyOvertakesAGetAndOneOfAnotherKeyDoesNot() throws {
    let entry = try XCTUnwrap(ledger.enter(key, seen: ledger.version))
    ledger.beginWrite(other)
    ledger.endWrite(other)
    XCTAssertTrue(ledger.isValid(entry))
    ledger.beginWrite(key)
    XCTAssertFalse(ledger.isValid(entry))
    ledger.endWrite(key)
    XCTAssertFalse(ledger.isValid(entry))
  }

  func testAClearOvertakesEveryGet() throws {
    let entry = try XCTUnwrap(ledger.enter(key, seen: ledger.version))
    ledger.beginWrite(nil)
    XCTAssertFalse(ledger.isValid(entry))
    XCTAssertNil(ledger.enter(key, seen: ledger.version))
    ledger.endWrite(nil)
    XCTAssertNotNil(ledger.enter(key, seen: ledger.version))
  }

  func testAGetThatLookedBeforeOrDuringAWriteOfItsKeyIsNotEntered() {
    let before = ledger.version
    ledger.beginWrite(key)
    let during = ledger.version
    XCTAssertNil(ledger.enter(key, seen: during))
    ledger.endWrite(key)
    XCTAssertNil(ledger.enter(key, seen: before))
    XCTAssertNil(ledger.enter(key, seen: during))
    XCTAssertNotNil(ledger.enter(key, seen: ledger.version))
    XCTAssertNotNil(ledger.enter(other, seen: before))
  }

  func testAGetThatMissedMoreWritesThanAreRememberedIsNotEntered() {
    let before = ledger.version
    for hash in 100..<200 {
      ledger.beginWrite(hash)
      ledger.endWrite(hash)
    }
    XCTAssertNil(ledger.enter(key, seen: before))
  }
}
