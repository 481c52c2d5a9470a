import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

final class RecordHeaderTests: XCTestCase {
  private func record(_ key: String = "key", _ value: String = "value") -> [UInt8] {
    let (key, value) = (Array(key.utf8), Array(value.utf8))
    var bytes = [UInt8](repeating: 0, count: 64) + key + value
    var header = key.withUnsafeBytes { key in
      value.withUnsafeBytes { value in
        PendingRecord(
          .set, key: key, value: value, created: 0x0102, deadline: 0x0304, mark: 0x0506
        ).header
      }
    }
    bytes.withUnsafeMutableBytes { header.write(to: $0, in: 99) }
    return bytes
  }

  private func header(_ bytes: [UInt8], in segment: UInt64 = 99) -> RecordHeader? {
    bytes.withUnsafeBytes { RecordHeader($0, in: segment) }
  }

  /// A record whose last bytes are missing stays incomplete, whatever is written behind it.
  func testAFollowingHeaderCompletesNoEndMark() throws {
    for number in 0..<2_000 {
      let mark = try XCTUnwrap(header(record("key \(number)"))).endMark
      let bytes = withUnsafeBytes(of: mark) { Array($0) }
      for missing in 1...8 {
        XCTAssertNotEqual(Array(bytes.suffix(missing)), Array(record().prefix(missing)))
      }
    }
  }

  /// Tests every byte of the format, because existing stores were written in this format by other
  /// versions of this library.
  func testTheFormatIsTheDocumentedOne() throws {
    let bytes = record()
    XCTAssertEqual(Array(bytes[..<16]), Array("STS2".utf8) + [1, 0, 0, 0, 3, 0, 0, 0, 5, 0, 0, 0])
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

  func testAHeaderRoundTrips() throws {
    let found = try XCTUnwrap(header(record()))
    XCTAssertEqual(found.kind, .set)
    XCTAssertEqual([found.keyLength, found.valueLength, found.total], [3, 5, 80])
    XCTAssertEqual([found.created, found.deadline], [0x0102, 0x0304])
    XCTAssertEqual(found.mark, 0x0506)
  }

  func testAHeaderOfAnotherSegmentOrWithAChangedBitIsInvalid() {
    let bytes = record()
    XCTAssertNil(header(bytes, in: 98))
    XCTAssertNil(header(Array(bytes[..<63])))
    for bit in 0..<(64 * 8) {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << (bit % 8)
      XCTAssertNil(header(damaged), "bit \(bit)")
    }
  }

  /// Returns a header with a valid checksum and any lengths, even lengths that no writer produces.
  private func header(key: Int, value: Int) -> RecordHeader? {
    let header = PendingRecord(.set, created: 0).header
    var bytes = [UInt8](repeating: 0, count: 64)
    bytes.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: header, as: RecordHeader.self)
      bytes.storeBytes(of: UInt32(key), toByteOffset: 8, as: UInt32.self)
      bytes.storeBytes(of: UInt32(value), toByteOffset: 12, as: UInt32.self)
      let sum = Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[..<56]), seed: 99)
      bytes.storeBytes(of: sum, toByteOffset: 56, as: UInt64.self)
    }
    return self.header(bytes)
  }

  func testLengthsBeyondTwoGibibytesAreRefused() {
    for (key, value) in [(Int(UInt32.max), Int(UInt32.max)), (0, Int(Int32.max)), (1 << 31, 0)] {
      XCTAssertNil(header(key: key, value: value))
    }
  }

  /// A `set` accepts records of up to the maximum length, so a get must accept them too.
  func testARecordOfTheMaximumLengthIsValid() {
    let longest = RecordHeader.longest - RecordHeader.overhead
    for key in [0, 3] {
      XCTAssertEqual(header(key: key, value: longest - key)?.total, RecordHeader.longest)
      XCTAssertNil(header(key: key, value: longest - key + 1))
    }
  }

  /// Linux writes at most 2 GiB minus one page in one call. The test assumes the largest page size,
  /// 64 KiB.
  func testTheLongestRecordIsOneWrite() {
    XCTAssertLessThanOrEqual(RecordHeader.longest, Int(Int32.max) & ~0xffff)
    XCTAssertEqual(Capacity(8 << 30).longestRecord, RecordHeader.longest)
  }

  func testOnlyTheNamesOfSegmentsAreRecognized() {
    for number: UInt64 in [1, 0xabc, SegmentName.end - 1] {
      XCTAssertEqual(SegmentName.id(SegmentName.of(number)), number)
    }
    XCTAssertEqual(SegmentName.of(0xabc), "0000000000000abc.strata2")
    XCTAssertEqual(SegmentName.id("3fffffffffffffff.strata2"), 0x3fff_ffff_ffff_ffff)
    for name in [
      "", ".strata2", "abc.strata2", "0000000000000ABC.strata2", "0000000000000abc.strata1",
      "+000000000000abc.strata2", "0000000000000000.strata2", "ffffffffffffffff.strata2",
      "4000000000000000.strata2",
      "0000000000000abc.Strata2", "é000000000000ab.strata2", "0000000000000abc.strata",
    ] {
      XCTAssertNil(SegmentName.id(name), name)
    }
    XCTAssertLessThan(SegmentName.first(at: .max), SegmentName.end)
    XCTAssertLessThan(SegmentName.first(at: .min), 2 << 20)
  }

  /// The ID of a log's first segment is the time and 20 random bits.
  func testAFirstSegmentsNameBeginsWithItsTime() {
    for _ in 0..<64 {
      XCTAssertEqual(SegmentName.first(at: 1_000_000_000_000) >> 20, 1_000_000_000_000)
    }
  }
}
