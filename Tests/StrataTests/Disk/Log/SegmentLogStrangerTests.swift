import Foundation
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Tests of a log whose directory contains files that don't belong to the log. Some of these files
/// have names that look like names of segments.
final class SegmentLogStrangerTests: DiskTestCase {
  private func path(_ number: UInt64) -> String { folder + "/" + SegmentName.of(number) }

  func testForeignFilesAreNeitherReadNorRemovedAndDelayNothing() throws {
    try log().set(Data([1]), for: "kept")
    put([1], at: base + "/victim")
    XCTAssertEqual(mkfifo(path(1), 0o600), 0)
    XCTAssertEqual(mkdir(path(2), 0o700), 0)
    XCTAssertEqual(symlink(base + "/victim", path(3)), 0)
    XCTAssertEqual(symlink(base + "/nothing", path(4)), 0)
    XCTAssertEqual(symlink(path(5), path(5)), 0)
    put([1, 2, 3], at: folder + "/notes.txt")
    put([], at: folder + "/empty")
    // An earlier version of this level stored each record in a file.
    let old = String(repeating: "0a", count: 32) + ".strata1"
    put([1, 2, 3], at: folder + "/" + old)
    for name in ["0.strata2", "0000000000000000.strata2", "ffffffffffffffff.strata2"] {
      put([1], at: folder + "/" + name)
    }
    put([1], at: folder + "/00000000000000AB.strata2")
    for index in 0..<1_000 { put([1], at: folder + "/foreign-\(index)") }
    let before = names()
    let log = log()
    XCTAssertEqual(log.value("kept"), Data([1]))
    XCTAssertEqual(names(), before)
    try log.removeAll()
    for name in before where !name.hasSuffix(".strata2") || SegmentName.id(name) ?? 0 < 6 {
      XCTAssertTrue(names().contains(name), name)
    }
    XCTAssertEqual(contents(base + "/victim"), [1])
    try log.set(Data([2]), for: "a")
    XCTAssertEqual(log.value("a"), Data([2]))
  }

  /// A file that isn't a segment can have a higher number in its name than the newest segment. The
  /// log must skip files that aren't segments, and all operations must still work.
  func testForeignFilesWithTheNextNumberAreSkipped() throws {
    let makers: [(String) -> Void] = [
      { XCTAssertEqual(mkfifo($0, 0o600), 0) }, { XCTAssertEqual(mkdir($0, 0o700), 0) },
      { XCTAssertEqual(symlink("/etc/passwd", $0), 0) },
      {
        self.put([], at: $0)
        XCTAssertEqual(truncate($0, 10 << 30), 0)
      },
    ]
    for make in makers {
      try log().set(Data([1]), for: "a")
      let newest = try XCTUnwrap(names().compactMap { SegmentName.id($0) }.max())
      make(path(newest + 1))
      make(path(newest + 7))
      let faulty = FaultyFileSystem()
      let log = log(files: faulty.files)
      XCTAssertEqual(log.value("a"), Data([1]))
      try log.set(Data([2]), for: "a")
      XCTAssertEqual(log.value("a"), Data([2]))
      // The log doesn't read the 10 GiB of the foreign file.
      XCTAssertLessThan(faulty.calls.count, 200)
      XCTAssertEqual(self.log().value("a"), Data([2]))
    }
  }

  /// The log still works if a file or directory has the highest possible segment number as its
  /// name.
  func testTheLastNameDisablesNothing() throws {
    for isFile in [true, false] {
      try? FileManager.default.removeItem(atPath: folder)
      try log().set(Data([1]), for: "a")
      if isFile {
        put([], at: path(SegmentName.end - 1))
      } else {
        XCTAssertEqual(mkdir(path(SegmentName.end - 1), 0o700), 0)
      }
      let log = log(capacity: 100_000)
      XCTAssertEqual(log.value("a"), Data([1]))
      for number in 0..<1_000 { try log.set(Data(count: 1_000), for: "\(number)") }
      try log.removeAll()
      try log.set(Data([2]), for: "a")
      XCTAssertEqual(log.value("a"), Data([2]))
      XCTAssertEqual(self.log(capacity: 100_000).value("a"), Data([2]))
    }
  }

  func testAFileOfAnotherUserIsNotRead() throws {
    try log().set(Data([1]), for: "a")
    var files = FileSystem.system
    files.status = { file throws(FileError) in
      var status = try FileSystem.system.status(file)
      status.isOwnFile = false
      return status
    }
    XCTAssertNil(log(files: files).value("a"))
  }

  /// If the newest segment has the highest possible number, the log removes all segments and begins
  /// again with a lower number. No process would find a segment with a higher number.
  func testNoSegmentFollowsTheOneWithTheHighestNumber() throws {
    XCTAssertEqual(mkdir(folder, 0o700), 0)
    let file = try OpenFile(path(SegmentName.end - 1), .create, .system)
    let start = PendingRecord(.start, created: FileSystem.system.now(), mark: .max)
    _ = try start.append(to: file, of: SegmentName.end - 1, read: 0)
    let log = log()
    try log.set(Data([1]), for: "a")
    XCTAssertEqual(names().count, 1)
    try log.roll()
    XCTAssertEqual(names().filter { SegmentName.id($0) == nil }, [])
    try log.set(Data([2]), for: "a")
    for log in [log, self.log()] { XCTAssertEqual(log.value("a"), Data([2])) }
  }

  /// The bytes after a seal don't belong to the log. A reader skips only files of 4 GiB or more.
  func testASealedSegmentWithJustUnder4GiBIsRead() throws {
    let log = log()
    try log.set(Data([1]), for: "a")
    try log.roll()
    try log.set(Data([2]), for: "b")
    XCTAssertEqual(truncate(folder + "/" + names()[0], off_t(UInt32.max)), 0)
    XCTAssertEqual(self.log().value("a"), Data([1]))
    XCTAssertEqual(self.log().value("b"), Data([2]))
  }
}
