import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Tests that evictions copy recently read values, respect the size limit, and update the counts.
final class SegmentLogTrimTests: DiskTestCase {
  /// Before a segment is evicted, each of its values that has been read is copied to the active
  /// segment, if there is space. A copied value doesn't count as evicted.
  func testCopiedValuesAreNotCountedAsEvicted() throws {
    for (capacity, shortSegment, length) in [
      (600_000, 1 << 20, 1_000), (100_000, 1 << 20, 100), (4 << 20, 0, 60_000),
    ] {
      try? FileManager.default.removeItem(atPath: folder)
      let log = log(capacity: capacity)
      log.state.withLock { $0.capacity = Capacity(capacity, shortSegment: shortSegment) }
      let count = 3 * capacity / length
      var reported = 0
      for number in 0..<count {
        reported += try log.set(Data(count: length), for: "\(number)")
        XCTAssertNotNil(log.value("\(number)"))
      }
      let (live, evictions) = log.state.withLock { ($0.index.live, $0.counts.evictions) }
      XCTAssertEqual(live, count - evictions, "\(capacity)")
      XCTAssertEqual(reported, log.state.withLock { $0.reportedEvictions })
    }
  }

  func testCopiesThatCannotBeWrittenAreCountedAsEvicted() throws {
    var files = FileSystem.system
    files.append = { file, parts throws(FileError) in
      guard parts.head.load(fromByteOffset: 4, as: UInt32.self) != 5 else {
        throw FileError(operation: "write", code: EIO)
      }
      return try FileSystem.system.append(file, parts)
    }
    let log = log(capacity: 600_000, files: files)
    for number in 0..<2_000 {
      try log.set(Data(count: 1_000), for: "\(number)")
      XCTAssertNotNil(log.value("\(number)"))
    }
    let (live, evictions) = log.state.withLock { ($0.index.live, $0.counts.evictions) }
    XCTAssertEqual(live, 2_000 - evictions)
  }

  func testValuesThatAreEvictedForSpaceAreCounted() throws {
    let failures = Lock(0)
    var files = FileSystem.system
    files.append = { file, parts throws(FileError) in
      let isFull = failures.withLock { $0.countDown() }
      if isFull { throw FileError(operation: "write", code: ENOSPC) }
      return try FileSystem.system.append(file, parts)
    }
    let log = log(capacity: 8 << 20, files: files)
    for number in 0..<3_000 { try log.set(Data(count: 1_000), for: "\(number)") }
    XCTAssertEqual(log.state.withLock { $0.counts.evictions }, 0)
    // A single failure on a volume with free space evicts nothing.
    failures.withLock { $0 = 1 }
    try log.set(Data(count: 1_000), for: "2999")
    XCTAssertEqual(log.state.withLock { $0.counts.evictions }, 0)
    failures.withLock { $0 = 2 }
    try log.set(Data(count: 1_000), for: "last")
    let (live, evictions) = log.state.withLock { ($0.index.live, $0.counts.evictions) }
    XCTAssertGreaterThan(evictions, 0)
    XCTAssertEqual(live, 3_001 - evictions)
  }

  /// The files never exceed the capacity while evictions copy values of many lengths. The active
  /// segment can have room for a short value, but not for a long value.
  func testTheLimitHoldsWhileLongValuesAreCopied() throws {
    let capacity = 4 << 20
    for seed in 1...6 {
      try? FileManager.default.removeItem(atPath: folder)
      let (most, folder) = (Lock(0), folder)
      var files = FileSystem.system
      files.append = { file, parts throws(FileError) in
        let count = try FileSystem.system.append(file, parts)
        most.withLock { $0 = max($0, Self.usedBytes(in: folder)) }
        return count
      }
      let log = log(capacity: capacity, files: files)
      log.state.withLock { $0.capacity = Capacity(capacity, shortSegment: 0) }
      var random = SeededGenerator(seed: UInt64(seed))
      let longest = log.state.withLock { $0.capacity.segment } / 2 - 200
      for number in 0..<150 {
        let length = Int.random(in: 0..<(number % 3 == 0 ? 200 : longest), using: &random)
        try log.set(Data(count: length), for: "\(number)")
        XCTAssertNotNil(log.value("\(number)"))
      }
      XCTAssertLessThanOrEqual(most.withLock { $0 }, capacity, "seed \(seed)")
    }
  }

  /// Fills two segments. The first segment has values that were read, and the second segment has no
  /// room for copies of these values.
  private func fill(_ log: SegmentLog) throws {
    for number in 0..<200 {
      try log.set(Data(count: 1_000), for: "\(number)")
      XCTAssertNotNil(log.value("\(number)"))
    }
    try log.roll()
    try log.set(Data([1]), for: "k")
    for number in 0..<237 { try log.set(Data(count: 970), for: "x\(number)") }
  }

  /// A log seals a segment, but can't create the next segment. A write must not append its record
  /// to the sealed segment, because gets ignore records after a seal.
  func testNoRecordIsAppendedAfterTheLogsOwnSeal() throws {
    let faulty = FaultyFileSystem()
    let (log, other) = (log(files: faulty.files), log())
    try fill(log)
    XCTAssertEqual(other.value("k"), Data([1]))
    let left = Lock(1)
    faulty.setFault { $1 == "create" && left.withLock { $0.countDown() } ? EMFILE : nil }
    try log.trimStep()
    XCTAssertEqual(faulty.fired, 1)
    let landing = try log.writer.withLock { writer in
      let hash = CanonicalKey.withBytes(of: "k", RecordHeader.hash)
      return try log.append(PendingRecord(.remove, hash: hash, created: 0), &writer)
    }
    XCTAssertFalse(landing.isValid)
    try log.set(Data([2]), for: "k")
    XCTAssertEqual(other.value("k"), Data([2]))
  }

