import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Tests how one failing system call at a critical point affects the log's contents and later
/// retries.
final class SegmentLogErrorTests: DiskTestCase {
  private let capacity = 64 << 10
  private let clock = Lock<Int64>(1_000_000_000_000)

  private func ticking(_ files: FileSystem) -> FileSystem {
    var files = files
    let clock = clock
    files.now = { clock.withLock { $0 } }
    return files
  }

  /// A record that can't be read may be a removal by another process, so a get must not return an
  /// older value.
  func testAnUnreadableRecordHidesOlderValues() throws {
    for operation in ["read", "end"] {
      try? FileManager.default.removeItem(atPath: folder)
      let faulty = FaultyFileSystem()
      let (log, other) = (log(files: faulty.files), log())
      try log.set(Data([1]), for: "a")
      XCTAssertEqual(other.value("a"), Data([1]))
      try other.remove("a")
      let left = Lock(1)
      faulty.setFault { $1 == operation && left.withLock { $0.countDown() } ? EIO : nil }
      for _ in 0..<3 { XCTAssertNil(log.value("a"), operation) }
      XCTAssertGreaterThan(faulty.fired, 0)
    }
  }

  /// If a segment is missing or unreadable, gets must not return values from the segments before
  /// it. The lost records may include a removal of the key.
  func testAnUnreadableSegmentHidesAllEarlierSegments() throws {
    for operation in ["open", "status", "read", "none"] {
      try? FileManager.default.removeItem(atPath: folder)
      let log = log(capacity: capacity)
      try log.set(Data([1]), for: "a")
      try log.roll()
      try log.remove("a")
      try log.roll()
      try log.set(Data([2]), for: "b")
      XCTAssertEqual(names().count, 3)
      let middle = names()[1]
      let opened = Lock<Descriptor?>(nil)
      var files = FileSystem.system
      if operation == "none" { XCTAssertEqual(unlink(folder + "/" + middle), 0) }
      files.open = { folder, name, mode throws(FileError) in
        if name == middle, operation == "open" { throw FileError(operation: "", code: EIO) }
        let file = try FileSystem.system.open(folder, name, mode)
        if name == middle { opened.withLock { $0 = file } }
        return file
      }
      files.close = { file in
        opened.withLock { if $0 == file { $0 = nil } }
        FileSystem.system.close(file)
      }
      files.status = { file throws(FileError) in
        if opened.withLock({ $0 }) == file, operation == "status" {
          throw FileError(operation: "", code: EIO)
        }
        return try FileSystem.system.status(file)
      }
      files.read = { file, bytes, position throws(FileError) in
        if opened.withLock({ $0 }) == file, operation == "read" {
          throw FileError(operation: "", code: EIO)
        }
        return try FileSystem.system.read(file, bytes, position)
      }
      let fresh = self.log(capacity: capacity, files: files)
      XCTAssertNil(fresh.value("a"), operation)
      XCTAssertEqual(fresh.value("b"), Data([2]), operation)
    }
  }

  /// If a segment is missing, gets must not return values from the segments before it. Each segment
  /// contains the length of the previous segment, but here two segments have the same length. The
  /// log must therefore also compare the IDs of the segments.
  func testAMissingSegmentHidesAllEarlierSegments() throws {
    let log = log(capacity: capacity)
    for version: UInt8 in 1...2 {
      try log.set(Data([version]), for: "a")
      try log.roll()
    }
    try log.set(Data([3]), for: "b")
    let sizes = names().map { contents(folder + "/" + $0).count }
    XCTAssertEqual(sizes[0], sizes[1])
    XCTAssertEqual(unlink(folder + "/" + names()[1]), 0)
    let fresh = self.log(capacity: capacity)
    XCTAssertNil(fresh.value("a"))
    XCTAssertEqual(fresh.value("b"), Data([3]))
  }

  /// The table of a sealed segment lists the removals and the `clear` that hide values in older
  /// segments.
  func testATableHasRemovesAndTheClear() throws {
    for clears in [false, true] {
      try? FileManager.default.removeItem(atPath: folder)
      let faulty = FaultyFileSystem()
      let log = log(capacity: capacity, files: faulty.files)
      try log.set(Data([1]), for: "a")
      try log.roll()
      // The older segment stays.
      faulty.setFault { $1 == "unlink" ? EIO : nil }
      if clears { try log.removeAll() } else { try log.remove("a") }
      try log.set(Data([2]), for: "b")
      try log.roll()
      try log.set(Data([3]), for: "c")
      XCTAssertGreaterThanOrEqual(names().count, 3)
      for log in [log, self.log(capacity: capacity)] {
        XCTAssertNil(log.value("a"), "\(clears)")
        XCTAssertEqual(log.value("b"), Data([2]), "\(clears)")
        XCTAssertEqual(log.value("c"), Data([3]), "\(clears)")
      }
    }
  }

