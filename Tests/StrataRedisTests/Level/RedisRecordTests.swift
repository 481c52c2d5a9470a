import Foundation
import XCTest

@testable import StrataRedis

final class RedisRecordTests: XCTestCase {
  private let key = Array("key".utf8)

  private func stored(_ record: RedisRecord, epoch: UInt64) -> Data {
    record.value + Data(RedisEpoch.bytes(epoch) + record.trailer(for: key))
  }

  func testARecordReturns() throws {
    let record = RedisRecord(contents: Data("v".utf8), created: -5, deadline: 7)
    XCTAssertEqual(try RedisRecord(stored(record, epoch: 9), key: key, epoch: 9), record)
    let lease = RedisRecord(kind: .lease, contents: Data(), created: 0)
    XCTAssertEqual(try RedisRecord(stored(lease, epoch: 9), key: key, epoch: 9), lease)
  }

  func testARecordOfAnotherEpochIsNotRead() throws {
    let record = RedisRecord(contents: Data("v".utf8), created: 1)
    XCTAssertNil(try RedisRecord(stored(record, epoch: 9), key: key, epoch: 8))
    XCTAssertNil(try RedisRecord(stored(record, epoch: 9), key: key, epoch: nil))
  }

  func testEveryFlippedBitIsFound() {
    let whole = stored(RedisRecord(contents: Data("value".utf8), created: 1), epoch: 9)
    for index in whole.indices {
      for bit in 0..<8 {
        var damaged = whole
        damaged[index] ^= 1 << bit
        XCTAssertNil(try? RedisRecord(damaged, key: key, epoch: 9), "\(index) \(bit)")
      }
    }
    XCTAssertThrowsError(try RedisRecord(whole, key: Array("kez".utf8), epoch: 9))
    XCTAssertThrowsError(try RedisRecord(Data(count: 32), key: key, epoch: 9))
  }
}
