import StrataLaws
import XCTest

@testable import Strata

final class DiskStoreSizeTests: DiskTestCase {
  /// The size of a record with a key of one character and a value of 52 bytes.
  private let unit = 48 + 1 + 51
  private let value = Data(count: 51)

  func testTheLeastRecentlyUsedRecordGoesFirst() throws {
    let store = store(capacity: unit * 7 / 2)
    for key in ["a", "b", "c"] { XCTAssertEqual(try store.write(value, for: key), 0) }
    XCTAssertNotNil(store.read("a"))
    XCTAssertEqual(try store.write(value, for: "d"), 1)
    XCTAssertEqual(["a", "b", "c", "d"].filter { store.read($0) != nil }, ["a", "c", "d"])
  }

  func testRecencySurvivesReopening() throws {
    let first = store(capacity: unit * 7 / 2)
    for key in ["a", "b", "c"] { try first.write(value, for: key) }
    XCTAssertNotNil(first.read("a"))
    let second = store(capacity: unit * 7 / 2)
    try second.write(value, for: "d")
    XCTAssertEqual(["a", "b", "c", "d"].filter { second.read($0) != nil }, ["a", "c", "d"])
  }

  func testTheRecordJustWrittenStaysEvenIfItFillsTheStore() throws {
    let store = store(capacity: 1_000)
    for key in ["a", "b", "c"] { try store.write(value, for: key) }
    XCTAssertEqual(try store.write(Data(count: 951), for: "d"), 3)
    XCTAssertNotNil(store.read("d"))
    XCTAssertEqual(usedBytes(), 1_000)
  }

  func testRecordsStampedInTheFutureGoFirst() throws {
    var files = FileSystem.system
    let clock = Lock<Int64>(4_000_000_000_000_000_000)
    files.now = {
      clock.withLock {
        $0 += 1
        return $0
      }
    }
    let store = store(capacity: unit * 7 / 2, files: files)
    try store.write(value, for: "a")
    clock.withLock { $0 = 1_000_000_000_000_000_000 }
    for key in ["b", "c", "d"] { try store.write(value, for: key) }
    XCTAssertEqual(["a", "b", "c", "d"].filter { store.read($0) != nil }, ["b", "c", "d"])
  }

  func testTheLimitHoldsAfterEverySetAndAfterReopening() throws {
    let limit = 100_000
    var random = SeededGenerator(seed: 13)
    var store = store(capacity: limit)
    for round in 0..<1_200 {
      if round % 300 == 299 { store = self.store(capacity: limit) }
      let key = "k\(Int.random(in: 0..<200, using: &random))"
      try store.write(Data(count: Int.random(in: 0...9_000, using: &random)), for: key)
      if round % 5 == 0 { XCTAssertLessThanOrEqual(usedBytes(), limit) }
    }
    let scanned = usedBytes()
    XCTAssertEqual(store.usage.withLock { $0.size }, scanned)
    XCTAssertGreaterThan(scanned, limit / 2)
  }

  func testALowerCapacityIsEnforcedAtTheFirstUse() throws {
    let first = store(capacity: unit * 10)
    for key in "abcdefgh" { try first.write(value, for: String(key)) }
    XCTAssertNil(store(capacity: unit * 4).read("z"))
    XCTAssertLessThanOrEqual(usedBytes(), unit * 4)
  }

  func testOverwritingAndRemovingKeepTheSizeExact() throws {
    let store = store(capacity: 10_000)
    for length in [500, 10, 900, 0] { try store.write(Data(count: length), for: "a") }
    try store.write(value, for: "b")
    XCTAssertEqual(store.usage.withLock { $0.size }, usedBytes())
    try store.remove("b")
    XCTAssertEqual(store.usage.withLock { $0.size }, 49)
    try store.removeAll()
    XCTAssertEqual(store.usage.withLock { $0.size }, 0)
  }

  func testADamagedRecordNoLongerCounts() throws {
    let store = store(capacity: 10_000)
    try store.write(value, for: "a")
    put(contents(path(of: "a")).dropLast() + [1], at: path(of: "a"))
    XCTAssertNil(store.read("a"))
    XCTAssertEqual(store.usage.withLock { $0.size }, 0)
  }

  func testAFullStoreScansOnceForManySets() throws {
    let recorder = FaultyFileSystem()
    let store = store(capacity: unit * 160, files: recorder.files)
    func scans() -> Int { recorder.calls.filter { $0 == "names" }.count }
    for index in 0..<160 { try store.write(value, for: String(Character(Unicode.Scalar(index)!))) }
    let before = scans()
    for index in 160..<1_160 { try store.write(Data(count: 46), for: String(index + 10_000)) }
    XCTAssertLessThanOrEqual(scans() - before, 1_000 / 20 + 1)
    XCTAssertLessThanOrEqual(usedBytes(), unit * 160)
  }

  /// Sizes that another makes up must not overflow a sum.
  func testSizesOfSparseFilesNeverTrap() throws {
    let store = store(capacity: 10_000)
    try store.write(value, for: "a")
    for key in ["b", "c", "d"] {
      put([], at: path(of: key))
      let file = try XCTUnwrap(FileHandle(forWritingAtPath: path(of: key)))
      try file.truncate(atOffset: 1 << 40)
    }
    XCTAssertNil(store.read("b"))
    try store.remove("c")
    for key in ["e", "f"] { try store.write(Data(count: 4_000), for: key) }
    XCTAssertLessThanOrEqual(usedBytes(), 10_000)
    var usage = Usage(size: .max, written: .max)
    usage.replace(1, with: .max)
    usage.subtract(.max)
    XCTAssertEqual(usage.size, 0)
  }
}
