import Foundation
import XCTest

@testable import StrataRedis

/// Tests that the article “Stability” describes the records on the server. If you change a record,
/// add a kind, and then change the article.
final class RedisStabilityTests: XCTestCase {
  func testTheRecordsOfTheServer() throws {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let article = package.appendingPathComponent("Sources/Strata/Strata.docc/Stability.md")
    let words = try String(contentsOf: article, encoding: .utf8)
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for statement in [
      "the last byte of a record, which names its kind | kinds 1 to 3 |",
      "a trailer of 33 bytes", "During a replacement, 16 more bytes for the lease",
    ] { XCTAssertTrue(words.contains(statement), statement) }
    let known = (UInt8.min...UInt8.max).filter { RedisRecord.Kind(rawValue: $0) != nil }
    XCTAssertEqual(known, [1, 2, 3])
    XCTAssertEqual(RedisRecord.trailerSize, 33)
    XCTAssertEqual(RedisRecord.Kind.leasedValue.leaseSize, 16)
    let record = RedisRecord(contents: Data("value".utf8), created: 1)
    var bytes = record.contents + Data(record.ending(for: [1], epoch: 9))
    XCTAssertNotNil(try RedisRecord(bytes, key: [1], epoch: 9))
    bytes[bytes.endIndex - 1] = 4
    XCTAssertThrowsError(try RedisRecord(bytes, key: [1], epoch: 9)) {
      XCTAssertEqual($0 as? RedisError, .damaged)
    }
  }
}
