import XCTest

@testable import Strata

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What a get makes of bytes that were not there when it last looked.
final class SegmentLogGrowthTests: DiskTestCase {
  private func isUpToDate(_ log: SegmentLog) -> Bool {
    log.state.withLock { $0.isUpToDate(.system, folder, FileSystem.system.now()) }
  }

  private func append(_ bytes: [UInt8]) {
    let file = open(folder + "/" + names()[0], O_WRONLY | O_APPEND)
    XCTAssertEqual(write(file, bytes, bytes.count), bytes.count)
    close(file)
  }

  /// Whoever has appended less than a header has not returned.
  func testFewBytesAreNobodysRecord() throws {
    let log = log()
    try log.set(Data([1]), for: "a")
    append([1])
    XCTAssertTrue(isUpToDate(log))
    append(Array(repeating: 0, count: 62))
    XCTAssertTrue(isUpToDate(log))
    append([0])
    XCTAssertFalse(isUpToDate(log))
    XCTAssertEqual(log.value("a"), Data([1]))
  }

  /// Few bytes behind the beginning of a record may be what that had lacked.
  func testTheFewBytesThatCompleteARecordAreNotOverlooked() throws {
    let (log, other) = (log(), log())
    try log.set(Data([1]), for: "a")
    let start = contents(folder + "/" + names()[0]).count
    try other.set(Data([2, 3]), for: "a")
    let bytes = contents(folder + "/" + names()[0])
    for missing in [1, 10, 60] {
      XCTAssertEqual(truncate(folder + "/" + names()[0], off_t(start)), 0)
      let log = self.log()
      XCTAssertEqual(log.value("a"), Data([1]))
      append(Array(bytes[start..<(bytes.count - missing)]))
      XCTAssertEqual(log.value("a"), Data([1]))
      append(Array(bytes[(bytes.count - missing)...]))
      XCTAssertFalse(isUpToDate(log))
      XCTAssertEqual(log.value("a"), Data([2, 3]))
    }
  }

  /// Two that keep the same value begin with the same bytes; what the other then sets must be seen.
  func testAnothersCopiesAreNotTakenForOwn() throws {
    let other = log()
    let answers = Lock<[Bool]>([])
    let engine = Lock<SegmentLog?>(nil)
    let folder = folder
    var files = FileSystem.system
    files.append = { file, head, tail throws(FileSystemError) in
      guard let log = engine.withLock({ $0.take() }) else {
        return try FileSystem.system.append(file, head, tail)
      }
      let judge = {
        let now = FileSystem.system.now()
        let isUpToDate = log.state.withLock { $0.isUpToDate(.system, folder, now) }
        answers.withLock { $0.append(isUpToDate) }
      }
      let isTrimmed = other.writer.withLock { writer in
        (try? other.refresh(&writer)) != nil && (try? other.trimStep(&writer)) != nil
      }
      XCTAssertTrue(isTrimmed)
      judge()
      XCTAssertNotNil(try? other.set(Data([2]), for: "k"))
      judge()
      return try FileSystem.system.append(file, head, tail)
    }
    let log = log(files: files)
    for key in ["both", "own"] {
      try log.set(Data(count: 1_000), for: key)
      XCTAssertNotNil(log.value(key))
    }
    try log.writer.withLock { try log.roll(&$0) }
    try log.set(Data([1]), for: "k")
    XCTAssertNotNil(other.value("both"))
    engine.withLock { $0 = log }
    try log.writer.withLock { try log.trimStep(&$0) }
    // The copy of what both had read tells of nothing new; the set behind it does.
    XCTAssertEqual(answers.withLock { $0 }, [true, false])
    for log in [log, other] {
      XCTAssertEqual(log.value("k"), Data([2]))
      XCTAssertEqual(log.value("both"), Data(count: 1_000))
    }
  }
}
