import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class BytesTests: XCTestCase {
  func testATextIsFoundAtItsOffsetAndNowhereElse() {
    Array("a<!--b".utf8).withUnsafeBytes { bytes in
      XCTAssertEqual((0..<8).filter { bytes.has("<!--", at: $0) }, [1])
      XCTAssertTrue(bytes.has("a<!--b"))
      XCTAssertFalse(bytes.has("a<!--bc"))
      XCTAssertTrue(bytes.has("", at: 6))
      XCTAssertFalse(bytes.has("", at: 7))
    }
  }

  func testDataOfATextIsItsUTF8() {
    for text in ["", "a", "é日本", String(repeating: "x", count: 1_000)] {
      XCTAssertEqual(Array(Data(utf8: text)), Array(text.utf8))
    }
    XCTAssertTrue(Data([1, 65, 66]).dropFirst().has("AB"))
  }

  func testANumberIsReadFromItsFirstByte() {
    let data = Data([9, 9, 1, 2, 3, 4, 5, 6, 7, 8]).dropFirst()
    XCTAssertEqual(data.number(at: 1, bytes: 8), 0x0807_0605_0403_0201)
    XCTAssertEqual(data.number(at: 1, bytes: 4), 0x0403_0201)
  }

  func testDataIsEqualIfItsBytesAre() {
    let data = Data(0..<100)
    XCTAssertTrue(data.isEqual(to: Data([7] + Array(0..<100)).dropFirst()))
    XCTAssertFalse(data.isEqual(to: Data(0..<99)))
    XCTAssertFalse(data.isEqual(to: Data(repeating: 0, count: 100)))
  }

  func testOnlyDigitsOfTheRadixAreANumber() {
    XCTAssertEqual(UInt64(digits: "0"), 0)
    XCTAssertEqual(UInt64(digits: "0042"), 42)
    XCTAssertEqual(UInt64(digits: "18446744073709551615"), .max)
    XCTAssertEqual(UInt64(digits: "0123456789abcdef", radix: 16), 0x0123_4567_89ab_cdef)
    for text in [
      "", "+1", "-1", " 1", "1 ", "1a", "a", ":", "/", "é", "18446744073709551616",
      "184467440737095516150",
    ] {
      XCTAssertNil(UInt64(digits: text), text)
    }
    for text in ["", "g", "A", ":", "@", "`", "10000000000000000"] {
      XCTAssertNil(UInt64(digits: text, radix: 16), text)
    }
  }
}
