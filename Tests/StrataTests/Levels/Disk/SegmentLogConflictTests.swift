import XCTest

@testable import Strata

/// Another engine changes a key just before the copies of what it had arrive in the log.
///
/// No random test has found this: it takes a window of a few microseconds, here made certain.
final class SegmentLogConflictTests: DiskTestCase {
  private enum Change: CaseIterable {
    case set, remove, removeAll, removeTwice, setAndRemove, trim
  }

  private let capacity = 1 << 20

  /// Fills a log, reading one key of its oldest segment, until that is written again; returns what
  /// all engines then say of it.
  private func valuesAfter(_ change: Change) throws -> [Data?] {
    try? FileManager.default.removeItem(atPath: folder)
    let other = log(capacity: capacity)
    let copies = Lock(0)
    var files = FileSystem.system
    files.append = { file, head, tail throws(FileSystemError) in
      let isCopy = head.count > 64 && head.load(fromByteOffset: 4, as: UInt32.self) == 5
      if isCopy,
        copies.withLock({
          $0 += 1; return $0
        }) == 1
      {
        try? Self.make(change, in: other)
      }
      return try FileSystem.system.append(file, head, tail)
    }
    let log = log(capacity: capacity, files: files)
    try log.set(Stamp(key: "hot", version: 1).value(), for: "hot")
    // One that opened a folder so full would make room first.
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
      // Gone with its segment, so this engine removes what it believes to be absent.
      XCTAssertNil(log.value("hot"))
      try log.remove("hot")
    }
  }

  /// Between its seal and the next segment an engine has nothing to look at: others may be ahead.
  func testASealedSegmentIsBehindFromTheMomentItIsSealed() throws {
    let other = log(capacity: capacity)
    let answers = Lock<[Bool]>([])
    let engine = Lock<SegmentLog?>(nil)
    var files = FileSystem.system
    let folder = folder
    files.sync = { _ in
      _ = try? other.set(Stamp(key: "k", version: 2).value(), for: "k")
      let now = FileSystem.system.now()
      let isUpToDate = engine.withLock { $0 }?.state.withLock {
        $0.isUpToDate(.system, folder, now)
      }
      if let isUpToDate { answers.withLock { $0.append(isUpToDate) } }
    }
    let log = log(capacity: capacity, files: files)
    log.state.withLock { $0.isFlushing = true }
    engine.withLock { $0 = log }
    try log.set(Stamp(key: "k", version: 1).value(), for: "k")
    try log.writer.withLock { try log.roll(&$0) }
    XCTAssertEqual(answers.withLock { $0 }, [false])
    XCTAssertEqual(log.value("k").flatMap(Stamp.init)?.version, 2)
    engine.withLock { $0 = nil }
  }

  /// A get need not wait for a write of its own process that is under way, but must for another's.
  func testOnlyOwnGrowthIsOverlooked() throws {
    let other = log(capacity: capacity)
    let answers = Lock<[Bool]>([])
    let engine = Lock<SegmentLog?>(nil)
    let hasOther = Lock(false)
    let folder = folder
    var files = FileSystem.system
    files.append = { file, head, tail throws(FileSystemError) in
      if hasOther.withLock({ $0 }) { _ = try? other.set(Data([2]), for: "k") }
      let count = try FileSystem.system.append(file, head, tail)
      let now = FileSystem.system.now()
      let isUpToDate = engine.withLock { $0 }?.state.withLock {
        $0.isUpToDate(.system, folder, now)
      }
      if let isUpToDate { answers.withLock { $0.append(isUpToDate) } }
      return count
    }
    let log = log(capacity: capacity, files: files)
    try log.set(Data([1]), for: "k")
    engine.withLock { $0 = log }
    try log.set(Data(count: 1_000), for: "own")
    hasOther.withLock { $0 = true }
    try log.set(Data(count: 1_000), for: "own")
    XCTAssertEqual(answers.withLock { $0 }, [true, false])
    XCTAssertEqual(log.value("k"), Data([2]))
    engine.withLock { $0 = nil }
  }

  /// The same where the other's record alone is there so far, no longer than the own one.
  func testAnothersGrowthIsNotTakenForOwn() throws {
    let other = log(capacity: capacity)
    let answers = Lock<[Bool]>([])
    let engine = Lock<SegmentLog?>(nil)
    let folder = folder
    var files = FileSystem.system
    files.append = { file, head, tail throws(FileSystemError) in
      if let log = engine.withLock({ $0 }) {
        _ = try? other.set(Data([2]), for: "k")
        let now = FileSystem.system.now()
        let isUpToDate = log.state.withLock { $0.isUpToDate(.system, folder, now) }
        answers.withLock { $0.append(isUpToDate) }
      }
      return try FileSystem.system.append(file, head, tail)
    }
    let log = log(capacity: capacity, files: files)
    try log.set(Data([1]), for: "k")
    engine.withLock { $0 = log }
    try log.set(Data(count: 1_000), for: "own")
    XCTAssertEqual(answers.withLock { $0 }, [false])
    XCTAssertEqual(log.value("k"), Data([2]))
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

  /// Who has listed the folder and slept opens by name, and another who has slept as long may have
  /// made a file of that name again: nobody else will ever write to that.
  func testTheFileOfASleeperIsNotTakenForTheNewestSegment() throws {
    let other = log(capacity: 64 << 10)
    let isAsleep = Lock(false)
    var files = FileSystem.system
    files.open = { folder, name throws(FileSystemError) in
      let sleeps = isAsleep.withLock { isAsleep in
        defer { isAsleep = false }
        return isAsleep
      }
      if sleeps {
        for number in 0..<300 {
          XCTAssertNotNil(try? other.set(Data(count: 1_000), for: "\(number)"))
        }
        XCTAssertNotNil(try? FileSystem.system.close(FileSystem.system.create(folder, name)))
      }
      return try FileSystem.system.open(folder, name)
    }
    let log = log(capacity: 64 << 10, files: files)
    try other.set(Data([1]), for: "a")
    XCTAssertEqual(log.value("a"), Data([1]))
    try other.writer.withLock { try other.roll(&$0) }
    isAsleep.withLock { $0 = true }
    _ = log.value("a")
    XCTAssertFalse(isAsleep.withLock { $0 })
    try other.set(Data([2]), for: "a")
    XCTAssertEqual(log.value("a"), Data([2]))
    try log.set(Data([3]), for: "a")
    XCTAssertEqual(other.value("a"), Data([3]))
  }

  /// Between two listings another has written into the newest segment and sealed it: it is read to
  /// its end.
  func testASegmentThatIsSealedWhileItIsOpenedIsReadToItsEnd() throws {
    let other = log()
    let names = Lock(0)
    var files = FileSystem.system
    files.names = { folder throws(FileSystemError) in
      let count = names.withLock { names in
        names += 1
        return names
      }
      if count == 2 {
        XCTAssertNotNil(try? other.set(Data([2]), for: "a"))
        XCTAssertNotNil(try? other.writer.withLock { try other.roll(&$0) })
      }
      return try FileSystem.system.names(folder)
    }
    let log = log(files: files)
    try other.set(Data([1]), for: "a")
    XCTAssertEqual(log.value("a"), Data([2]))
    XCTAssertGreaterThan(names.withLock { $0 }, 2)
    try other.set(Data([3]), for: "a")
    XCTAssertEqual(log.value("a"), Data([3]))
  }
}
