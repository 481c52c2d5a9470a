import XCTest

@testable import Strata

final class RecordHeaderTests: XCTestCase {
  private func record(_ key: String = "key", _ value: String = "value") -> [UInt8] {
    let (key, value) = (Array(key.utf8), Array(value.utf8))
    var bytes = [UInt8](repeating: 0, count: 64) + key + value
    let header = key.withUnsafeBytes { key in
      value.withUnsafeBytes { value in
        RecordHeader(
          .set, key: key, value: value, hash: RecordHeader.hash(of: key), born: 0x0102,
          deadline: 0x0304, mark: 0x0506)
      }
    }
    bytes.withUnsafeMutableBytes { _ = header.write(to: $0, in: 99) }
    return bytes
  }

  private func header(_ bytes: [UInt8], in segment: UInt64 = 99) -> RecordHeader? {
    bytes.withUnsafeBytes { RecordHeader($0, in: segment) }
  }

  /// The format, byte for byte: a store that another version has written depends on it.
  func testTheFormatIsAsWrittenDown() throws {
    let bytes = record()
    XCTAssertEqual(Array(bytes[..<16]), Array("STS1".utf8) + [1, 0, 0, 0, 3, 0, 0, 0, 5, 0, 0, 0])
    XCTAssertEqual(Array(bytes[24..<26]), [2, 1])
    XCTAssertEqual(Array(bytes[32..<34]), [4, 3])
    XCTAssertEqual(Array(bytes[40..<42]), [6, 5])
    func word(_ offset: Int) -> UInt64 {
      (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << (8 * $1) }
    }
    func sum(_ bytes: ArraySlice<UInt8>, _ seed: UInt64) -> UInt64 {
      Array(bytes).withUnsafeBytes { Checksum.of($0, seed: seed) }
    }
    XCTAssertEqual(word(16), sum(bytes[64..<67], 0))
    XCTAssertEqual(word(48), sum(bytes[67...], sum(bytes[64..<67], word(16))))
    XCTAssertEqual(word(56), sum(bytes[..<56], 99))
  }

  func testAHeaderComesBackAsItWas() throws {
    let found = try XCTUnwrap(header(record()))
    XCTAssertEqual(found.kind, .set)
    XCTAssertEqual([found.keyLength, found.valueLength, found.total], [3, 5, 72])
    XCTAssertEqual([found.born, found.deadline], [0x0102, 0x0304])
    XCTAssertEqual(found.mark, 0x0506)
  }

  func testAHeaderOfAnotherSegmentOrWithAnyBitChangedIsNone() {
    let bytes = record()
    XCTAssertNil(header(bytes, in: 98))
    XCTAssertNil(header(Array(bytes[..<63])))
    for bit in 0..<(64 * 8) {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << (bit % 8)
      XCTAssertNil(header(damaged), "bit \(bit)")
    }
  }

  /// Sums that hold over lengths that nobody wrote: an error of a writer, or somebody's joke.
  func testLengthsBeyondTwoGibibytesAreRefused() {
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    for (key, value) in [(Int(UInt32.max), Int(UInt32.max)), (0, Int(Int32.max)), (1 << 31, 0)] {
      var header = RecordHeader(.set, key: none, value: none, hash: 0, born: 0)
      (header.keyLength, header.valueLength) = (key, value)
      var bytes = [UInt8](repeating: 0, count: 64)
      bytes.withUnsafeMutableBytes { _ = header.write(to: $0, in: 99) }
      XCTAssertNil(self.header(bytes))
    }
  }

  /// Linux takes two GiB less a page in one write, whose pages have 64 KiB at most.
  func testTheLongestRecordIsOneWrite() {
    XCTAssertLessThanOrEqual(RecordHeader.longest, Int(Int32.max) & ~0xffff)
    XCTAssertEqual(Capacity(8 << 30).longestRecord, RecordHeader.longest)
  }

  func testOnlySegmentsNamesAreKnown() {
    for number: UInt64 in [1, 0xabc, Segment.numbersEnd - 1] {
      XCTAssertEqual(Segment.number(of: Segment.name(number)), number)
    }
    XCTAssertEqual(Segment.name(0xabc), "0000000000000abc.strata")
    for name in [
      "", ".strata", "abc.strata", "0000000000000ABC.strata", "0000000000000abc.strata1",
      "+000000000000abc.strata", "0000000000000000.strata", "ffffffffffffffff.strata",
      "0000000000000abc.Strata", "é000000000000ab.strata",
    ] {
      XCTAssertNil(Segment.number(of: name), name)
    }
    XCTAssertLessThan(Segment.firstNumber(at: .max), Segment.numbersEnd)
    XCTAssertLessThan(Segment.firstNumber(at: .min), 1 << 20)
  }
}
