import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Tests `clear` operations. If a `clear` can't write its record, it removes all segments instead.
final class SegmentLogClearTests: DiskTestCase {
  func testOtherProcessesSeeAClearWithoutARecordImmediately() throws {
    let faulty = FaultyFileSystem()
    let clock = Lock<Int64>(1_000_000_000_000)
    var files = faulty.files
    files.now = { clock.withLock { $0 } }
    var others = FileSystem.system
    others.now = files.now
    for count in [1, 2_000] {
      faulty.setFault { _, _ in nil }
      let (log, other) = (
        log(capacity: 1 << 20, files: files), log(capacity: 1 << 20, files: others)
      )
      for _ in 0..<count { try log.set(Data(count: 100), for: "a") }
      XCTAssertNotNil(other.value("a"))
      faulty.setFault { ["append", "create"].contains($1) ? ENOSPC : nil }
      try log.removeAll()
      // The clock is stopped, so `other` doesn't check whether its segment still exists. The length
      // of the removed file has changed, so `other` detects that the values are gone.
      XCTAssertNil(other.value("a"))
      XCTAssertNil(log.value("a"))
    }
  }

  func testFilesWithTheNameOfASegmentStay() throws {
    let faulty = FaultyFileSystem()
    let log = log(files: faulty.files)
    try log.set(Data([1]), for: "a")
    let link = folder + "/0000000000000001.strata2"
    XCTAssertEqual(symlink("/etc/passwd", link), 0)
    XCTAssertEqual(mkdir(folder + "/0000000000000002.strata2", 0o700), 0)
    faulty.setFault { $1 == "append" ? EIO : nil }
    try log.removeAll()
    faulty.setFault { _, _ in nil }
    XCTAssertNil(log.value("a"))
    XCTAssertNil(self.log().value("a"))
    XCTAssertEqual(
      names().filter { $0 < "00000000000000ff" },
      ["0000000000000001.strata2", "0000000000000002.strata2"])
  }

  /// A `clear` removes all segments that precede its record. If another process begins a new log at
  /// the same time, the `clear` must not remove the new log's segment.
  func testAClearLeavesTheSegmentOfANewLog() throws {
    let (folder, other) = (folder, Lock<SegmentLog?>(nil))
    var slow = FileSystem.system
    slow.now = { 1_000 }
    let early = log(files: slow)
    var files = FileSystem.system
    files.now = { 2_000 }  // If 10 ms passed, the `clear` would find and remove the new log.
    files.lock = { file, operation throws(FileError) in
      if operation & LOCK_EX != 0, let log = other.withLock({ $0.take() }) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
          XCTAssertEqual(unlink(folder + "/" + name), 0)
        }
        XCTAssertNotNil(try? log.set(Data([2]), for: "b"))
      }
      try FileSystem.system.lock(file, operation)
    }
    let log = log(files: files)
    try log.set(Data([1]), for: "a")
    other.withLock { $0 = early }
    try log.removeAll()
    XCTAssertNil(other.withLock { $0 })
    XCTAssertEqual(early.value("b"), Data([2]))
    XCTAssertNil(early.value("a"))
  }

  /// A `remove` whose record doesn't fit on the volume removes other values, and counts them.
  func testARemoveOnAFullVolumeCountsTheOtherValues() throws {
    let faulty = FaultyFileSystem()
    let log = log(files: faulty.files)
    for key in ["a", "b", "c"] { try log.set(Data([1]), for: key) }
    faulty.setFault { ["append", "create"].contains($1) ? ENOSPC : nil }
    try log.remove("a")
    for key in ["a", "b", "c"] { XCTAssertNil(log.value(key), key) }
    XCTAssertGreaterThanOrEqual(log.state.withLock { $0.counts.evictions }, 2)
  }
}
