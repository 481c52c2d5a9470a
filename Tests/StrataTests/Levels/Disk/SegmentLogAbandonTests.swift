import XCTest

@testable import Strata

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The newest segment is removed while others have it open: they see so at once.
final class SegmentLogAbandonTests: DiskTestCase {
  private let clock = Lock<Int64>(1_000_000_000_000)

  /// An engine for which no time passes, so that it has no reason to look for its files.
  private func stopped(_ faulty: FaultyFileSystem = FaultyFileSystem()) -> SegmentLog {
    var files = faulty.files
    let clock = clock
    files.now = { clock.withLock { $0 } }
    return log(files: files)
  }

  /// Who cannot read what others are writing to goes on without it, and so do they.
  func testASegmentThatOneCannotReadIsLeftByAll() throws {
    for operation in ["open", "status", "read"] {
      for code in [EIO, EROFS, ENOSPC] {
        for isFull in [false, true] {
          try? FileManager.default.removeItem(atPath: folder)
          let faulty = FaultyFileSystem()
          let (other, log) = (stopped(), stopped(faulty))
          try other.set(Data([1]), for: "a")
          XCTAssertEqual(other.value("a"), Data([1]))
          // The folder's status is the first.
          let left = Lock(operation == "status" ? 2 : 1)
          faulty.setFault { _, call in
            if call == "append", isFull, left.withLock({ $0 <= 0 }) { return ENOSPC }
            guard call == operation else { return nil }
            return left.withLock { $0.countDown() && $0 == 0 } ? code : nil
          }
          XCTAssertNil(log.value("a"))
          faulty.setFault { _, _ in nil }
          let what = "\(operation) \(code) \(isFull)"
          try log.set(Data([2]), for: "a")
          XCTAssertEqual(other.value("a"), Data([2]), what)
          try other.set(Data([3]), for: "a")
          XCTAssertEqual(log.value("a"), Data([3]), what)
          try other.remove("a")
          XCTAssertNil(log.value("a"), what)
        }
      }
    }
  }

  /// Nor does one who has just gone on to a segment in which there is nothing yet, or who has not
  /// seen what there is.
  func testAnEmptySegmentIsLeftByAllOnAFullVolume() throws {
    for isWritten in [false, true] {
      try? FileManager.default.removeItem(atPath: folder)
      let faulty = FaultyFileSystem()
      let (other, third, log) = (stopped(), stopped(), stopped(faulty))
      try log.set(Data([1]), for: "a")
      try log.writer.withLock { try log.roll(&$0) }
      XCTAssertEqual(other.value("a"), Data([1]))
      if isWritten { try third.set(Data([1]), for: "b") }
      faulty.setFault { ["append", "create"].contains($1) ? ENOSPC : nil }
      try log.removeAll()
      XCTAssertNil(other.value("a"))
      XCTAssertNil(other.value("b"))
      XCTAssertNil(third.value("b"))
      faulty.setFault { _, _ in nil }
      try log.set(Data([2]), for: "a")
      XCTAssertEqual(other.value("a"), Data([2]))
    }
  }

  /// Where neither is possible it stays; and what is possible before is tried again after.
  func testASegmentOfWhichOthersCannotBeToldIsNotRemoved() throws {
    for failing in [1, 2] {
      try? FileManager.default.removeItem(atPath: folder)
      let faulty = FaultyFileSystem()
      let (other, log) = (stopped(), stopped(faulty))
      try log.set(Data([1]), for: "a")
      XCTAssertEqual(other.value("a"), Data([1]))
      let (appends, lengthens) = (Lock(2), Lock(0))
      faulty.setFault { _, call in
        switch call {
        case "append": appends.withLock { $0.countDown() } ? ENOSPC : nil
        case "lengthen":
          lengthens.withLock { count in
            count += 1
            return count
          } == failing ? ENOSPC : nil
        default: nil
        }
      }
      let isCleared = (try? log.removeAll()) != nil
      XCTAssertEqual(isCleared, failing == 2)
      XCTAssertEqual(other.value("a"), isCleared ? nil : Data([1]))
      XCTAssertEqual(log.value("a"), isCleared ? nil : Data([1]))
    }
  }

  /// What was not seen to be removed is not written to either.
  func testWhatIsWrittenToARemovedSegmentIsNotTakenForWritten() throws {
    let faulty = FaultyFileSystem()
    let (other, log) = (stopped(), stopped(faulty))
    try log.set(Data([1]), for: "a")
    try log.set(Data([1]), for: "b")
    XCTAssertEqual(other.value("a"), Data([1]))
    faulty.setFault { ["append", "create"].contains($1) ? ENOSPC : nil }
    try log.removeAll()
    faulty.setFault { _, _ in nil }
    try log.set(Data([2]), for: "a")
    try other.set(Data([3]), for: "a")
    for log in [log, other, stopped()] {
      XCTAssertEqual(log.value("a"), Data([3]))
      XCTAssertNil(log.value("b"))
    }
  }

  /// A clear removes what is before it by number, and not the segment it has gone on to, if that is
  /// of a folder that was made anew.
  func testAClearLeavesTheSegmentOfANewFolder() throws {
    let folder = folder
    let isToGo = Lock(false)
    let clock = clock
    var files = FileSystem.system
    files.now = { clock.withLock { $0 } }
    files.names = { descriptor throws(FileSystemError) in
      let goes = isToGo.withLock { isToGo in
        defer { isToGo = false }
        return isToGo
      }
      // Another has removed the segment, and made a first one with a lower number.
      if goes {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
          XCTAssertEqual(unlink(folder + "/" + name), 0)
        }
        let file = try FileSystem.system.create(descriptor, Segment.name(1))
        try FileSystem.system.close(file)
      }
      return try FileSystem.system.names(descriptor)
    }
    let log = log(files: files)
    try log.set(Data([1]), for: "a")
    isToGo.withLock { $0 = true }
    try log.removeAll()
    XCTAssertEqual(names(), [Segment.name(1)])
    let other = stopped()
    try other.set(Data([2]), for: "b")
    XCTAssertEqual(log.value("b"), Data([2]))
  }
}
