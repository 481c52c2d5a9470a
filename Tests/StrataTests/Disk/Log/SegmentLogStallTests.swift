import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Tests operations that run during a system call of another operation, as happens on a slow
/// volume.
///
/// If an operation held a lock during a system call, another operation that needs the lock would
/// wait forever, and the test would hang.
final class SegmentLogStallTests: DiskTestCase {
  /// Runs an operation at the next system call that satisfies a condition.
  private final class Stall: Sendable {
    private let operation = Lock<(@Sendable () -> Void)?>(nil)
    private let ran = Lock(0)

    var runs: Int { ran.withLock { $0 } }

    func arm(_ work: @escaping @Sendable () -> Void) { operation.withLock { $0 = work } }

    func enter(_ isStalled: Bool) {
      guard isStalled, let work = operation.withLock({ $0.take() }) else { return }
      ran.withLock { $0 += 1 }
      work()
    }
  }

  func testNoLockIsHeldWhileAValueIsRead() throws {
    let stall = Stall()
    var files = FileSystem.system
    files.read = { file, bytes, position throws(FileError) in
      stall.enter(bytes.count > 4_000)
      return try FileSystem.system.read(file, bytes, position)
    }
    let log = log(files: files)
    let value = Data(count: 5_000)
    for key in ["a", "b"] { try log.set(value, for: key) }
    stall.arm {
      XCTAssertEqual(log.value("b"), value)
      XCTAssertNotNil(try? log.set(Data([1]), for: "c"))
      XCTAssertNotNil(try? log.remove("b"))
      XCTAssertNotNil(try? log.roll())
    }
    XCTAssertEqual(log.value("a"), value)
    XCTAssertEqual(stall.runs, 1)
    XCTAssertNil(log.value("b"))
    XCTAssertEqual(log.value("c"), Data([1]))
  }

  /// A get returns even while an operation on another thread is changing the set of segments.
  func testAGetDoesNotWaitForAChangeToTheSegments() throws {
    for call in ["create", "append", "unlink", "lock", "copy"] {
      try? FileManager.default.removeItem(atPath: folder)
      let (stall, engine) = (Stall(), Lock<SegmentLog?>(nil))
      var files = FileSystem.system
      files.open = { directory, name, mode throws(FileError) in
        stall.enter(mode.call == call)
        return try FileSystem.system.open(directory, name, mode)
      }
      files.append = { file, parts throws(FileError) in
        stall.enter(call == "append")
        return try FileSystem.system.append(file, parts)
      }
      files.unlink = { directory, name throws(FileError) in
        stall.enter(call == "unlink")
        try FileSystem.system.unlink(directory, name)
      }
      files.lock = { file, operation throws(FileError) in
        stall.enter(call == "lock")
        try FileSystem.system.lock(file, operation)
      }
      files.read = { file, bytes, position throws(FileError) in
        // The eviction reads a value in order to copy it.
        stall.enter(call == "copy" && bytes.count > 1_000 && bytes.count < 1_200)
        return try FileSystem.system.read(file, bytes, position)
      }
      let log = log(capacity: 1 << 20, files: files)
      engine.withLock { $0 = log }
      for number in 0..<800 {
        try log.set(Data(count: 1_000), for: "\(number)")
        if number < 10 { XCTAssertNotNil(log.value("\(number)")) }
      }
      try log.set(Data([1]), for: "k")
      stall.arm { XCTAssertEqual(engine.withLock { $0 }?.value("k"), Data([1])) }
      for number in 800..<1_400 { try log.set(Data(count: 1_000), for: "\(number)") }
      XCTAssertEqual(stall.runs, 1, call)
      engine.withLock { $0 = nil }
    }
  }

  /// `SegmentLogs` returns a log even while the directory of another log doesn't respond.
  func testALogIsFoundWhileAnotherDirectoryDoesNotAnswer() {
    let (stall, folder) = (Stall(), folder)
    var files = FileSystem.system
    files.realPath = { path in
      stall.enter(true)
      return FileSystem.system.realPath(path)
    }
    stall.arm { _ = SegmentLogs.at(folder, capacity: 1 << 20) }
    _ = SegmentLogs.at(base + "/slow", capacity: 1 << 20, files: files)
    XCTAssertEqual(stall.runs, 1)
  }

  /// Another process removes the segment after the log has checked that the segment exists, but
  /// before the append.
  func testARecordWrittenToARemovedSegmentIsWrittenAgain() throws {
    let (stall, faulty) = (Stall(), FaultyFileSystem())
    var files = FileSystem.system
    files.append = { file, parts throws(FileError) in
      stall.enter(true)
      return try FileSystem.system.append(file, parts)
    }
    let (log, other) = (log(files: files), log(files: faulty.files))
    for key in ["a", "b"] { try log.set(Data([1]), for: key) }
    XCTAssertEqual(other.value("b"), Data([1]))
    let before = names()
    stall.arm {
      let left = Lock(1)
      faulty.setFault { $1 == "append" && left.withLock { $0.countDown() } ? ENOSPC : nil }
      XCTAssertNotNil(try? other.removeAll())
    }
    try log.set(Data([2]), for: "a")
    XCTAssertEqual(stall.runs, 1)
    XCTAssertTrue(Set(before).isDisjoint(with: names()))
    for log in [log, other, self.log()] {
      XCTAssertEqual(log.value("a"), Data([2]))
      XCTAssertNil(log.value("b"))
    }
  }

