import StrataLaws
import XCTest

@testable import Strata

final class RecordTests: XCTestCase {
  private let record = Record(key: "schlüssel", value: Stamp(key: "k", version: 1).value())

  private func decoded(_ bytes: [UInt8]) -> Record? { bytes.withUnsafeBytes { Record($0) } }

  func testARecordSurvivesItsEncoding() {
    let deadlines: [Int64] = [.max, .min, 0, -1]
    for deadline in deadlines {
      for value in [Data(), Data([0]), Stamp(key: "", version: 2).value(length: 5000)] {
        for key in ["", "a", "\u{0}", "é🙂"] {
          let record = Record(key: key, value: value, deadline: deadline)
          let bytes = record.encoded()
          XCTAssertEqual(bytes.count, Record.length(key: key, value: value))
          XCTAssertEqual(decoded(bytes), record)
        }
      }
    }
  }

  /// A value must not carry the offsets of the file it came from.
  func testAValueStartsAtZero() {
    XCTAssertEqual(decoded(record.encoded())?.value.startIndex, 0)
  }

  func testALayoutThatOtherVersionsCanRelyOn() {
    let bytes = Record(key: "k", value: Data([9]), deadline: 258).encoded()
    let head: [UInt8] = Array("strata\u{1a}\n".utf8) + [1, 0, 0, 0, 0, 0, 0, 0]
    let lengths: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    XCTAssertEqual(Array(bytes[..<40]), head + lengths + [2, 1, 0, 0, 0, 0, 0, 0])
    XCTAssertEqual(Array(bytes[48...]), [UInt8(ascii: "k"), 9])
  }

  func testLengthsThatDoNotAddUpAreRefusedBeforeAnythingIsRead() {
    let bombs: [UInt64] = [1 << 63, 1 << 32, .max, .max - 47, 1 << 20]
    for bomb in bombs {
      for field in [16, 24] {
        var bytes = record.encoded()
        withUnsafeBytes(of: bomb.littleEndian) {
          bytes.replaceSubrange(field..<field + 8, with: $0)
        }
        XCTAssertNil(bytes.withUnsafeBytes { Record.Header($0, fileSize: bytes.count) })
      }
    }
  }

  func testLengthsThatAddUpByOverflowAreRefused() {
    var bytes = record.encoded()
    let room = UInt64(bytes.count - Record.headerLength)
    for (field, length) in [(16, room &+ 2), (24, UInt64.max - 1)] {
      withUnsafeBytes(of: length.littleEndian) {
        bytes.replaceSubrange(field..<field + 8, with: $0)
      }
    }
    XCTAssertNil(decoded(bytes))
  }

  func testAnotherVersionIsRefusedEvenIfItsChecksumIsRight() {
    var bytes = record.encoded()
    bytes[8] = 2
    let checksum = bytes.withUnsafeBytes(Record.checksum)
    withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(40..<48, with: $0) }
    XCTAssertNil(decoded(bytes))
  }

  func testEveryShorterOrLongerFileIsRefused() {
    let bytes = record.encoded()
    for count in 0..<bytes.count { XCTAssertNil(decoded(Array(bytes[..<count])), "\(count)") }
    XCTAssertNil(decoded(bytes + [0]))
  }

  func testRandomBytesAreRefused() {
    var random = SeededGenerator(seed: 28)
    for _ in 0..<2_000 {
      var bytes = (0..<Int.random(in: 0..<200, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) {
        let head = record.encoded().prefix(32)
        bytes.replaceSubrange(..<min(32, bytes.count), with: head.prefix(bytes.count))
      }
      XCTAssertNil(decoded(bytes))
    }
  }

  /// Words a permuted field or a value moved into the key would leave intact.
  func testTheChecksumCoversWhereTheKeyEnds() {
    let one = Record(key: "a", value: Data("bc".utf8)).encoded()
    let other = Record(key: "ab", value: Data("c".utf8)).encoded()
    XCTAssertNotEqual(one[40..<48], other[40..<48])
  }
}
