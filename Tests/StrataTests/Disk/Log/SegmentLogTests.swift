import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

final class SegmentLogTests: DiskTestCase {
  func testAValueIsReadBackUnderItsKeyAlone() throws {
    let log = log()
    XCTAssertNil(log.value("a"))
    try log.set(Data([1]), for: "a")
    XCTAssertEqual(log.value("a"), Data([1]))
    XCTAssertNil(log.value("b"))
    try log.set(Data(), for: "a")
    XCTAssertEqual(log.value("a"), Data())
  }

  func testRemoveForgetsOneKeyAndRemoveAllForgetsAll() throws {
    let log = log()
    for key in ["a", "b", "c"] { try log.set(Data(key.utf8), for: key) }
    try log.remove("a")
    try log.remove("a")
    XCTAssertNil(log.value("a"))
    XCTAssertEqual(log.value("b"), Data("b".utf8))
    try log.removeAll()
    for log in [log, self.log()] { XCTAssertNil(log.value("b")) }
    XCTAssertLessThan(usedBytes(), 300)
    try log.set(Data([1]), for: "b")
    XCTAssertEqual(log.value("b"), Data([1]))
  }

  func testValuesSurviveReopening() throws {
    try log().set(Data([7]), for: "a")
    XCTAssertEqual(log().value("a"), Data([7]))
  }

  func testAValueOfSeveralMegabytesComesBackWhole() throws {
    let value = Data(repeating: 0xa5, count: 2 << 20)
    let log = log(capacity: 16 << 20)
    try log.set(value, for: "a")
    XCTAssertEqual(log.value("a"), value)
    XCTAssertEqual(self.log(capacity: 16 << 20).value("a"), value)
  }

  func testHostileKeysStayDistinctAndInsideTheDirectory() throws {
    let log = log(capacity: 64 << 20)
    let long = String(repeating: "x", count: 100_000)
    let keys = DirectoryPathTests.hostile + [long, long + "y"]
    for key in keys { try log.set(Data("value of \(key)".utf8), for: key) }
    for log in [log, self.log(capacity: 64 << 20)] {
      for key in keys { XCTAssertEqual(log.value(key), Data("value of \(key)".utf8)) }
    }
    XCTAssertEqual(names(in: base), ["store"])
  }

  func testThousandsOfRandomKeysStayDistinct() throws {
    let log = log(capacity: 64 << 20)
    var random = SeededGenerator(seed: 9)
    var keys = Set<String>()
    while keys.count < (isLong ? 100_000 : 3_000) {
      let length = Int.random(in: 0...20, using: &random)
      keys.insert(
        String((0..<length).map { _ in "aAbB/.%\u{0}é🙂 ".randomElement(using: &random)! }))
    }
    for key in keys { try log.set(Data(key.utf8), for: key) }
    for key in keys { XCTAssertEqual(log.value(key), Data(key.utf8)) }
  }

  func testStringsEqualInSwiftAreOneKey() throws {
    let log = log()
    try log.set(Data([1]), for: "caf\u{e9}")
    try log.set(Data([2]), for: "cafe\u{301}")
    XCTAssertEqual(log.value("caf\u{e9}"), Data([2]))
    try log.remove("caf\u{e9}")
    XCTAssertNil(log.value("cafe\u{301}"))
  }

  func testAValueLargerThanHalfTheStoreIsRefusedAndTheOldOneRemoved() throws {
    let log = log(capacity: 1_000_000)
    try log.set(Data([1]), for: "a")
    XCTAssertThrowsError(try log.set(Data(count: 500_000), for: "a")) {
      XCTAssertEqual(
        $0 as? DiskError, .valueTooLarge(bytes: 72 + 1 + 500_000, capacity: 1_000_000))
    }
    XCTAssertNil(log.value("a"))
    try log.set(Data(count: 500_000 - 73), for: "a")
    XCTAssertEqual(log.value("a")?.count, 500_000 - 73)
  }

