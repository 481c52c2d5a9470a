import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataVerbs

final class StoreRecordTests: XCTestCase {
  private var responses: [StoredResponse] {
    var part = StoredResponse.made("max-age=1", ["Set-Cookie": "a=b", "set-cookie": "ü=d"])
    part.range = StoredRange(first: 4, complete: nil, asked: "bytes=-5")
    var empty = StoredResponse(.made(status: 999, body: "", asked: -1e9, at: 1e9))
    empty.selecting = [.init(name: "a", value: nil), .init(name: "b", value: "")]
    var whole = StoredResponse.made("max-age=1", ["X": String(repeating: "x", count: 20_000)])
    whole.range = StoredRange(first: 0, complete: 99)
    return [part, empty, whole, .made("max-age=1")]
  }

  func testRecordsAreReadBack() {
    for response in responses {
      let record = StoreRecord.response(response)
      XCTAssertEqual(StoreRecord(record.data), record)
      XCTAssertEqual(StoreRecord(Data([9, 9]) + record.data), nil)
      let slice = (Data([9, 9]) + record.data)[2...]
      XCTAssertEqual(StoreRecord(slice), record)
    }
    let variants = StoreRecord.variants(
      SelectingList(key: Data([1, 2]), members: [[.init(name: "a", value: "1")], []]))
    XCTAssertEqual(StoreRecord(variants.data), variants)
  }

  func testBodiesOfEachLengthAreReadBack() {
    for count in Array(0..<300) + [16_383, 16_384, 16_385, 1 << 20] {
      let record = StoreRecord.response(
        StoredResponse(.made(body: String(repeating: "b", count: count))))
      XCTAssertEqual(StoreRecord(record.data), record, "\(count)")
    }
  }

  /// A release must read what the releases before it have stored.
  func testTheFormatHasVersionTwo() {
    for response in responses {
      XCTAssertEqual(Array(StoreRecord.response(response).data.prefix(2)), [2, 0])
    }
  }

  func testATruncatedRecordIsRejected() {
    for response in responses {
      let data = StoreRecord.response(response).data
      for count in stride(from: 0, to: data.count, by: max(1, data.count / 300)) {
        XCTAssertNil(StoreRecord(data.prefix(count)), "\(count)")
      }
      XCTAssertNil(StoreRecord(data + [0]))
    }
  }

  func testNumbersOutsideTheirBoundsAreRejected() {
    func record(_ status: Int, first: Int, complete: Int, fields: Int = 0) -> StoreRecord? {
      var writer = RecordWriter(capacity: 64)
      for number in [StoreRecord.version, 0, status] { writer.append(number) }
      for time in [Int64.min, .max] { writer.append(TimeSource.Instant(nanoseconds: time)) }
      writer.append("http://a/")
      for number in [fields, 0, 1, first, complete, 0] { writer.append(number) }
      writer.append(Data("12345".utf8))
      return StoreRecord(writer.bytes)
    }
    XCTAssertNotNil(record(206, first: 4, complete: 9))
    XCTAssertNotNil(record(999, first: 0, complete: -1))
    for status in [Int.min, -1, 0, 199, 1000, .max] {
      XCTAssertNil(record(status, first: 4, complete: 9))
    }
    for (first, complete) in [
      (5, 9), (-1, 9), (.min, 9), (0, .max), (.max, .max), (.max, -1), (1 << 62, -1), (9, 5),
      ((1 << 62) - 4, -1),
    ] {
      XCTAssertNil(record(206, first: first, complete: complete), "\(first)/\(complete)")
    }
    for fields in [1, 99, -1, Int.max] {
      XCTAssertNil(record(206, first: 4, complete: 9, fields: fields))
    }
    let variants = Array(repeating: [SelectingField](), count: SelectingList.maximum + 1)
    XCTAssertNil(
      StoreRecord(
        StoreRecord.variants(SelectingList(key: Data(), members: variants)).data))
  }

  func testDamagedRecordsNeverCrash() {
    var generator = SystemRandomNumberGenerator()
    for response in responses {
      let data = StoreRecord.response(response).data
      for _ in 0..<2000 {
        var damaged = data
        for _ in 0...Int.random(in: 0..<3, using: &generator) {
          damaged[Int.random(in: 0..<min(300, data.count), using: &generator)] =
            UInt8.random(in: 0...255, using: &generator)
        }
        if case .response(let stored) = StoreRecord(damaged) {
          _ = stored.stored(.from(0, through: 3))
          _ = HTTPCachePolicy().answer(
            from: stored, to: .made(["Range": "bytes=0-3"]), at: HTTPFixtures.at(1))
        }
      }
    }
  }
}
