import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Tests damage, truncated writes, and failing calls at points where earlier versions returned
/// wrong values.
final class SegmentLogHostileTests: DiskTestCase {
  /// Returns a log whose clock is stopped, so the log never checks whether its files were removed.
  private func stopped(
    _ faulty: FaultyFileSystem = FaultyFileSystem(), capacity: Int = 4 << 20
  ) -> SegmentLog {
    log(capacity: capacity, files: stopped(faulty.files))
  }

  private func stopped(_ files: FileSystem) -> FileSystem {
    var files = files
    files.now = { 1_000_000_000_000 }
    return files
  }

  /// After a bit of the newest record is flipped, the value that the record replaced must not
  /// reappear.
  func testAFlippedBitRestoresNoOldValue() throws {
    for isRemove in [true, false] {
      try? FileManager.default.removeItem(atPath: folder)
      let log = log()
      try log.set(Data("secret".utf8), for: "a")
      try log.set(Data("other".utf8), for: "b")
      let start = usedBytes()
      if isRemove { try log.remove("a") } else { try log.set(Data("new".utf8), for: "a") }
      let path = folder + "/" + names()[0]
      let bytes = contents(path)
      for bit in (start * 8)..<(bytes.count * 8) {
        var damaged = bytes
        damaged[bit / 8] ^= 1 << (bit % 8)
        put(damaged, at: path)
        let fresh = self.log()
        XCTAssertNotEqual(fresh.value("a"), Data("secret".utf8), "bit \(bit)")
        guard bit.isMultiple(of: 37) else { continue }
        // Writes still succeed. Even `log`, which wrote the record before the bit was flipped, must
        // not return the first value of `a`.
        try fresh.set(Data("next".utf8), for: "b")
        for log in [log, fresh, self.log()] {
          XCTAssertEqual(log.value("b"), Data("next".utf8), "bit \(bit)")
          XCTAssertNotEqual(log.value("a"), Data("secret".utf8), "bit \(bit)")
        }
        for name in names() { XCTAssertEqual(unlink(folder + "/" + name), 0) }
        put(bytes, at: path)
        log.state.withLock { $0.checkedAt = .min }
        XCTAssertEqual(log.value("b"), Data("other".utf8))
      }
    }
  }

  /// If the start of the newest segment is damaged, values of earlier segments must stay hidden.
  /// The newest segment may contain the removal of a key.
  func testADamagedStartHidesOlderSegments() throws {
    let log = log()
    try log.set(Data("secret".utf8), for: "a")
    try log.roll()
    try log.remove("a")
    let path = folder + "/" + names()[1]
    let bytes = contents(path)
    for bit in 0..<(RecordHeader.overhead * 8) {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << (bit % 8)
      put(damaged, at: path)
      XCTAssertNil(self.log().value("a"), "bit \(bit)")
    }
    try self.log().set(Data([1]), for: "b")
    for log in [log, self.log()] {
      XCTAssertNil(log.value("a"))
      XCTAssertEqual(log.value("b"), Data([1]))
    }
  }

  /// If a process clears the store on a full volume, all other processes must see an empty store
  /// immediately, even after a torn record.
  func testAClearAfterATornRecordIsSeenImmediately() throws {
    for shortened in [10, 63, 64, 80] {
      try? FileManager.default.removeItem(atPath: folder)
      let faulty = FaultyFileSystem()
      let (log, other) = (stopped(faulty), stopped())
      for key in ["a", "b"] { try log.set(Data([1]), for: key) }
      faulty.shortened.withLock { $0 = shortened }
      faulty.setFault { ["append", "create"].contains($1) ? ENOSPC : nil }
      XCTAssertThrowsError(try log.set(Data(count: 100_000), for: "a"))
      XCTAssertEqual(other.value("b"), Data([1]), "\(shortened)")
      faulty.shortened.withLock { $0 = nil }
      try log.removeAll()
      for log in [other, log, stopped()] { XCTAssertNil(log.value("b"), "\(shortened)") }
      faulty.setFault { _, _ in nil }
      try other.set(Data([2]), for: "b")
      XCTAssertEqual(log.value("b"), Data([2]))
    }
  }

  /// If a write ends in the middle of a value, bytes of the value that look like records must never
  /// be read as records.
  func testBytesOfARecordInsideAValueAreNotARecord() throws {
    for cut in [500, 1_000, 3_000] {
      try? FileManager.default.removeItem(atPath: folder)
      let faulty = FaultyFileSystem()
      let (log, other) = (stopped(faulty), stopped())
      for key in ["a", "b", "c"] { try log.set(Data("old".utf8), for: key) }
      XCTAssertEqual(other.value("a"), Data("old".utf8))
      let backup = Data(contents(folder + "/" + names()[0]))
      for key in ["a", "b"] { try log.set(Data("new".utf8), for: key) }
      try log.remove("c")
      // The value consists of many copies of valid records.
      let value = (0..<20).reduce(Data()) { value, _ in value + backup }
      let files = faulty.files
      var cutting = files
      cutting.append = { file, parts throws(FileError) in
        let whole = Array(parts.head) + Array(parts.body)
        let count = min(cut, whole.count)
        let outcome = whole.withUnsafeBytes { whole in
          Result { () throws(FileError) in
            try files.append(
              file, RecordParts(head: UnsafeRawBufferPointer(rebasing: whole[..<count])))
          }
        }
        return try outcome.get()
      }
      XCTAssertThrowsError(try self.log(files: stopped(cutting)).set(value, for: "backup"))
      func check(_ log: SegmentLog) {
        XCTAssertEqual(log.value("a"), Data("new".utf8), "\(cut)")
        XCTAssertEqual(log.value("b"), Data("new".utf8), "\(cut)")
        XCTAssertNil(log.value("c"), "\(cut)")
      }
      for log in [log, other, stopped()] { check(log) }
      try other.set(value, for: "backup")
      try other.set(Data([1]), for: "d")
      for log in [log, other, stopped()] {
        check(log)
        XCTAssertEqual(log.value("backup"), value)
        XCTAssertEqual(log.value("d"), Data([1]))
      }
    }
  }