  /// Immediately before an append, another process removes a key, and the record of the removal is
  /// damaged. The lost record may have removed any key, so gets must not return older values.
  func testADamagedRecordBeforeAnAppendHidesOlderValues() throws {
    let (stall, other) = (Stall(), log())
    var files = FileSystem.system
    files.append = { file, parts throws(FileError) in
      stall.enter(true)
      return try FileSystem.system.append(file, parts)
    }
    let log = log(files: files)
    try log.set(Data([1]), for: "a")
    XCTAssertEqual(other.value("a"), Data([1]))
    let path = folder + "/" + names()[0]
    stall.arm {
      XCTAssertNotNil(try? other.remove("a"))
      let file = open(path, O_RDWR)
      var last: UInt8 = 0
      let end = lseek(file, -1, SEEK_END)
      XCTAssertEqual(pread(file, &last, 1, end), 1)
      last ^= 1
      XCTAssertEqual(pwrite(file, &last, 1, end), 1)
      close(file)
    }
    try log.set(Data([2]), for: "b")
    XCTAssertEqual(stall.runs, 1)
    for log in [log, other, self.log()] {
      XCTAssertNil(log.value("a"))
      XCTAssertEqual(log.value("b"), Data([2]))
    }
  }

  /// A `clear` must not remove segments if other processes can't detect the removal. Instead, the
  /// `clear` must fail.
  func testASegmentStaysIfOthersCannotNoticeItsRemoval() throws {
    let faulty = FaultyFileSystem()
    let (log, other) = (log(files: faulty.files), log())
    try log.set(Data([1]), for: "a")
    XCTAssertEqual(other.value("a"), Data([1]))
    let before = names()
    faulty.setFault { ["append", "lengthen"].contains($1) ? EIO : nil }
    XCTAssertThrowsError(try log.removeAll())
    XCTAssertEqual(names(), before)
    XCTAssertEqual(other.value("a"), Data([1]))
    faulty.setFault { _, _ in nil }
    try log.removeAll()
    for log in [log, other, self.log()] { XCTAssertNil(log.value("a")) }
  }

  /// A process ends while it creates a segment, so the file contains only part of the segment's
  /// start record. No `set` fails, and no value is lost.
  func testAHalfCreatedSegmentCausesNoFailure() throws {
    let first = log()
    try first.set(Data([1]), for: "a")
    try first.roll()
    let files = names().map { ($0, contents(folder + "/" + $0)) }
    XCTAssertEqual(files.map(\.1.count)[1], RecordHeader.overhead)
    for length in 0...RecordHeader.overhead {
      for name in names() { XCTAssertEqual(unlink(folder + "/" + name), 0) }
      put(files[0].1, at: folder + "/" + files[0].0)
      put(files[1].1.prefix(length), at: folder + "/" + files[1].0)
      let (log, other) = (log(), log())
      XCTAssertEqual(other.value("a"), Data([1]), "\(length)")
      XCTAssertNoThrow(try log.set(Data([2]), for: "b"), "\(length)")
      for log in [log, other] {
        XCTAssertEqual(log.value("a"), Data([1]), "\(length)")
        XCTAssertEqual(log.value("b"), Data([2]), "\(length)")
      }
    }
  }

  /// A process ends in the middle of a write, so only some bytes of the record's header are in the
  /// file. No other value is lost.
  func testATornHeaderLosesNoOtherValue() throws {
    for length in [1, 10, 63, 64] {
      try? FileManager.default.removeItem(atPath: folder)
      let (log, other) = (log(), log())
      try log.set(Data([1]), for: "a")
      XCTAssertEqual(other.value("a"), Data([1]))
      let path = folder + "/" + names()[0]
      let before = contents(path)
      try log.remove("a")
      put(contents(path).prefix(before.count + length), at: path)
      let fresh = self.log()
      try fresh.set(Data([2]), for: "b")
      for log in [fresh, other, self.log()] {
        XCTAssertEqual(log.value("a"), Data([1]), "\(length)")
        XCTAssertEqual(log.value("b"), Data([2]), "\(length)")
      }
    }
  }

  /// The capacity changes between two steps of an eviction.
  func testTheCapacityMayChangeInTheMiddleOfAnEviction() throws {
    for capacity in [64 << 20, 2 << 20] {
      try? FileManager.default.removeItem(atPath: folder)
      let (log, waiting, count) = try fullLog(isRead: true)
      waiting.withLock { $0.removeFirst() }()
      try log.setCapacity(capacity)
      while let work = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { work() }
      let live = (0..<count).filter { log.value("\($0)") != nil }.count
      XCTAssertEqual(live, log.state.withLock { $0.index.live })
      XCTAssertEqual(live, count - log.state.withLock { $0.counts.evictions })
      if capacity > 4 << 20 { XCTAssertEqual(live, count) }
      XCTAssertLessThanOrEqual(usedBytes(), capacity)
    }
  }
}