  func testACapacityOfNothingOrLessHoldsNothing() throws {
    for capacity in [0, -1, .min] {
      let log = log(capacity: capacity)
      XCTAssertThrowsError(try log.set(Data(), for: ""))
      XCTAssertNil(log.value(""))
      try log.remove("a")
      try log.removeAll()
    }
    XCTAssertNoThrow(try log(capacity: .max).set(Data([1]), for: "a"))
  }

  func testAValuePastItsDeadlineOrFromTheFutureIsAMiss() throws {
    let clock = Lock<Int64>(1_000_000_000_500)
    var files = FileSystem.system
    files.now = { clock.withLock { $0 } }
    let log = log(files: files)
    try log.set(Data([1]), for: "a", deadline: 1_000_000_001_700)
    try log.set(Data([2]), for: "b", created: 1_000_000_060_500)
    try log.set(Data([3]), for: "c", created: 1_000_000_060_501)
    try log.set(Data([4]), for: "d", deadline: .min)
    for log in [log, self.log(files: files)] {
      clock.withLock { $0 = 1_000_000_000_500 }
      let found = try XCTUnwrap(log.value(for: "a"))
      XCTAssertEqual(found.value, Data([1]))
      XCTAssertEqual(found.created, 1_000_000_000_500)
      XCTAssertEqual(found.deadline, 1_000_000_001_700)
      XCTAssertEqual(["b", "c", "d"].map { log.value($0) }, [Data([2]), nil, nil])
      clock.withLock { $0 = 1_000_000_001_699 }
      XCTAssertNotNil(log.value("a"))
      clock.withLock { $0 = 1_000_000_001_700 }
      XCTAssertNil(log.value("a"))
      clock.withLock { $0 = 1_000_000_002_001 }
      XCTAssertNil(log.value("a"))
    }
  }

  /// A get compares the stored key with the requested key, even if the hash and the checksums
  /// match.
  func testTheStoredKeyIsCompared() throws {
    let log = log()
    try log.set(Data([1]), for: "b")
    Data([2]).withUnsafeBytes { value in
      for (stored, claimed) in [("b", "b"), ("a", "b")] {
        CanonicalKey.withBytes(of: claimed) { claimed in
          CanonicalKey.withBytes(of: stored) { stored in
            // The record contains the key `stored` with the hash of `claimed`, as if both keys had
            // the same hash.
            let record = PendingRecord(
              .set, hash: RecordHeader.hash(of: claimed), key: stored, value: value, created: 0)
            let isWritten = log.writer.withLock { (try? log.write(record, &$0)) != nil }
            XCTAssertTrue(isWritten)
          }
        }
        XCTAssertEqual(log.value("b"), stored == claimed ? Data([2]) : nil)
      }
    }
  }

  /// Two logs of one directory have separate indexes, like the logs of two processes.
  func testTwoLogsSeeEachOthersWrites() throws {
    var random = SeededGenerator(seed: 61)
    let logs = [log(capacity: 300_000), log(capacity: 300_000)]
    var latest: [String: Int] = [:]
    var hits = 0
    for version in 0..<(isLong ? 20_000 : 2_000) {
      let key = "k\(Int.random(in: 0..<60, using: &random))"
      let (one, other) = version % 2 == 0 ? (logs[0], logs[1]) : (logs[1], logs[0])
      if version % 397 == 396 {
        try one.removeAll()
        latest = [:]
      }
      if version % 13 == 0 {
        try one.remove(key)
        latest[key] = nil
        XCTAssertNil(other.value(key))
        continue
      }
      let length = Int.random(in: 0...8_000, using: &random)
      try one.set(Stamp(key: key, version: version).value(length: length), for: key)
      latest[key] = version
      let read = try XCTUnwrap(other.value(key))
      XCTAssertEqual(Stamp(read), Stamp(key: key, version: version))
      let another = "k\(Int.random(in: 0..<60, using: &random))"
      for log in logs {
        guard let value = log.value(another) else { continue }
        XCTAssertEqual(Stamp(value)?.version, latest[another])
        hits += 1
      }
      XCTAssertLessThanOrEqual(usedBytes(), 300_000)
    }
    XCTAssertGreaterThan(hits, 1_000)
  }
}
