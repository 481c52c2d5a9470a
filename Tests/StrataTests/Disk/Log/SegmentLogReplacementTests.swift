import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Tests a backup tool that replaces the directory or a segment by an earlier copy of itself, and
/// other programs that move the files of an open log.
final class SegmentLogReplacementTests: DiskTestCase {
  private func path(_ name: String) -> String { folder + "/" + name }

  /// A log whose clock stands still, so it never checks on its own whether the directory is still
  /// the same.
  private func unaware() -> SegmentLog {
    var files = FileSystem.system
    let now = FileSystem.system.now()
    files.now = { now }
    return log(files: files)
  }

  private func check(_ log: SegmentLog, _ name: String) throws {
    for number in 0..<3 {
      try log.set(Data([UInt8(number)]), for: "after")
      for log in [log, self.log()] {
        XCTAssertEqual(log.value("after"), Data([UInt8(number)]), name)
      }
    }
    try log.remove("after")
    XCTAssertNil(self.log().value("after"), name)
    try log.removeAll()
    XCTAssertEqual(self.log().state.withLock { $0.index.live }, 0)
  }

  /// Tests programs that replace the active segment by renaming, as `rsync` does, or in place.
  func testTheActiveSegmentIsReplacedByAnEarlierCopy() throws {
    for isRenamed in [true, false] {
      for isAware in [true, false] {
        try? FileManager.default.removeItem(atPath: folder)
        let log = isAware ? self.log() : unaware()
        try log.set(Data([1]), for: "before")
        let name = names().last!
        let copy = contents(path(name))
        for number in 0..<20 { try log.set(Data(count: 500), for: "\(number)") }
        if isRenamed {
          put(copy, at: path("copy"))
          XCTAssertEqual(rename(path("copy"), path(name)), 0)
        } else {
          put(copy, at: path(name))
        }
        if isAware { log.state.withLock { $0.checkedAt = .min } }
        try check(log, "renamed: \(isRenamed), aware: \(isAware)")
      }
    }
  }

  func testTheDirectoryIsReplacedByAnEarlierCopy() throws {
    for isRolled in [true, false] {
      try? FileManager.default.removeItem(atPath: folder)
      try? FileManager.default.removeItem(atPath: base + "/old")
      let log = log()
      try log.set(Data([1]), for: "before")
      if isRolled { try log.roll() }
      try FileManager.default.copyItem(atPath: folder, toPath: base + "/copy")
      for number in 0..<20 { try log.set(Data(count: 500), for: "\(number)") }
      XCTAssertEqual(rename(folder, base + "/old"), 0)
      XCTAssertEqual(rename(base + "/copy", folder), 0)
      // The log checks at most once every ten milliseconds whether the directory is the same.
      log.state.withLock { $0.checkedAt = .min }
      XCTAssertEqual(log.value("before"), Data([1]))
      XCTAssertNil(log.value("1"))
      try check(log, "rolled: \(isRolled)")
    }
  }

  /// No write succeeds into a file that has no name, even between two checks of the directory.
  func testNoWriteSucceedsIntoARemovedOrRenamedFile() throws {
    for isRemoved in [true, false] {
      try? FileManager.default.removeItem(atPath: folder)
      let log = unaware()
      try log.set(Data([1]), for: "before")
      let name = path(names().last!)
      XCTAssertEqual(isRemoved ? unlink(name) : rename(name, path("renamed")), 0)
      try check(log, "removed: \(isRemoved)")
    }
  }

  /// Another process reads a new record, and removes the record's segment before the writer has
  /// checked that the segment is in place. Then the writer must not write the record again.
  func testAWriteIsNotRepeatedAfterAnotherProcessHasRemovedItsSegment() throws {
    for isFull in [false, true] {
      try? FileManager.default.removeItem(atPath: folder)
      let faulty = FaultyFileSystem()
      let other = log(files: faulty.files)
      let isArmed = Lock(false)
      var files = FileSystem.system
      files.append = { file, parts throws(FileError) in
        let count = try FileSystem.system.append(file, parts)
        guard isArmed.withLock({ $0 }) else { return count }
        isArmed.withLock { $0 = false }
        XCTAssertEqual(other.value("a"), Data([1]))
        // Without space for the record of the clear, the other process removes the files.
        if isFull { faulty.setFault { ["append", "create"].contains($1) ? ENOSPC : nil } }
        XCTAssertNoThrow(try other.removeAll())
        faulty.setFault { _, _ in nil }
        XCTAssertNil(other.value("a"))
        XCTAssertNoThrow(try other.set(Data([2]), for: "a"))
        return count
      }
      let log = log(files: files)
      try log.set(Data([0]), for: "a")
      isArmed.withLock { $0 = true }
      try log.set(Data([1]), for: "a")
      XCTAssertFalse(isArmed.withLock { $0 })
      for log in [log, other, self.log()] { XCTAssertEqual(log.value("a"), Data([2])) }
    }
  }

  /// A segment that isn't open is opened by its name. Another file with that name is a miss.
  func testASegmentThatIsOpenedAgainIsTheSameFile() throws {
    var files = FileSystem.system
    files.limits = { (.max, 2) }
    let log = log(files: files)
    try log.set(Data([1]), for: "a")
    let name = names().last!
    try log.roll()
    XCTAssertEqual(log.value("a"), Data([1]))
    let copy = contents(path(name))
    put(copy, at: path("copy"))
    XCTAssertEqual(rename(path("copy"), path(name)), 0)
    XCTAssertNil(log.value("a"))
    try check(log, "sealed")
  }
}
