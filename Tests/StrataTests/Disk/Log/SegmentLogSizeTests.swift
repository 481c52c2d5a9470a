import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

final class SegmentLogSizeTests: DiskTestCase {
  func testTheLimitHoldsAtAllTimesAndAfterReopening() throws {
    for limit in [1_000_000, 100_000, 20_000] {
      var random = SeededGenerator(seed: 13)
      try? FileManager.default.removeItem(atPath: folder)
      var log = log(capacity: limit)
      for round in 0..<(isLong ? 10_000 : 600) {
        if round % 150 == 149 { log = self.log(capacity: limit) }
        let key = "k\(Int.random(in: 0..<200, using: &random))"
        let longest = round % 20 == 0 ? limit / 2 - 70 : 3_000
        let value = Data(count: Int.random(in: 0...longest, using: &random))
        try log.set(value, for: key)
        XCTAssertEqual(log.value(key), value)
        _ = log.value("k\(round % 200)")
        XCTAssertLessThanOrEqual(usedBytes(), limit)
      }
      XCTAssertGreaterThan(usedBytes(), limit / 4)
    }
  }

  func testValuesThatWereReadAreRetainedLonger() throws {
    let log = log(capacity: 1 << 20)
    for number in 0..<4_000 {
      try log.set(Data(count: 1_000), for: "\(number)")
      if number >= 20 { for hot in 0..<20 { _ = log.value("\(hot)") } }
    }
    XCTAssertEqual((0..<20).filter { log.value("\($0)") != nil }.count, 20)
    XCTAssertNil(log.value("20"))
    let fresh = self.log(capacity: 1 << 20)
    XCTAssertEqual((0..<20).filter { fresh.value("\($0)") != nil }.count, 20)
  }

  func testAnExpiredValueIsNotCopied() throws {
    let clock = Lock<Int64>(1_000_000_000_000)
    var files = FileSystem.system
    files.now = { clock.withLock { $0 } }
    let (copies, reads) = (Lock(0), Lock(0))
    files.read = { file, bytes, position throws(FileError) in
      if bytes.count > 1_000, bytes.count < 2_000 { reads.withLock { $0 += 1 } }
      return try FileSystem.system.read(file, bytes, position)
    }
    files.append = { file, parts throws(FileError) in
      if parts.head.count > 64, parts.head.load(fromByteOffset: 4, as: UInt32.self) == 5 {
        copies.withLock { $0 += 1 }
      }
      return try FileSystem.system.append(file, parts)
    }
    let log = log(capacity: 1 << 20, files: files)
    // The index stores deadlines in seconds, rounded up. Until the rounded deadline, the value
    // might already have expired, so a get reads the exact deadline from the record's header.
    for (deadline, now, isKept, isRead) in [
      (Int64.max, Int64(1_000_000_001_600), true, true),
      (1_000_000_001_500, 1_000_000_001_600, false, true),
      (1_000_000_001_500, 1_000_000_002_000, false, false),
    ] {
      clock.withLock { $0 = 1_000_000_000_000 }
      try log.set(Data(count: 1_000), for: "a", deadline: deadline)
      XCTAssertNotNil(log.value("a"))
      clock.withLock { $0 = now }
      for count in [copies, reads] { count.withLock { $0 = 0 } }
      for number in 0..<2_000 { try log.set(Data(count: 1_000), for: "\(number)") }
      XCTAssertEqual(copies.withLock { $0 > 0 }, isKept)
      XCTAssertEqual(reads.withLock { $0 > 0 }, isRead)
      try log.removeAll()
    }
  }

  func testEvictionsAreCounted() throws {
    let log = log(capacity: 1 << 20)
    var evicted = 0
    for number in 0..<3_000 { evicted += try log.set(Data(count: 1_000), for: "\(number)") }
    XCTAssertEqual(log.state.withLock { $0.index.live }, 3_000 - evicted)
    XCTAssertGreaterThan(evicted, 1_900)
    XCTAssertEqual(log.state.withLock { $0.counts.evictions }, evicted)
  }

  func testALowerCapacityAppliesImmediatelyAndAHigherOneIsUsed() throws {
    let log = log(capacity: 2 << 20)
    for number in 0..<2_500 { try log.set(Data(count: 1_000), for: "\(number)") }
    XCTAssertGreaterThan(usedBytes(), 1 << 20)
    try log.setCapacity(300_000)
    XCTAssertLessThanOrEqual(usedBytes(), 300_000)
    XCTAssertNotNil(log.value("2499"))
    try log.setCapacity(4 << 20)
    for number in 0..<3_000 { try log.set(Data(count: 1_000), for: "\(number)") }
    XCTAssertGreaterThan(usedBytes(), 2 << 20)
    XCTAssertLessThanOrEqual(usedBytes(), 4 << 20)
  }

