import Foundation
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Tests the two locks of the directory: one for changes to the set of segments, and one for
/// exclusive use.
final class SegmentLogLockTests: DiskTestCase {
  private let pauses = Lock(0)

  /// Returns system calls that add up the pause times instead of pausing, so the tests don't wait.
  private var impatient: FileSystem {
    var files = FileSystem.system
    files.pause = { [pauses] time in pauses.withLock { $0 += Int(time) } }
    return files
  }

  /// Holds the directory's lock while `body` runs, like a process that was stopped during a change.
  private func whileLocked(_ mode: Int32 = LOCK_EX, _ body: () throws -> Void) throws {
    let file = open(folder, O_RDONLY)
    XCTAssertEqual(flock(file, mode), 0)
    defer { close(file) }
    try body()
  }

  private func assertLocked(_ body: () throws -> Void) {
    XCTAssertThrowsError(try body()) { error in
      XCTAssertEqual(
        error as? DiskError,
        .unavailable(directory: folder, operation: "flock", code: EWOULDBLOCK))
    }
  }

  /// A process must hold the lock to create a log's first segment.
  func testAFirstSegmentWaitsForTheLock() throws {
    XCTAssertEqual(mkdir(folder, 0o700), 0)
    let log = log(files: impatient)
    try whileLocked {
      assertLocked { try log.set(Data([1]), for: "a") }
      XCTAssertNil(log.value("a"))
      XCTAssertEqual(names(), [])
      XCTAssertEqual(pauses.withLock { $0 }, SegmentLog.longestWait * 1_000)
      // The second write fails immediately, without waiting for the lock.
      assertLocked { try log.set(Data([1]), for: "a") }
      XCTAssertEqual(pauses.withLock { $0 }, SegmentLog.longestWait * 1_000)
    }
    // The lock is exclusive.
    let other = self.log(files: impatient)
    try whileLocked(LOCK_SH) { assertLocked { try other.set(Data([1]), for: "a") } }
    try log.set(Data([1]), for: "a")
    XCTAssertEqual(self.log().value("a"), Data([1]))
  }

  /// If a process is stopped while it holds the lock, only `set` calls that need a new segment are
  /// blocked.
  func testAStoppedHolderBlocksOnlyNewSegments() throws {
    let logs = [log(capacity: 1 << 20, files: impatient), log(capacity: 1 << 20, files: impatient)]
    try logs[0].set(Data([0]), for: "a")
    let before = names()
    try whileLocked {
      for version in 1..<50 {
        XCTAssertNoThrow(try logs[version % 2].set(Data([UInt8(version)]), for: "a"))
        for log in logs { XCTAssertEqual(log.value("a"), Data([UInt8(version)])) }
      }
      XCTAssertNoThrow(try logs[1].removeAll())
      for log in logs { XCTAssertNil(log.value("a")) }
      XCTAssertNoThrow(try logs[0].set(Data([50]), for: "a"))
      assertLocked { for _ in 0..<100 { try logs[0].set(Data(count: 1_000), for: "b") } }
      XCTAssertEqual(names(), before)
      for log in logs { XCTAssertEqual(log.value("a"), Data([50])) }
    }
    for _ in 0..<100 { try logs[1].set(Data(count: 1_000), for: "b") }
    for log in logs { XCTAssertEqual(log.value("a"), Data([50])) }
  }

  /// After one failed read of the newest segment, a process must not begin a second log.
  func testAFailedReadBeginsNoSecondLog() throws {
    for operation in ["open", "status", "read", "end", "names", "openDirectory"] {
      for code in [EIO, EMFILE] {
        try? FileManager.default.removeItem(atPath: folder)
        let (faulty, other) = (FaultyFileSystem(), log())
        let log = log(files: faulty.files)
        try other.set(Data([1]), for: "a")
        let before = names()
        let left = Lock(1)
        faulty.setFault { _, call in
          call == operation && left.withLock { $0.countDown() } ? code : nil
        }
        _ = try? log.set(Data([2]), for: "b")
        XCTAssertGreaterThan(faulty.fired, 0, operation)
        try log.set(Data([3]), for: "b")
        for log in [log, other] {
          XCTAssertEqual(log.value("a"), Data([1]), operation)
          XCTAssertEqual(log.value("b"), Data([3]), operation)
        }
        XCTAssertEqual(names(), before)
      }
    }
  }

