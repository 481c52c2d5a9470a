import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Tests changes that other programs make to the directory while a log uses the directory.
final class SegmentLogFolderTests: DiskTestCase {
  private let clock = Lock<Int64>(1_000_000_000_000)

  private func ticking(_ files: FileSystem = .system) -> FileSystem {
    var files = files
    let clock = clock
    files.now = { clock.withLock { $0 } }
    return files
  }

  private func pass(_ milliseconds: Int64) { clock.withLock { $0 += milliseconds } }

  private func assertUnavailable(_ codes: Set<Int32>, _ body: () throws -> Void) {
    XCTAssertThrowsError(try body()) { error in
      guard case .unavailable(folder, _, let code)? = error as? DiskError else {
        return XCTFail("\(error)")
      }
      XCTAssertTrue(codes.contains(code), "\(error)")
    }
  }

  func testARemovedDirectoryIsCreatedAgainAfterTenMilliseconds() throws {
    let log = log(files: ticking())
    for version in 0..<3 {
      try log.set(Data([UInt8(version)]), for: "a")
      try FileManager.default.removeItem(atPath: version == 1 ? base : folder)
      pass(10)
      XCTAssertNil(log.value("a"))
      try log.remove("a")
      try log.removeAll()
    }
    try log.set(Data([9]), for: "a")
    XCTAssertEqual(log.value("a"), Data([9]))
    XCTAssertEqual(self.log(files: ticking()).value("a"), Data([9]))
  }

  /// A write notices that the directory is missing, even before the log's next regular check.
  func testADirectoryThatDisappearsDuringAWriteIsCreatedAgain() throws {
    let log = log(capacity: 1 << 20, files: ticking())
    let values = (0..<700).map { Data(count: 100 + $0) }
    for (number, value) in values.enumerated() {
      if number % 100 == 99 { try? FileManager.default.removeItem(atPath: folder) }
      try log.set(value, for: "a")
      XCTAssertEqual(log.value("a"), value)
    }
    try? FileManager.default.removeItem(atPath: folder)
    try log.setCapacity(100_000)
    try? FileManager.default.removeItem(atPath: folder)
    try log.removeAll()
    pass(10)
    try log.set(Data([1]), for: "a")
    XCTAssertEqual(self.log(files: ticking()).value("a"), Data([1]))
  }

  func testAllMissingDirectoriesAreCreated() throws {
    let deep = SegmentLog(directory: base + "/x/y/z", capacity: 1 << 20, background: { $0() })
    try deep.set(Data([1]), for: "a")
    XCTAssertEqual(deep.value("a"), Data([1]))
    for path in ["/x", "/x/y", "/x/y/z"] { XCTAssertEqual(mode(base + path), 0o700) }
  }

  func testAFileInPlaceOfTheDirectoryIsAnErrorUntilItIsRemoved() throws {
    put([1], at: folder)
    let log = log(files: ticking())
    assertUnavailable([ENOTDIR]) { try log.set(Data([1]), for: "a") }
    assertUnavailable([ENOTDIR]) { try log.remove("a") }
    assertUnavailable([ENOTDIR]) { try log.removeAll() }
    XCTAssertNil(log.value("a"))
    XCTAssertEqual(contents(folder), [1])
    XCTAssertEqual(unlink(folder), 0)
    pass(1_000)
    try log.set(Data([1]), for: "a")
    XCTAssertEqual(log.value("a"), Data([1]))
  }

  func testAReadOnlyVolumeIsAnErrorForWritesAndServesReads() throws {
    for isSealed in [false, true] {
      let faulty = FaultyFileSystem()
      let files = ticking(faulty.files)
      let first = log(capacity: 1 << 20, files: files)
      try first.set(Data([1]), for: "a")
      let changing: Set = [
        "create", "unlink", "openForAppending", "append", "lengthen", "makeDirectory",
      ]
      if isSealed {
        // From here on, the log can't create a segment.
        faulty.setFault { $1 == "create" ? EROFS : nil }
        XCTAssertThrowsError(try first.roll())
      }
      faulty.setFault { changing.contains($1) ? EROFS : nil }
      for log in [first, log(capacity: 1 << 20, files: files)] {
        for _ in 0..<3 {
          pass(10)
          XCTAssertEqual(log.value("a"), Data([1]), "\(isSealed) \(log === first)")
          assertUnavailable([EROFS]) { try log.set(Data([2]), for: "b") }
          assertUnavailable([EROFS]) { try log.remove("a") }
          assertUnavailable([EROFS]) { try log.removeAll() }
        }
        XCTAssertEqual(log.value("a"), Data([1]))
      }
      faulty.setFault { _, _ in nil }
      pass(1_000)
      try first.set(Data([2]), for: "b")
      XCTAssertEqual(first.value("a"), Data([1]))
      XCTAssertEqual(first.value("b"), Data([2]))
      try first.removeAll()
    }
  }

  func testADirectoryOfAnotherUserIsNotUsed() throws {
    var files = ticking()
    files.status = { file throws(FileError) in
      var status = try FileSystem.system.status(file)
      (status.isOwn, status.isOwnFile) = (false, false)
      return status
    }
    let log = log(files: files)
    assertUnavailable([EPERM]) { try log.set(Data([1]), for: "a") }
    XCTAssertNil(log.value("a"))
    XCTAssertEqual(names(), [])
  }

