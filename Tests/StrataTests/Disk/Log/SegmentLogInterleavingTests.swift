import Foundation
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Tests operations that overlap the creation or the removal of segments. Between two system calls
/// of one process, another process or thread runs an operation.
final class SegmentLogInterleavingTests: DiskTestCase {
  /// Returns a copy of `files` with a stopped clock. With a stopped clock, a log doesn't check
  /// whether its files were removed.
  private func stopped(_ files: FileSystem = .system) -> FileSystem {
    var files = files
    files.now = { 1_000_000_000_000 }
    return files
  }

  /// A process creates a segment, but a later system call of this process fails. The segment must
  /// stay, because another process may already have written to it.
  func testAStartedSegmentStaysEvenIfItsCreatorFailed() throws {
    let (faulty, other) = (FaultyFileSystem(), log(files: stopped()))
    let log = log(files: stopped(faulty.files))
    try log.set(Data([1]), for: "k")
    let step = Lock(0)
    faulty.setFault { _, call in
      let isNext = step.withLock { step in
        if call == (step == 0 ? "create" : "position") { step += 1 }
        return call == "position" && step == 2
      }
      guard isNext else { return nil }
      XCTAssertNotNil(try? other.set(Data([2]), for: "k"))
      return EIO
    }
    XCTAssertThrowsError(try log.roll())
    faulty.setFault { _, _ in nil }
    XCTAssertEqual(step.withLock { $0 }, 2)
    XCTAssertEqual(log.value("k"), Data([2]))
    try log.set(Data([3]), for: "k")
    for log in [log, other, self.log()] { XCTAssertEqual(log.value("k"), Data([3])) }
  }

  /// If a process couldn't read some of the oldest segments, an eviction removes these segments,
  /// beginning with the oldest. The eviction keeps this order even if a system call fails. A
  /// process that has read a segment looks for the segment with the next ID. If only the segment
  /// with the next ID were missing, the process would treat its current segment as the newest one.
  func testSegmentsAreRemovedTheOldestFirst() throws {
    let log = log()
    for number in 0..<4 {
      try log.set(Data([1]), for: "\(number)")
      try log.roll()
    }
    let before = names()
    let (ends, removed, faulty) = (Lock(3), Lock<[String]>([]), FaultyFileSystem())
    faulty.setFault { _, call in
      switch call {
      case "end": ends.withLock { $0.countDown() && $0 == 0 } ? EIO : nil
      case "unlink": removed.withLock { $0.isEmpty } ? EIO : nil
      default: nil
      }
    }
    let files = faulty.files
    var backward = files
    backward.names = { directory throws(FileError) in
      try files.names(directory).sorted().reversed()
    }
    backward.unlink = { directory, name throws(FileError) in
      defer { removed.withLock { $0.append(name) } }
      try files.unlink(directory, name)
    }
    let other = self.log(files: backward)
    // `other` can't determine the length of the third segment. Unread records of the third segment
    // may replace earlier records, so `other` ignores the first three segments.
    XCTAssertNil(other.value("0"))
    XCTAssertEqual(other.value("3"), Data([1]))
    try other.set(Data([2]), for: "4")
    try other.roll()
    XCTAssertEqual(names().count, 6)
    XCTAssertEqual(try other.evictOldest(), true)
    // The first segment's name appears twice, because the first attempt to remove the segment
    // failed.
    XCTAssertEqual(removed.withLock { $0 }, [before[0]] + before[..<4])
  }

  /// While one thread evicts a segment, a get on another thread reloads the log.
  func testALogThatIsLoadedAgainLosesOnlyTheEvictedSegment() throws {
    for isBefore in [true, false] {
      try? FileManager.default.removeItem(atPath: folder)
      let engine = Lock<SegmentLog?>(nil)
      var files = FileSystem.system
      files.unlink = { directory, name throws(FileError) in
        if isBefore { engine.withLock { $0 }?.reload() }
        try FileSystem.system.unlink(directory, name)
        if !isBefore { engine.withLock { $0 }?.reload() }
      }
      let log = log(files: files)
      for key in ["a", "b", "c", "d"] {
        try log.set(Data(key.utf8), for: key)
        try log.roll()
        // After this eviction, the order of the segments differs from the order of their slots in
        // the index.
        if key == "c" { XCTAssertTrue(try log.evictOldest()) }
      }
      engine.withLock { $0 = log }
      XCTAssertTrue(try log.evictOldest())
      engine.withLock { $0 = nil }
      for key in ["a", "b"] { XCTAssertNil(log.value(key), key) }
      for key in ["c", "d"] { XCTAssertEqual(log.value(key), Data(key.utf8), "\(key) \(isBefore)") }
    }
  }

