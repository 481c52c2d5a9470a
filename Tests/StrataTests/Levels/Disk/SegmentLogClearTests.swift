import StrataLaws
import XCTest

@testable import Strata

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The way of a clear that cannot write its record: all segments go.
final class SegmentLogClearTests: DiskTestCase {
  func testAClearThatCannotBeWrittenIsSeenByOthersAtOnce() throws {
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
      // No time has passed since it was looked whether the segment is still there.
      XCTAssertNil(other.value("a"))
      XCTAssertNil(log.value("a"))
    }
  }

  func testWhatIsNamedLikeASegmentAndIsNoneStays() throws {
    let faulty = FaultyFileSystem()
    let log = log(files: faulty.files)
    try log.set(Data([1]), for: "a")
    let link = folder + "/0000000000000001.strata"
    XCTAssertEqual(symlink("/etc/passwd", link), 0)
    XCTAssertEqual(mkdir(folder + "/0000000000000002.strata", 0o700), 0)
    faulty.setFault { $1 == "append" ? EIO : nil }
    try log.removeAll()
    faulty.setFault { _, _ in nil }
    XCTAssertNil(log.value("a"))
    XCTAssertNil(self.log().value("a"))
    XCTAssertEqual(
      names().filter { $0 < "00000000000000ff" },
      ["0000000000000001.strata", "0000000000000002.strata"])
  }
}
