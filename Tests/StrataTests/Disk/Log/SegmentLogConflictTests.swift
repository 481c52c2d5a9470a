import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Tests a conflict between an eviction and another log. The eviction reads a record and later
/// appends a copy. Between the read and the append, the other log changes the record's key.
///
/// Random tests don't find this conflict, because it can occur only within a few microseconds. In
/// these tests, the other log changes the key immediately before the eviction appends its copy.
final class SegmentLogConflictTests: DiskTestCase {
  private enum Change: CaseIterable {
    case set, remove, removeAll, removeTwice, setAndRemove, trim
  }

  private let capacity = 1 << 20

  /// Fills a log, and repeatedly reads a key of the oldest segment until an eviction copies the
  /// value. Returns the key's value in each of three logs after the eviction.
  private func valuesAfter(_ change: Change) throws -> [Data?] {
    try? FileManager.default.removeItem(atPath: folder)
    let other = log(capacity: capacity)
    let copies = Lock(0)
    var files = FileSystem.system
    files.append = { file, parts throws(FileError) in
      let isCopy = parts.head.count > 64 && parts.head.load(fromByteOffset: 4, as: UInt32.self) == 5
      if isCopy,
        copies.withLock({
          $0 += 1; return $0
        }) == 1
      {
        XCTAssertNoThrow(try Self.make(change, in: other))
      }
      return try FileSystem.system.append(file, parts)
    }
    let log = log(capacity: capacity, files: files)
    try log.set(Stamp(key: "hot", version: 1).value(), for: "hot")
    // With this get, `other` opens the first segment before the eviction removes that segment.
    if change == .trim { XCTAssertNotNil(other.value("hot")) }
    for number in 0..<2_000 where copies.withLock({ $0 == 0 }) {
      XCTAssertNotNil(log.value("hot"))
      try log.set(Data(count: 1_000), for: "cold \(number)")
    }
    XCTAssertEqual(copies.withLock { $0 }, 1)
    return [log, other, self.log(capacity: capacity)].map { $0.value("hot") }
  }

  private static func make(_ change: Change, in log: SegmentLog) throws {
    switch change {
    case .set: try log.set(Stamp(key: "hot", version: 2).value(), for: "hot")
    case .remove: try log.remove("hot")
    case .removeAll: try log.removeAll()
    case .removeTwice:
      try log.remove("hot")
      try log.remove("hot")
    case .setAndRemove:
      try log.set(Stamp(key: "hot", version: 2).value(), for: "hot")
      try log.remove("hot")
    case .trim:
      // A log checks at most every 10 ms whether its segments still exist. The value was evicted
      // with its segment, so this log removes an absent key.
      usleep(20_000)
      XCTAssertNil(log.value("hot"))
      try log.remove("hot")
    }
  }

  /// A log doesn't treat a sealed segment as current, because other processes may already have
  /// begun the next segment.
  func testASealedSegmentIsNotCurrent() throws {
    let answers = Lock<[Bool]>([])
    let engine = Lock<SegmentLog?>(nil)
    var files = FileSystem.system
    files.sync = { _ in
      let now = FileSystem.system.now()
      let isCurrent = engine.withLock { $0 }?.state.withLock {
        $0.isCurrent(at: now)
      }
      if let isCurrent { answers.withLock { $0.append(isCurrent) } }
    }
    let log = log(capacity: capacity, files: files)
    log.state.withLock { $0.isFlushing = true }
    engine.withLock { $0 = log }
    try log.set(Stamp(key: "k", version: 1).value(), for: "k")
    try log.roll()
    XCTAssertEqual(answers.withLock { $0 }, [false])
    engine.withLock { $0 = nil }
  }

  func testASetBeforeTheCopiesWins() throws {
    for value in try valuesAfter(.set) {
      XCTAssertEqual(value.flatMap(Stamp.init)?.version, 2)
    }
  }

  func testARemoveBeforeTheCopiesWins() throws {
    for change in [Change.remove, .removeTwice, .setAndRemove, .trim] {
      XCTAssertEqual(try valuesAfter(change), [nil, nil, nil], "\(change)")
    }
  }

  func testAClearBeforeTheCopiesWins() throws {
    XCTAssertEqual(try valuesAfter(.removeAll), [nil, nil, nil])
  }

  /// While a log opens the newest segment, another log writes to this segment and seals it. The log
  /// that opens the segment must still read the whole segment.
  func testASegmentThatIsSealedWhileItIsOpenedIsReadToItsEnd() throws {
    let other = log()
    let names = Lock(0)
    var files = FileSystem.system
    files.names = { folder throws(FileError) in
      let count = names.withLock { names in
        names += 1
        return names
      }
      if count == 1 {
        XCTAssertNotNil(try? other.set(Data([2]), for: "a"))
        XCTAssertNotNil(try? other.roll())
      }
      return try FileSystem.system.names(folder)
    }
    let log = log(files: files)
    try other.set(Data([1]), for: "a")
    XCTAssertEqual(log.value("a"), Data([2]))
    try other.set(Data([3]), for: "a")
    XCTAssertEqual(log.value("a"), Data([3]))
  }

  /// One process seals a segment while another process is in the middle of an append. A third
  /// process then appends bytes after the seal. Gets find the values anyway.
  func testAValueIsFoundWhileASegmentEndsDuringAnAppend() throws {
    let (ending, half, misses) = (Lock<SegmentLog?>(nil), Lock<[UInt8]>([]), Lock(0))
    let reader = log()
    let check: @Sendable () -> Void = {
      if reader.value("k") != Data([1]) { misses.withLock { $0 += 1 } }
    }
    @Sendable func append(_ bytes: some Collection<UInt8>, _ file: Descriptor) {
      XCTAssertEqual(write(file, Array(bytes), bytes.count), bytes.count)
      check()
    }
    var halving = FileSystem.system
    halving.append = { file, parts throws(FileError) in
      guard let log = ending.withLock({ $0.take() }) else {
        return try FileSystem.system.append(file, parts)
      }
      let record = Array(parts.head) + Array(parts.body) + Array(parts.end)
      append(record.prefix(record.count / 2), file)
      half.withLock { $0 = Array(record.dropFirst(record.count / 2)) }
      XCTAssertNotNil(try? log.roll())
      return record.count
    }
    var finishing = FileSystem.system
    finishing.append = { file, parts throws(FileError) in
      let rest = half.withLock { half in
        defer { half = [] }
        return half
      }
      guard !rest.isEmpty else { return try FileSystem.system.append(file, parts) }
      // Writes the rest of the interrupted record before the seal, as the operating system would.
      append(rest, file)
      let count = try FileSystem.system.append(file, parts)
      check()
      append(repeatElement(1, count: 100), file)
      return count
    }
    let log = log(files: halving)
    try log.set(Data([1]), for: "k")
    ending.withLock { $0 = self.log(files: finishing) }
    try log.set(Data([2]), for: "x")
    check()
    XCTAssertEqual(misses.withLock { $0 }, 0)
    for log in [log, reader, self.log()] { XCTAssertEqual(log.value("x"), Data([2])) }
  }
}