  /// If the newest segment stays unreadable, a process abandons the segment. All other processes
  /// must then abandon the segment too.
  func testAllProcessesGiveUpAnUnreadableSegment() throws {
    let (faulty, other) = (FaultyFileSystem(), log())
    var files = faulty.files
    try other.set(Data([1]), for: "a")
    let name = names()[0]
    files.open = { directory, file, mode throws(FileError) in
      if file == name, mode == .read { throw FileError(operation: "openat", code: EIO) }
      return try faulty.files.open(directory, file, mode)
    }
    let log = log(files: files)
    var failures = 0
    while (try? log.set(Data([2]), for: "b")) == nil { failures += 1 }
    XCTAssertEqual(failures, 4)
    XCTAssertNil(other.value("a"))
    XCTAssertEqual(other.value("b"), Data([2]))
    try other.set(Data([3]), for: "b")
    XCTAssertEqual(log.value("b"), Data([3]))
  }

  func testAnExclusiveLogDoesNotCheckForOtherProcesses() throws {
    let faulty = FaultyFileSystem()
    var files = faulty.files
    files.now = { 1_000_000_000_000 }
    let log = SegmentLog(
      directory: folder, capacity: 1 << 20, isExclusive: true, files: files,
      background: { $0() })
    for number in 0..<200 { try log.set(Data(count: 1_000), for: "\(number)") }
    let before = faulty.calls.count
    XCTAssertEqual(log.value("199")?.count, 1_000)
    XCTAssertNil(log.value("none"))
    XCTAssertEqual(Array(faulty.calls[before...]), ["read"])
    try log.removeAll()
    XCTAssertNil(log.value("199"))
  }

  /// The system's file locks also exclude two logs of the same process, so this test needs only one
  /// process.
  func testAnExclusiveLogAndAnyOtherLogExcludeEachOther() throws {
    func make(_ isExclusive: Bool) -> SegmentLog {
      SegmentLog(
        directory: folder, capacity: 1 << 20, isExclusive: isExclusive, background: { $0() })
    }
    for (first, second) in [(true, false), (false, true), (true, true)] {
      var log: SegmentLog? = make(first)
      try log?.set(Data([1]), for: "a")
      let other = make(second)
      assertLocked { try other.open() }
      assertLocked { try other.set(Data([2]), for: "a") }
      XCTAssertNil(other.value("a"))
      XCTAssertEqual(log?.value("a"), Data([1]))
      log = nil
      XCTAssertNoThrow(try other.open())
      XCTAssertEqual(other.value("a"), Data([1]))
    }
  }

  /// After a write has waited in vain for the lock, later writes don't wait for the lock during the
  /// next second. An operation that doesn't wait for the lock, such as the end of a `clear`, has no
  /// effect on later waits.
  func testAnAttemptWithoutAWaitDoesNotShortenTheNextWait() throws {
    var files = impatient
    files.now = { 1_000_000_000_000 }
    let log = log(capacity: 1 << 20, files: files)
    try log.set(Data([1]), for: "a")
    try whileLocked {
      try log.removeAll()
      XCTAssertEqual(pauses.withLock { $0 }, 0)
      assertLocked { for _ in 0..<100 { try log.set(Data(count: 1_000), for: "b") } }
      XCTAssertEqual(pauses.withLock { $0 }, SegmentLog.longestWait * 1_000)
    }
  }

  /// If a write can't read the segments for the fifth time in a row, the log abandons the segments.
  /// The count begins again after each success, and after the log has abandoned its segments.
  func testOnlyTheFifthFailedReadInARowGivesUpTheSegments() throws {
    let unreadable = Lock<[UInt64]?>(nil)
    var files = FileSystem.system
    files.read = { file, bytes, position throws(FileError) in
      guard try FileSystem.system.status(file).identity != unreadable.withLock({ $0 }) else {
        throw FileError(operation: "read", code: EIO)
      }
      return try FileSystem.system.read(file, bytes, position)
    }
    let (log, other) = (log(files: files), log())
    try log.set(Data([0]), for: "a")
    for round: UInt8 in 1...2 {
      // The log must read the other process's write.
      try other.set(Data([round]), for: "a")
      let found = try XCTUnwrap(status(names()[0]))
      unreadable.withLock { $0 = FileStatus(found).identity }
      var failures = 0
      while failures < 10, (try? log.set(Data([round]), for: "b")) == nil { failures += 1 }
      XCTAssertEqual(failures, 4, "\(round)")
      XCTAssertNil(log.value("a"))
      XCTAssertEqual(other.value("b"), Data([round]))
    }
  }
}