  func testAPathWithANULIsRefusedAndNotCutShort() {
    let log = SegmentLog(directory: base + "/cut\u{0}off", capacity: 1 << 20, background: { $0() })
    XCTAssertThrowsError(try log.set(Data([1]), for: "a"))
    XCTAssertNil(log.value("a"))
    XCTAssertEqual(names(in: base), [])
  }

  func testPermissionsArePrivateFromTheStart() throws {
    for mask in [mode_t(0), 0o022] {
      let previous = umask(mask)
      defer { umask(previous) }
      let folder = folder
      let modes = Lock<[Int]>([])
      var files = FileSystem.system
      files.open = { descriptor, name, mode throws(FileError) in
        let file = try FileSystem.system.open(descriptor, name, mode)
        guard mode == .create else { return file }
        var found = stat()
        _ = lstat(folder + "/" + name, &found)
        modes.withLock { $0.append(Int(found.st_mode) & 0o777) }
        return file
      }
      try log(files: files).set(Data([1]), for: "a")
      XCTAssertEqual(modes.withLock { $0 }, [0o600])
      XCTAssertEqual(mode(folder), 0o700)
      try FileManager.default.removeItem(atPath: folder)
    }
  }

  func testALinkInPlaceOfTheDirectoryIsNotFollowed() throws {
    let log = log(files: ticking())
    try log.set(Data([1]), for: "a")
    // The target of the link contains valid records, so a log that followed the link would return
    // them.
    XCTAssertEqual(rename(folder, base + "/victim"), 0)
    XCTAssertEqual(symlink(base + "/victim", folder), 0)
    let before = names(in: base + "/victim")
    pass(10)
    XCTAssertNil(log.value("a"))
    XCTAssertThrowsError(try log.set(Data([2]), for: "a"))
    XCTAssertThrowsError(try log.removeAll())
    XCTAssertNil(SegmentLogs.at(folder + "/", capacity: 1_000, files: ticking()).value("a"))
    XCTAssertEqual(names(in: base + "/victim"), before)
  }

  /// Another program has removed a segment, and the next segment can't be opened at first. The first
  /// get must not leave an index that contains only the segments before the missing one.
  func testAMissingSegmentHidesAllEarlierSegmentsAfterAFailedGet() throws {
    for code in [EIO, EMFILE] {
      try? FileManager.default.removeItem(atPath: folder)
      let first = log(files: ticking())
      try first.set(Data([1]), for: "a")
      try first.roll()
      try first.remove("a")
      try first.roll()
      try first.set(Data([2]), for: "b")
      XCTAssertEqual(unlink(folder + "/" + names()[1]), 0)
      let (newest, left) = (names()[1], Lock(1))
      var files = ticking()
      files.open = { folder, name, mode throws(FileError) in
        if name == newest, left.withLock({ $0.countDown() }) {
          throw FileError(operation: "openat", code: code)
        }
        return try FileSystem.system.open(folder, name, mode)
      }
      let log = log(files: files)
      XCTAssertNil(log.value("a"), "\(code)")
      XCTAssertEqual(left.withLock { $0 }, 0)
      XCTAssertNil(log.value("a"), "\(code)")
      XCTAssertEqual(log.value("b"), Data([2]), "\(code)")
    }
  }

  /// While a log uses the directory, another program repeatedly replaces the directory with a link,
  /// and then restores the directory. The log must not change the target of the link.
  func testALinkThatReplacesTheDirectoryDuringUseIsNeverFollowed() throws {
    let (victim, folder, aside) = (base + "/victim", folder, base + "/aside")
    let other = SegmentLog(directory: victim, capacity: 1 << 20, background: { $0() })
    for key in ["a", "b"] { try other.set(Data("secret".utf8), for: key) }
    let victims = names(in: victim)
    let before = contents(victim + "/" + victims[0])
    let isDone = Lock(false)
    let rounds = isLong ? 1_000 : 300
    let thread = Thread {
      for _ in 0..<rounds {
        rename(folder, aside)
        symlink(victim, folder)
        unlink(folder)
        if rename(aside, folder) != 0 { try? FileManager.default.removeItem(atPath: aside) }
      }
      isDone.withLock { $0 = true }
    }
    let ticks = Lock<Int64>(Int64(Date().timeIntervalSince1970 * 1_000))
    var files = FileSystem.system
    files.now = {
      ticks.withLock {
        $0 += 5; return $0
      }
    }
    let log = log(files: files)
    thread.start()
    while !isDone.withLock({ $0 }) {
      _ = try? log.set(Data("own".utf8), for: "a")
      for key in ["a", "b"] {
        if let value = log.value(key) { XCTAssertEqual(value, Data("own".utf8)) }
      }
      try? log.removeAll()
    }
    XCTAssertEqual(names(in: victim), victims)
    XCTAssertEqual(contents(victim + "/" + victims[0]), before)
    XCTAssertEqual(other.value("a"), Data("secret".utf8))
  }
}
