import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Tests records that were cut short because their writer was killed. A torn record must hide no
/// acknowledged value.
final class SegmentTornTests: DiskTestCase {
  private let (short, long) = (Data(count: 100), Data(count: 5_000))

  /// Writes the beginning of a record, and acts like a process that is killed during the write.
  private func tear(
    after count: Int, length: Int, of key: String = "torn", read: Int? = nil,
    filledWith byte: UInt8 = 7
  ) throws {
    let path = folder + "/" + names().last!
    let file = try OpenFile(path, .append, .system)
    let whole = base + "/record"
    unlink(whole)
    let id = SegmentName.id(names().last!)!
    try Array(key.utf8).withUnsafeBytes { key in
      try [UInt8](repeating: byte, count: length).withUnsafeBytes { value in
        let record = PendingRecord(.set, key: key, value: value, created: FileSystem.system.now())
        _ = try record.append(
          to: try OpenFile(whole, .create, .system), of: id, read: read ?? (try file.end()))
      }
    }
    let bytes = contents(whole).prefix(count)
    _ = try bytes.withUnsafeBytes { try file.append(RecordParts(head: $0)) }
  }

  /// Other processes append records after a torn record, and are killed before they have noticed
  /// it. Then the torn record's extent ends inside or after the later records.
  func testATornRecordHidesNoEarlierValue() throws {
    for cut in [1, 63, 64, 65, 300, 1_000, 2_067, 2_075] {
      for later in [[100], [3_000], [5_000, 100], [500, 500, 500, 500, 500]] {
        for reopens in [false, true] {
          let name = "cut after \(cut), then \(later), reopens: \(reopens)"
          try? FileManager.default.removeItem(atPath: folder)
          var log = log()
          try log.set(short, for: "a")
          try log.set(long, for: "b")
          let known = Int(status(names().last!)!.st_size)
          try tear(after: cut, length: 2_000)
          for length in later { try tear(after: .max, length: length, of: "late", read: known) }
          if reopens { log = self.log() }
          XCTAssertEqual(log.value("a"), short, name)
          XCTAssertNil(log.value("late"), name)
          // A process that hasn't appended after the torn record continues the log.
          try log.set(short, for: "c")
          for log in [log, self.log()] {
            XCTAssertEqual(log.value("a"), short, name)
            XCTAssertEqual(log.value("b"), long, name)
            XCTAssertEqual(log.value("c"), short, name)
            XCTAssertNil(log.value("torn"), name)
            XCTAssertNil(log.value("late"), name)
          }
        }
      }
    }
  }

  /// A long torn record is searched in windows of 64 KiB. The next record may begin in either of two
  /// windows, and after bytes that resemble its first byte.
  func testALongTornRecordHidesNoEarlierValue() throws {
    for cut in 65_471...65_476 {
      try? FileManager.default.removeItem(atPath: folder)
      let log = log()
      try log.set(short, for: "a")
      let known = Int(status(names().last!)!.st_size)
      let first = UInt8(truncatingIfNeeded: RecordHeader.signature)
      try tear(after: cut, length: 66_000, read: known, filledWith: first)
      try tear(after: .max, length: 5_000, of: "late", read: known)
      for log in [log, self.log()] { XCTAssertEqual(log.value("a"), short, "\(cut)") }
    }
  }

  /// Several processes are killed, one after the other.
  func testSeveralTornRecordsHideNoEarlierValue() throws {
    let log = log()
    try log.set(short, for: "a")
    let known = Int(status(names().last!)!.st_size)
    for length in [3_000, 2_000, 4_000] { try tear(after: 900, length: length, read: known) }
    try tear(after: .max, length: 300, read: known)
    XCTAssertEqual(log.value("a"), short)
    XCTAssertEqual(self.log().value("a"), short)
    try self.log().set(short, for: "b")
    for key in ["a", "b"] { XCTAssertEqual(log.value(key), short) }
  }

