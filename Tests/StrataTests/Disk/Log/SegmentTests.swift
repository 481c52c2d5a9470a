import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Tests how a segment reads its file.
final class SegmentTests: DiskTestCase {
  private let reads = Lock<[Int]>([])

  /// The functions of the operating system, but `read` also records the requested length.
  private var counting: FileSystem {
    var files = FileSystem.system
    files.read = { [reads] file, bytes, position throws(FileError) in
      reads.withLock { $0.append(bytes.count) }
      return try FileSystem.system.read(file, bytes, position)
    }
    return files
  }

  /// A log that is opened reads the table of a sealed segment instead of the segment's records.
  func testTheTableOfASealedSegmentReplacesItsRecords() throws {
    let log = log(capacity: 64 << 20)
    for number in 0..<100 { try log.set(Data(count: 40_000), for: "\(number)") }
    try log.roll()
    let opened = self.log(capacity: 64 << 20, files: counting)
    XCTAssertNil(opened.value("none"))
    // The log reads the start of each segment, and the seal and the table of the sealed segment.
    XCTAssertLessThan(reads.withLock { $0.count }, 15)
    XCTAssertEqual(opened.state.withLock { $0.index.live }, 100)
    for number in 0..<100 { XCTAssertEqual(opened.value("\(number)")?.count, 40_000) }
  }

  func testAScanReadsAtMost32KiBAtATime() throws {
    let log = log(capacity: 64 << 20)
    for number in 0..<300 { try log.set(Data(count: 400), for: "\(number)") }
    let opened = self.log(capacity: 64 << 20, files: counting)
    XCTAssertNil(opened.value("none"))
    XCTAssertEqual(reads.withLock { $0.max() }, 32 << 10)
    XCTAssertEqual(opened.state.withLock { $0.index.live }, 300)
  }

  /// Another program has cut the file of a sealed segment, so a read reaches the end of the file
  /// before the end of the record.
  func testARecordBeyondTheEndOfItsFileIsAMiss() throws {
    let ends = Lock(0)
    var files = FileSystem.system
    files.read = { file, bytes, position throws(FileError) in
      let count = try FileSystem.system.read(file, bytes, position)
      if count == 0,
        ends.withLock({
          $0 += 1; return $0
        }) > 3
      {
        throw FileError(operation: "read", code: EIO)
      }
      return count
    }
    let log = log(files: files)
    try log.set(Data(count: 1_000), for: "a")
    try log.roll()
    XCTAssertNotNil(log.value("a"))
    XCTAssertEqual(truncate(folder + "/" + names()[0], 500), 0)
    XCTAssertNil(log.value("a"))
    XCTAssertEqual(ends.withLock { $0 }, 1)
  }

  func testAMissOfADamagedRecordUsesNoMemory() throws {
    let log = log(capacity: 64 << 20)
    try log.set(Data(count: 1 << 20), for: "a")
    try log.roll()
    let path = folder + "/" + names()[0]
    var bytes = contents(path)
    bytes[bytes.count / 2] ^= 1
    put(bytes, at: path)
    let growth = Memory.growth { XCTAssertNil(log.value("a")) }
    XCTAssertLessThan(growth ?? 0, 1 << 20)
  }

  /// A table can be intact and still contain an entry that describes no record. The log ignores
  /// such a table, and reads the records instead.
  func testATableWithAnImpossibleEntryIsIgnored() throws {
    let end = UInt32.max
    let pairs: [(offset: UInt32, length: UInt32)?] = [
      nil, (0, 0), (72, 7), (72, 71), (72, end), (end, 173), (end, end),
    ]
    for pair in pairs {
      try? FileManager.default.removeItem(atPath: folder)
      let log = log()
      try log.set(Data(count: 100), for: "a")
      let name = names().last!
      let (id, file) = (
        SegmentName.id(name)!, try OpenFile(folder + "/" + name, .append, .system)
      )
      var entries = log.state.withLock { $0.index.nextSeal?.seal.entries ?? [] }
      XCTAssertEqual(entries.map(\.length), [173])
      if let pair { (entries[0].offset, entries[0].length) = pair }
      let known = try file.end()
      try Segment.table(of: entries, sealOffset: known).withUnsafeBytes { table in
        let seal = PendingRecord(
          .seal, value: table, created: 0, deadline: 0, mark: UInt64(known))
        _ = try seal.append(to: file, of: id, read: known)
      }
      let segment = try Segment(id, in: OpenFile(folder, .directory, .system))
      XCTAssertEqual(try segment.seal(endingAt: file.end()) == nil, pair != nil)
      let opened = self.log()
      XCTAssertEqual(opened.value("a"), Data(count: 100))
      try opened.set(Data(count: 5), for: "b")
      // Evicts the segment, and copies the value that a get has read.
      try opened.trimStep()
      XCTAssertEqual(opened.value("a"), Data(count: 100))
    }
  }
}