  /// Another log has cleared the store, but neither log could remove the cleared segments.
  func testAClearBetweenTheReadAndTheCopyLeavesNothingToCopy() throws {
    let other = log()
    let isCleared = Lock(true)
    var files = FileSystem.system
    files.append = { file, parts throws(FileError) in
      let clears = isCleared.withLock { isCleared in
        defer { isCleared = true }
        return !isCleared
      }
      if clears {
        let landing = other.writer.withLock { writer -> SegmentLog.Landing? in
          XCTAssertNotNil(try? other.openForWriting(&writer))
          return try? other.append(PendingRecord(.clear, created: other.files.now()), &writer)
        }
        XCTAssertEqual(landing?.isValid, true)
      }
      return try FileSystem.system.append(file, parts)
    }
    files.unlink = { _, _ throws(FileError) in
      throw FileError(operation: "unlink", code: EIO)
    }
    let log = log(files: files)
    try fill(log)
    isCleared.withLock { $0 = false }
    XCTAssertThrowsError(try log.trimStep())
    XCTAssertNil(log.value("0"))
    XCTAssertNil(log.value("k"))
  }

  /// Lowering the capacity frees space even on a full volume.
  func testALowerCapacityMakesRoomOnAFullVolume() throws {
    let faulty = FaultyFileSystem()
    let log = log(capacity: 16 << 20, files: faulty.files)
    for number in 0..<12_000 { try log.set(Data(count: 1_000), for: "\(number)") }
    let isFull = Lock(true)
    faulty.setFault { _, call in
      if call == "unlink" { isFull.withLock { $0 = false } }
      return ["append", "create"].contains(call) && isFull.withLock { $0 } ? ENOSPC : nil
    }
    try log.setCapacity(4 << 20)
    XCTAssertLessThanOrEqual(usedBytes(), 4 << 20)
  }

  func testALowerCapacityAppliesToTheActiveSegmentAfterReopening() throws {
    do {
      let log = log(capacity: 64 << 20)
      for number in 0..<2_500 { try log.set(Data(count: 1_000), for: "\(number)") }
    }
    try log(capacity: 1 << 20).set(Data(), for: "x")
    XCTAssertLessThanOrEqual(usedBytes(), 1 << 20)
  }

  func testAReadOnlyDirectoryAboveTheCapacityIsStillRead() throws {
    let first = log(capacity: 4 << 20)
    for number in 0..<3_000 { try first.set(Data(count: 1_000), for: "\(number)") }
    let faulty = FaultyFileSystem()
    let changing: Set = ["create", "unlink", "openForAppending", "append", "makeFolder"]
    faulty.setFault { changing.contains($1) ? EROFS : nil }
    let log = log(capacity: 1 << 20, files: faulty.files)
    XCTAssertNotNil(log.value("2999"))
    XCTAssertThrowsError(try log.set(Data([1]), for: "a"))
    XCTAssertNotNil(log.value("2999"))
  }

  /// Writes wait while a step of an eviction runs. To keep the wait short, each step copies at most
  /// 16 KiB of short values.
  func testAStepCopiesAtMost16KiBOfShortValues() throws {
    let copies = Lock<[Int]>([])
    var files = FileSystem.system
    files.append = { file, parts throws(FileError) in
      if parts.head.load(fromByteOffset: 4, as: UInt32.self) == 5 {
        copies.withLock { $0.append(parts.count) }
      }
      return try FileSystem.system.append(file, parts)
    }
    let (_, waiting, _) = try fullLog(isRead: true, files: files)
    while let work = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { work() }
    let lengths = copies.withLock { $0 }
    XCTAssertGreaterThan(lengths.count, 3)
    XCTAssertLessThanOrEqual(lengths.max() ?? 0, 16 << 10)
    XCTAssertGreaterThan(lengths.max() ?? 0, (16 << 10) - 1_100)
  }

  /// On a full volume, a `set` evicts at most two segments, and fails if that doesn't free enough
  /// space. The error contains the record's length. A removal doesn't fail: without space for its
  /// record, it removes all values.
  func testAFullVolumeEvictsAtMostTwoSegments() throws {
    let faulty = FaultyFileSystem()
    let log = log(capacity: 1 << 20, files: faulty.files)
    for number in 0..<500 { try log.set(Data(count: 1_000), for: "\(number)") }
    let before = names()
    XCTAssertGreaterThan(before.count, 6)
    faulty.setFault { $1 == "append" ? ENOSPC : nil }
    XCTAssertThrowsError(try log.set(Data(count: 1_000), for: "new")) {
      XCTAssertEqual($0 as? DiskError, .full(directory: folder, bytes: 72 + 3 + 1_000))
    }
    XCTAssertEqual(names(), Array(before.dropFirst(2)))
    try log.remove("499")
    XCTAssertEqual(names(), [])
    XCTAssertNil(log.value("499"))
  }
}