  /// Several processes are killed before any of them has written a whole header.
  func testSeveralIncompleteHeadersHideNoEarlierValue() throws {
    let all = [
      [63, 63], [40, 40, 40], [3, 63], [1, 2, 62], [10, 60, 30, 8], [63, 63, 63, 63],
      [56, 8],
    ]
    for cuts in all {
      try? FileManager.default.removeItem(atPath: folder)
      let log = log()
      try log.set(short, for: "a")
      let known = Int(status(names().last!)!.st_size)
      for cut in cuts { try tear(after: cut, length: 2_000, read: known) }
      for log in [log, self.log()] { XCTAssertEqual(log.value("a"), short, "\(cuts)") }
      try self.log().set(short, for: "b")
      for log in [log, self.log()] {
        for key in ["a", "b"] { XCTAssertEqual(log.value(key), short, "\(cuts)") }
      }
    }
  }

  /// A record that was damaged after its write isn't torn. The records that follow it may replace
  /// earlier values, so a get of those keys misses.
  func testADamagedRecordIsNotATornRecord() throws {
    for place in [10, 1_000, 2_071] {
      try? FileManager.default.removeItem(atPath: folder)
      let log = log()
      try log.set(short, for: "a")
      let known = Int(status(names().last!)!.st_size)
      try log.set(Data(count: 2_000), for: "b")
      try log.set(long, for: "a")
      let path = folder + "/" + names().last!
      var bytes = contents(path)
      // Damages the record of b, and moves a piece of an earlier record into it.
      bytes.replaceSubrange(known + 200..<known + 400, with: bytes[72..<272])
      bytes.replaceSubrange(known + place..<known + place + 2, with: [1, 2])
      bytes.replaceSubrange(known + 2_065..<known + 2_073, with: repeatElement(9, count: 8))
      put(bytes, at: path)
      XCTAssertNotEqual(self.log().value("a"), short, "\(place)")
    }
  }

  /// While a torn record is the newest, a get doesn't read it again and again.
  func testAGetReadsATornRecordOnce() throws {
    let sum = Lock(0)
    var files = FileSystem.system
    files.read = { file, bytes, position throws(FileError) in
      sum.withLock { $0 += bytes.count }
      return try FileSystem.system.read(file, bytes, position)
    }
    let log = log(files: files)
    try log.set(short, for: "a")
    let known = Int(status(names().last!)!.st_size)
    try tear(after: 200_000, length: 300_000, read: known)
    try tear(after: .max, length: 200_000, of: "late", read: known)
    XCTAssertEqual(log.value("a"), short)
    sum.withLock { $0 = 0 }
    for _ in 0..<100 { XCTAssertEqual(log.value("a"), short) }
    XCTAssertLessThan(sum.withLock { $0 }, 100 * 400)
  }

  /// The last record was damaged after its write, so a get misses. A process that only reads doesn't
  /// read the damaged record for each get.
  func testAGetReadsADamagedLastRecordOnce() throws {
    let writer = log()
    try writer.set(short, for: "a")
    try writer.set(Data(count: 300_000), for: "b")
    let path = folder + "/" + names().last!
    var bytes = contents(path)
    bytes[bytes.count - 1] ^= 1
    put(bytes, at: path)
    let sum = Lock(0)
    var files = FileSystem.system
    files.read = { file, bytes, position throws(FileError) in
      sum.withLock { $0 += bytes.count }
      return try FileSystem.system.read(file, bytes, position)
    }
    let log = log(files: files)
    XCTAssertNil(log.value("a"))
    sum.withLock { $0 = 0 }
    for _ in 0..<100 { XCTAssertNil(log.value("a")) }
    // Each get reads at most the beginning of the record.
    XCTAssertLessThan(sum.withLock { $0 }, 100 * 100_000)
    // A write ends the damaged segment.
    try log.set(short, for: "c")
    XCTAssertEqual(log.value("c"), short)
  }
}