  /// A get in another process may return a value before the `set` of the value has returned. Once a
  /// get has returned a new value, no later get may return an older value.
  func testAValueThatWasSeenStaysSeen() throws {
    let (other, engine) = (stopped(), Lock<SegmentLog?>(nil))
    let seen = Lock<[Data?]>([])
    var files = stopped(FileSystem.system)
    files.append = { file, parts throws(FileError) in
      let count = try FileSystem.system.append(file, parts)
      guard let log = engine.withLock({ $0 }) else { return count }
      let values = [other.value("k"), log.value("k")]
      seen.withLock { $0 += values }
      return count
    }
    let log = log(files: files)
    try log.set(Data([1]), for: "k")
    XCTAssertEqual(other.value("k"), Data([1]))
    engine.withLock { $0 = log }
    try log.set(Data([2]), for: "k")
    engine.withLock { $0 = nil }
    XCTAssertEqual(seen.withLock { $0 }, [Data([2]), Data([2])])
  }

  /// A process that can't write must still see the writes of other processes.
  func testAReadOnlyProcessSeesEveryWrite() throws {
    for code in [EROFS, EACCES, EPERM] {
      try? FileManager.default.removeItem(atPath: folder)
      let faulty = FaultyFileSystem()
      let changing: Set = [
        "makeDirectory", "create", "openLock", "openForAppending", "append", "unlink", "lengthen",
      ]
      faulty.setFault { changing.contains($1) ? code : nil }
      let (log, reader) = (stopped(capacity: 600_000), stopped(faulty, capacity: 600_000))
      XCTAssertNil(reader.value("k"))
      for version in 0..<2_000 {
        let value = Stamp(key: "k", version: version).value(length: 1_000)
        try log.set(value, for: "k")
        XCTAssertEqual(reader.value("k"), value, "\(version)")
        if version % 100 == 50 {
          try log.removeAll()
          XCTAssertNil(reader.value("k"))
        }
        if version % 10 == 5 { XCTAssertThrowsError(try reader.set(value, for: "k")) }
      }
    }
  }

  /// With ample capacity, a get must always find the value, even between any two system calls of
  /// another process.
  func testAValueIsFoundAtEveryCallOfAnotherProcess() throws {
    let (faulty, other) = (FaultyFileSystem(), stopped())
    let log = stopped(faulty)
    try log.set(Data([1]), for: "k")
    let misses = Lock<[String]>([])
    faulty.setFault { number, call in
      if other.value("k") != Data([1]) { misses.withLock { $0.append("\(number) \(call)") } }
      return nil
    }
    for number in 0..<30 {
      try log.set(Data(count: 1_000), for: "x\(number)")
      if number % 10 == 9 { try log.roll() }
    }
    try log.setCapacity(8 << 20)
    XCTAssertEqual(misses.withLock { $0 }, [])
    XCTAssertGreaterThan(faulty.calls.count, 100)
  }

  /// A get must read only a small fraction of the bytes that other processes wrote, and only in
  /// small pieces.
  func testAGetReadsASmallPartOfTheWritesOfOtherProcesses() throws {
    let (most, sum) = (Lock(0), Lock(0))
    var files = FileSystem.system
    files.read = { file, bytes, position throws(FileError) in
      most.withLock { $0 = max($0, bytes.count) }
      sum.withLock { $0 += bytes.count }
      return try FileSystem.system.read(file, bytes, position)
    }
    let (log, other) = (log(capacity: 256 << 20, files: files), log(capacity: 256 << 20))
    try other.set(Data([1]), for: "k")
    XCTAssertEqual(log.value("k"), Data([1]))
    for counter in [most, sum] { counter.withLock { $0 = 0 } }
    // Writes one long value, and several segments full of medium-sized values.
    try other.set(Data(count: 40 << 20), for: "long")
    for number in 0..<64 { try other.set(Data(count: 1 << 20), for: "\(number)") }
    XCTAssertEqual(log.value("k"), Data([1]))
    XCTAssertLessThanOrEqual(most.withLock { $0 }, 64 << 10)
    XCTAssertLessThan(sum.withLock { $0 }, 4 << 20)
    XCTAssertEqual(log.value("63")?.count, 1 << 20)
  }
}