  /// Before an eviction removes a segment, it copies the values that gets have read. While the
  /// eviction reads a value to copy it, another process sets the value's key, and a get on another
  /// thread reloads the log. After the reload, the segment has fewer entries.
  func testACopyIsComparedByItsPosition() throws {
    let (engine, other) = (Lock<SegmentLog?>(nil), log())
    var files = FileSystem.system
    files.read = { file, bytes, position throws(FileError) in
      let log = engine.withLock { $0.take() }
      if let log {
        XCTAssertNotNil(try? other.set(Data([2]), for: "hot"))
        log.reload()
      }
      return try FileSystem.system.read(file, bytes, position)
    }
    let log = log(files: files)
    for key in ["twice", "twice", "hot", "cold"] { try log.set(Data([1]), for: key) }
    try log.roll()
    XCTAssertEqual(log.value("hot"), Data([1]))
    engine.withLock { $0 = log }
    try log.trimStep()
    XCTAssertNil(engine.withLock { $0 })
    for log in [log, other, self.log()] { XCTAssertEqual(log.value("hot"), Data([2])) }
  }

  /// Simulates a failing get on another thread during a change. In the first run, the get starts
  /// just before the first intercepted system call of the change. In each later run, the get starts
  /// one system call later than in the run before. The get fails to load the log, and the failure
  /// empties the log's index.
  func testAChangeSucceedsThoughAnotherThreadFailsToLoadTheLog() throws {
    let (system, engine) = (FileSystem.system, Lock<SegmentLog?>(nil))
    let (clock, steps, isFailing) = (Lock<Int64>(1_000_000_000_000), Lock(0), Lock(false))
    let fail: @Sendable () throws(FileError) -> Void = { () throws(FileError) in
      if isFailing.withLock({ $0 }) { throw FileError(operation: "open", code: EMFILE) }
    }
    let step: @Sendable () -> Void = {
      guard let log = engine.withLock({ $0 }) else { return }
      guard
        steps.withLock({
          $0 -= 1; return $0 == 0
        })
      else { return }
      isFailing.withLock { $0 = true }
      clock.withLock { $0 += 1_000 }
      XCTAssertNil(log.value("k"))
      isFailing.withLock { $0 = false }
    }
    var files = system
    files.now = {
      step()
      return clock.withLock { $0 }
    }
    files.lock = { file, operation throws(FileError) in
      if operation & LOCK_SH == 0 { step() }
      try system.lock(file, operation)
    }
    files.statusOf = { directory, name throws(FileError) in
      try fail()
      return try system.statusOf(directory, name)
    }
    files.open = { directory, name, mode throws(FileError) in
      try fail()
      // Runs a step only in the modes `append` and `create`, because the log's state is locked in
      // all other modes.
      if [.append, .create].contains(mode) { step() }
      return try system.open(directory, name, mode)
    }
    files.append = { file, parts throws(FileError) in
      step()
      return try system.append(file, parts)
    }
    files.position = { file throws(FileError) in
      step()
      return try system.position(file)
    }
    files.unlink = { directory, name throws(FileError) in
      step()
      try system.unlink(directory, name)
    }
    let value = Data(count: 20_000)
    let changes: [(SegmentLog) throws -> Data?] = [
      { log in
        try log.set(value, for: "k"); return value
      },
      { log in
        try log.remove("k"); return nil
      },
      { log in
        try log.removeAll(); return nil
      },
      { log in
        try log.setCapacity(100_000); return value
      },
    ]
    for (number, change) in changes.enumerated() {
      // After three values, the next value begins a new segment.
      for (count, isFresh) in [(1, false), (3, false), (1, true)] {
        for place in 1...100 {
          try? FileManager.default.removeItem(atPath: folder)
          var log = self.log(capacity: 400_000, files: files)
          for _ in 0..<count { try log.set(value, for: "k") }
          if isFresh { log = self.log(capacity: 400_000, files: files) }
          engine.withLock { $0 = log }
          steps.withLock { $0 = place }
          let text = "change \(number) after \(count) at \(place)"
          var expected: Data?
          XCTAssertNoThrow(expected = try change(log), text)
          engine.withLock { $0 = nil }
          for log in [log, self.log()] { XCTAssertEqual(log.value("k"), expected, text) }
          if steps.withLock({ $0 > 0 }) { break }
          XCTAssertLessThan(place, 100)
        }
      }
    }
  }
}

extension SegmentLog {
  /// Reloads the log, as happens after a failed call.
  fileprivate func reload() {
    state.withLock { $0.close() }
    XCTAssertNotNil(try? refresh())
  }
}
