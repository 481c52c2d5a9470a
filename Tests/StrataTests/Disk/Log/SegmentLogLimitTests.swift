import Foundation
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Tests that a log respects the limits of its process and removes files of the earlier format.
final class SegmentLogLimitTests: DiskTestCase {
  /// With a limit on the size of files (RLIMIT_FSIZE), the log uses shorter segments. A `set` fails
  /// only if the record alone exceeds the limit.
  func testALimitOnTheSizeOfFilesIsObeyed() throws {
    let limit = 100_000
    var files = FileSystem.system
    files.limits = { (limit, 1_024) }
    files.append = { file, parts throws(FileError) in
      guard try FileSystem.system.end(file) + parts.count <= limit else {
        throw FileError(operation: "write", code: EFBIG)
      }
      return try FileSystem.system.append(file, parts)
    }
    let log = log(capacity: 64 << 20, files: files)
    for number in 0..<1_000 { try log.set(Data(count: number * 40), for: "\(number % 10)") }
    XCTAssertEqual(log.value("9")?.count, 999 * 40)
    XCTAssertThrowsError(try log.set(Data(count: limit), for: "long"))
  }

  /// Fifteen full caches need fewer than 256 descriptors, and every recent value is found.
  func testManyFullCachesStayBelowTheLimitOfDescriptors() throws {
    let faulty = FaultyFileSystem()
    var files = faulty.files
    files.limits = { (.max, 256) }
    let logs = (0..<15).map { number in
      SegmentLog(
        directory: base + "/\(number)", capacity: 1 << 20, files: files, background: { $0() })
    }
    for log in logs {
      for number in 0..<900 { try log.set(Data(count: 1_000), for: "\(number)") }
      XCTAssertGreaterThan(log.state.withLock { $0.index.order.count }, 12)
    }
    XCTAssertLessThan(faulty.openDescriptors.count, 256)
    let reopened = (0..<15).map { number in
      SegmentLog(
        directory: base + "/\(number)", capacity: 1 << 20, files: files, background: { $0() })
    }
    for log in logs + reopened {
      for number in 400..<900 { XCTAssertEqual(log.value("\(number)")?.count, 1_000) }
    }
    XCTAssertLessThan(faulty.openDescriptors.count, 256 + 60)
  }

  /// Files of format version 1 are removed if no process has written to them for an hour.
  func testOfTooManySegmentsTheNewestAreKnown() throws {
    let first = log()
    for number in 0..<300 {
      try first.set(Data(count: 10), for: "\(number)")
      try first.roll()
    }
    for log in [first, log()] {
      XCTAssertEqual((0..<300).map { log.value("\($0)") != nil }, (0..<300).map { $0 >= 46 })
    }
  }

  func testFilesOfTheEarlierFormatAreRemovedOnceTheyAreUnused() throws {
    XCTAssertEqual(mkdir(folder, 0o700), 0)
    let (old, new) = ("00000000000000aa.strata", "00000000000000ab.strata")
    for name in [old, new] { put([1], at: folder + "/" + name) }
    let now = FileSystem.system.now() / 1_000
    var times = [timeval(tv_sec: Int(now) - 4_000, tv_usec: 0)]
    times.append(times[0])
    XCTAssertEqual(utimes(folder + "/" + old, times), 0)
    let log = log()
    try log.set(Data([1]), for: "a")
    try log.roll()
    XCTAssertFalse(names().contains(old))
    XCTAssertTrue(names().contains(new))
    XCTAssertEqual(log.value("a"), Data([1]))
  }
}
