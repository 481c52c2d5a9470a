import Foundation
import XCTest

@testable import StrataRedis

final class RedisRecordTests: XCTestCase {
  private let key = Array("key".utf8)

  private func stored(_ record: RedisRecord, epoch: UInt64) -> Data {
    record.value + record.ending(for: key, epoch: epoch)
  }

  func testARecordReturns() throws {
    let record = RedisRecord(contents: Data("v".utf8), created: -5, deadline: 7)
    XCTAssertEqual(try RedisRecord(stored(record, epoch: 9), key: key, epoch: 9), record)
    let lease = RedisRecord(kind: .lease, contents: Data(1...8), created: 0)
    XCTAssertEqual(try RedisRecord(stored(lease, epoch: 9), key: key, epoch: 9), lease)
    XCTAssertEqual(lease.token, Array(1...8))
    XCTAssertEqual(lease.value, Data())
    XCTAssertNil(lease.withoutLease)
    XCTAssertNil(lease.leaseEnd)
  }

  func testALeaseFollowsTheValue() throws {
    let record = RedisRecord(contents: Data("v".utf8), created: -5, deadline: 7)
    let leased = record.leased(until: -3, token: Array(1...8))
    let found = try XCTUnwrap(RedisRecord(stored(leased, epoch: 9), key: key, epoch: 9))
    XCTAssertEqual(found, leased)
    XCTAssertEqual(found.value, record.value)
    XCTAssertEqual(found.leaseEnd, -3)
    XCTAssertEqual(found.token, Array(1...8))
    XCTAssertEqual(found.withoutLease, record)
    XCTAssertNil(record.leaseEnd)
    XCTAssertEqual(leased.leased(until: 4, token: Array(2...9)).withoutLease, record)
  }

  func testALeaseThatIsTooShortIsDamaged() {
    for (kind, size) in [(RedisRecord.Kind.lease, 7), (.leasedValue, 15)] {
      let record = RedisRecord(kind: kind, contents: Data(count: size), created: 0)
      let bytes = record.contents + RedisEpoch.bytes(9) + record.trailer(for: key)
      XCTAssertThrowsError(try RedisRecord(bytes, key: key, epoch: 9))
    }
  }

  func testARecordOfAnotherEpochIsNotRead() throws {
    let record = RedisRecord(contents: Data("v".utf8), created: 1)
    XCTAssertNil(try RedisRecord(stored(record, epoch: 9), key: key, epoch: 8))
    XCTAssertNil(try RedisRecord(stored(record, epoch: 9), key: key, epoch: nil))
  }

  func testEveryFlippedBitIsFound() {
    let record = RedisRecord(contents: Data("value".utf8), created: 1)
    for record in [record, record.leased(until: 2, token: Array(1...8))] {
      let whole = stored(record, epoch: 9)
      for index in whole.indices {
        for bit in 0..<8 {
          var damaged = whole
          damaged[index] ^= 1 << bit
          XCTAssertNil(try? RedisRecord(damaged, key: key, epoch: 9), "\(index) \(bit)")
        }
      }
      XCTAssertThrowsError(try RedisRecord(whole, key: Array("kez".utf8), epoch: 9))
    }
    XCTAssertThrowsError(try RedisRecord(Data(count: 32), key: key, epoch: 9))
  }
}
