import XCTest

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

final class BodyLengthTests: XCTestCase {
  func testALengthIsANumberOfDigits() throws {
    for (value, length) in [("0", 0), ("17", 17), (" 17 ", 17), ("17, 17", 17)] {
      XCTAssertEqual(try BodyLength.announced(by: ["CONTENT-length": value]), length, value)
    }
    XCTAssertNil(try BodyLength.announced(by: [:]))
    XCTAssertEqual(
      try BodyLength.announced(by: ["Content-Length": "17", "content-length": "17"]), 17)
  }

  func testAnyOtherLengthIsAConflict() {
    for value in ["17, 18", "+17", "-1", "0x1", "99999999999999999999", "17,", "", "1 7", "1e2"] {
      XCTAssertThrowsError(try BodyLength.announced(by: ["Content-Length": value]), value)
    }
    XCTAssertThrowsError(
      try BodyLength.announced(by: ["Content-Length": "1", "content-length": "2"]))
  }

  func testChunksAreTheOnlyTransferCoding() {
    for coding in ["chunked", "Chunked", "identity"] {
      XCTAssertNoThrow(try BodyLength.checkTransferCoding(of: ["Transfer-Encoding": coding]))
    }
    for coding in ["gzip", "gzip, chunked", "chunked, chunked", "", "chunked;a=b"] {
      XCTAssertThrowsError(
        try BodyLength.checkTransferCoding(of: ["Transfer-Encoding": coding]), coding)
    }
    XCTAssertThrowsError(
      try BodyLength.checkTransferCoding(
        of: ["Transfer-Encoding": "identity", "Transfer-Encoding": "chunked"]))
  }

  func testABodyThatOnlyTheConnectionEndsIsKnown() {
    func check(_ fields: HeaderFields, status: Int = 200, method: String = "GET") throws {
      try BodyLength.checkEnd(of: ResponseHead(status: status, fields: fields), method: method)
    }
    XCTAssertThrowsError(try check([:]))
    XCTAssertThrowsError(try check(["Transfer-Encoding": "identity"]))
    XCTAssertNoThrow(try check(["content-length": "1"]))
    XCTAssertNoThrow(try check(["Transfer-Encoding": "chunked"]))
    XCTAssertNoThrow(try check([:], method: "HEAD"))
    XCTAssertNoThrow(try check([:], status: 304))
  }
}