  func testALowerCapacityAppliesToTheActiveSegment() throws {
    let log = log(capacity: 64 << 20)
    for number in 0..<2_500 { try log.set(Data(count: 1_000), for: "\(number)") }
    XCTAssertEqual(log.state.withLock { $0.index.order.count }, 1)
    XCTAssertNotNil(log.value("7"))
    try log.setCapacity(1 << 20)
    XCTAssertLessThanOrEqual(usedBytes(), 1 << 20)
    XCTAssertNotNil(log.value("7"))
    try log.setCapacity(64 << 20)
    try log.setCapacity(32 << 20)
    XCTAssertNotNil(log.value("7"))
  }

  /// The files never exceed the size limit, even while values are copied.
  func testTheLimitHoldsWhileValuesAreCopied() throws {
    let (most, copies) = (Lock(0), Lock(0))
    let folder = folder
    var files = FileSystem.system
    files.append = { file, parts throws(FileError) in
      let count = try FileSystem.system.append(file, parts)
      if parts.head.load(fromByteOffset: 4, as: UInt32.self) == 5 { copies.withLock { $0 += 1 } }
      most.withLock { $0 = max($0, Self.usedBytes(in: folder)) }
      return count
    }
    let log = log(capacity: 600_000, files: files)
    for number in 0..<1_500 {
      try log.set(Data(count: 1_000), for: "\(number)")
      XCTAssertNotNil(log.value("\(number)"))
    }
    XCTAssertGreaterThan(copies.withLock { $0 }, 10)
    XCTAssertLessThanOrEqual(most.withLock { $0 }, 600_000)
  }

  func testFullSegmentsAreFlushedOnRequest() throws {
    for isFlushing in [false, true] {
      let faulty = FaultyFileSystem()
      let log = log(capacity: 1 << 20, files: faulty.files)
      log.state.withLock { $0.isFlushing = isFlushing }
      for number in 0..<200 { try log.set(Data(count: 1_000), for: "\(number)") }
      XCTAssertEqual(faulty.calls.contains("sync"), isFlushing)
    }
  }

  /// A miss makes one system call, a hit makes two, and a `set` makes four. The last call of a
  /// `set` checks that no other program has removed or replaced the segment.
  func testOperationsMakeTheFewestSystemCalls() throws {
    let faulty = FaultyFileSystem()
    var files = faulty.files
    files.now = { 1_000_000_000_000 }
    let log = log(files: files)
    try log.set(Data([1]), for: "a")
    try log.set(Data(count: 1_000), for: "whole")
    func calls(_ body: () throws -> Void) rethrows -> [String] {
      let before = faulty.calls.count
      try body()
      return Array(faulty.calls[before...])
    }
    XCTAssertEqual(calls { XCTAssertNotNil(log.value("a")) }, ["end", "read"])
    XCTAssertEqual(calls { XCTAssertNotNil(log.value("whole")) }, ["end", "read"])
    XCTAssertEqual(calls { XCTAssertNil(log.value("b")) }, ["end"])
    let set = try calls { try log.set(Data([2]), for: "a") }
    XCTAssertEqual(set, ["end", "append", "position", "inode"])
  }

  /// The background work keeps space free only if a segment is longer than 1 MiB.
  func testOnlyLongSegmentsKeepSpaceFree() {
    XCTAssertEqual(Capacity(16 << 20).segment, 1 << 20)
    XCTAssertEqual(Capacity(16 << 20).spare, 0)
    XCTAssertEqual(Capacity(17 << 20).spare, 17 << 16)
  }

  /// A segment ends only if the next record and the seal don't fit into the segment. The log evicts
  /// nothing if the sealed segments and a full active segment fit into the capacity.
  func testSegmentsAndTheLogCanBeFilledToTheLastByte() throws {
    let (capacity, segment) = (64 << 10, 16 << 10)
    let log = log(capacity: capacity)
    XCTAssertEqual(log.state.withLock { $0.capacity.segment }, segment)
    let seal = RecordHeader.overhead + 2 * Entry.size + 8
    let values = segment - 3 * RecordHeader.overhead - 2 * 2 - seal
    for number in 0..<4 {
      // The last segment isn't sealed, so the log reserves space for one more entry in the seal.
      let length = number < 3 ? values - 1_000 : values - 1_000 - Entry.size
      try log.set(Data(count: 1_000), for: "a\(number)")
      try log.set(Data(count: length), for: "b\(number)")
    }
    let sizes = names().map { contents(folder + "/" + $0).count }
    XCTAssertEqual(sizes, [segment, segment, segment, segment - seal - Entry.size])
    for number in 0..<4 {
      XCTAssertNotNil(log.value("a\(number)"))
      XCTAssertNotNil(log.value("b\(number)"))
    }
  }

  /// A lower capacity changes no file if the existing files fit into the lower capacity. The files
  /// stay unchanged even if the active segment is longer than new segments will be.
  func testALowerCapacityThatIsLargeEnoughChangesNoFile() throws {
    let log = log(capacity: 64 << 20)
    for number in 0..<2_500 { try log.set(Data(count: 1_000), for: "\(number)") }
    let (before, bytes) = (names(), usedBytes())
    XCTAssertGreaterThan(bytes, Capacity(32 << 20).segment)
    try log.setCapacity(32 << 20)
    XCTAssertEqual(names(), before)
    XCTAssertEqual(usedBytes(), bytes)
  }
}
