import Foundation
import Strata
import StrataExplain
import XCTest

@testable import StrataDisk
@testable import StrataHTTP

/// Tests that the article “Stability” names the formats that the code writes. If you change a format,
/// change its mark or its version, and then the article.
final class StabilityStatementTests: StatementCase {
  private func expect(states statement: String, line: UInt = #line) throws {
    try expect("Stability", states: statement, line: line)
  }

  private func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self)
  }

  func testTheMarkOfTheDisk() throws {
    try expect(states: "the suffix `.strata2` of files, and `STS2` in each record | 2 |")
    XCTAssertEqual(SegmentName.suffix, ".strata2")
    let mark = withUnsafeBytes(of: RecordHeader.signature.littleEndian) { text($0) }
    XCTAssertEqual(mark, "STS2")
    try expect(states: "Files of version 1 (`.strata`) are ignored")
    XCTAssertEqual(SegmentName.oldSuffix, ".strata")
    XCTAssertNil(SegmentName.id("0000000000000001.strata"))
    try expect(states: "72 bytes: kind")
    XCTAssertEqual(RecordHeader.overhead, 72)
  }

  func testTheVersionOfTheHTTPCache() throws {
    try expect(states: "a number at the beginning of each value | 2 |")
    XCTAssertEqual(StoreRecord.version, 2)
    var data = StoreRecord.variants(SelectingList()).data
    XCTAssertNotNil(StoreRecord(data))
    data[data.startIndex] ^= 1
    XCTAssertNil(StoreRecord(data), "A record of another version counts as absent.")
  }

  func testTheMarkOfUserDefaults() throws {
    try expect(states: "`STU1` in each entry | 1 |")
    let entry = UserDefaultsEntry("a").adding(headerTo: Data("value".utf8))
    XCTAssertEqual(text(entry.prefix(4)), "STU1")
    try expect(states: "12 bytes: the mark and a checksum")
    XCTAssertEqual(entry.count, 12 + 5)
    XCTAssertNil(UserDefaultsEntry("a").value(of: Data("value without a mark".utf8)))
  }

  func testTheMarkOfAVersionedCodec() throws {
    try expect(states: "| `.versioned(2, codec)` | `STV1`, and your number |")
    let codec: Codec<Data, Data> = .versioned(2, .identity)
    let record = try ended(codec.encode(Data("value".utf8))).get()
    XCTAssertEqual(text(record.prefix(4)), "STV1")
    let other: Codec<Data, Data> = .versioned(3, .identity)
    XCTAssertEqual(
      try ended(other.decode(record)).error as? CacheError, .otherVersion(found: 2, expected: 3))
  }

  func testTheVersionOfAPlan() throws {
    try expect(states: "JSON of a plan | the member `strata` | 2 |")
    XCTAssertTrue(memory.plan.json.contains("\"strata\": 2"), memory.plan.json)
    let other = memory.plan.json.replacingOccurrences(of: "\"strata\": 2", with: "\"strata\": 1")
    XCTAssertThrowsError(try CachePlan(json: other)) { error in
      XCTAssertTrue("\(error)".contains("version 1") && "\(error)".contains("version 2"))
    }
  }
}