  /// A failed append leaves only the first 100 bytes of a record. Another process then appends a
  /// record directly after these bytes. A get must find the new record.
  func testARecordWrittenIntoATornRecordIsFound() throws {
    let faulty = FaultyFileSystem()
    let (log, other) = (log(files: faulty.files), log())
    try log.set(Data([1]), for: "a")
    try log.set(Data([1]), for: "torn")
    XCTAssertEqual(other.value("a"), Data([1]))
    faulty.shortened.withLock { $0 = 100 }
    faulty.setFault { $1 == "append" ? ENOSPC : nil }
    XCTAssertThrowsError(try log.set(Data(count: 1_000), for: "torn"))
    faulty.setFault { _, _ in nil }
    try other.set(Data([2]), for: "a")
    for number in 0..<40 { try log.set(Data([3]), for: "\(number)") }
    for log in [log, other, self.log()] {
      XCTAssertEqual(log.value("a"), Data([2]))
      XCTAssertEqual((0..<40).filter { log.value("\($0)") == Data([3]) }.count, 40)
      // The second `set` of this key failed, so a get ignores the incomplete record.
      XCTAssertEqual(log.value("torn"), Data([1]))
    }
  }

  func testShortReadsAreContinued() throws {
    let short = FaultyFileSystem(shortens: true)
    let value = Stamp(key: "a", version: 1).value(length: 5_000)
    try log().set(value, for: "a")
    XCTAssertEqual(log(files: short.files).value("a"), value)
    XCTAssertGreaterThan(short.calls.filter { $0 == "read" }.count, 1_000)
  }

  /// If the system can't list a directory, the log must not treat the directory as empty and begin
  /// a new log in it.
  func testAFailedListingDestroysNothing() throws {
    try log(files: ticking(.system)).set(Data([1]), for: "a")
    let before = names()
    for failures in 1...4 {
      let faulty = FaultyFileSystem()
      let left = Lock(failures)
      faulty.setFault { _, operation in
        guard operation == "names" else { return nil }
        return left.withLock { $0.countDown() } ? EIO : nil
      }
      let log = log(files: ticking(faulty.files))
      while left.withLock({ $0 > 0 }) {
        XCTAssertNil(log.value("a"))
        clock.withLock { $0 += 2_000 }
      }
      XCTAssertEqual(log.value("a"), Data([1]))
      XCTAssertEqual(names(), before)
    }
  }

  func testAFileThatCannotBeOpenedTemporarilyIsUnavailableAndStays() throws {
    try log(files: ticking(.system)).set(Data([1]), for: "a")
    let before = names()
    for (code, calls) in [EPERM, EACCES, EMFILE, ENFILE, ENOMEM].flatMap({ code in
      [(code, ["open", "openForAppending"]), (code, ["open"])]
    }) {
      let faulty = FaultyFileSystem()
      faulty.setFault { calls.contains($1) ? code : nil }
      let log = log(files: ticking(faulty.files))
      for _ in 0..<3 {
        XCTAssertNil(log.value("a"))
        XCTAssertThrowsError(try log.set(Data([2]), for: "a")) { error in
          guard case .unavailable(folder, _, code)? = error as? DiskError else {
            return XCTFail("\(error)")
          }
        }
      }
      XCTAssertEqual(names(), before)
      faulty.setFault { _, _ in nil }
      clock.withLock { $0 += 2_000 }
      XCTAssertEqual(log.value("a"), Data([1]))
    }
  }

  /// If the read of a segment fails, for example because of too many open files or too little
  /// memory, the log reads the segment again later. The unread half of the segment may contain the
  /// removal of a key.
  func testASegmentThatIsHalfReadIsReadAgain() throws {
    for code in [EMFILE, ENFILE, ENOMEM, EPERM, EACCES] {
      try? FileManager.default.removeItem(atPath: folder)
      let faulty = FaultyFileSystem()
      let (log, other) = (log(files: ticking(faulty.files)), log(files: ticking(.system)))
      for key in ["a", "b"] { try log.set(Data([1]), for: key) }
      XCTAssertEqual(other.value("a"), Data([1]))
      try other.roll()
      try other.remove("a")
      // The first read succeeds and returns the seal that `other` appended to the first segment.
      // The second read accesses the second segment and fails.
      let left = Lock(1)
      faulty.setFault { $1 == "read" && !left.withLock { $0.countDown() } ? code : nil }
      XCTAssertThrowsError(try log.roll())
      faulty.setFault { _, _ in nil }
      try other.roll()
      XCTAssertNil(log.value("a"), "\(code)")
      XCTAssertEqual(log.value("b"), Data([1]), "\(code)")
    }
  }

  func testAGetOfAnUnusableDirectoryIsOneCall() throws {
    let faulty = FaultyFileSystem()
    faulty.setFault { _, _ in EIO }
    let log = log(files: ticking(faulty.files))
    for _ in 0..<1_000 { XCTAssertNil(log.value("a")) }
    XCTAssertEqual(faulty.calls.count, 1_000)
  }

  func testAFullVolumeEvictsTheOldestSegments() throws {
    let faulty = FaultyFileSystem()
    let log = log(capacity: 1 << 20, files: faulty.files)
    for number in 0..<600 { try log.set(Data(count: 1_000), for: "\(number)") }
    let failures = Lock(2)
    faulty.setFault { _, operation in
      guard operation == "append" else { return nil }
      return failures.withLock { $0.countDown() } ? ENOSPC : nil
    }
    XCTAssertGreaterThan(try log.set(Data(count: 1_000), for: "new"), 50)
    XCTAssertNil(log.value("0"))
    XCTAssertNotNil(log.value("599"))
    XCTAssertNotNil(log.value("new"))
    faulty.setFault { $1 == "append" ? EDQUOT : nil }
    XCTAssertThrowsError(try log.set(Data(count: 1_000), for: "never")) {
      XCTAssertEqual($0 as? DiskError, .full(directory: folder, bytes: 72 + 5 + 1_000))
    }
  }
}
