import Foundation
import XCTest

@testable import Strata

/// Gets of a process that has sealed a segment and not yet found the next.
final class SegmentLogSealTests: DiskTestCase {
  private let capacity = 1 << 20

  /// What a log says of itself when it has sealed its segment, before it looks further, and what then
  /// is the value of its key, after somebody else has done something.
  private func afterSeal(
    _ change: @escaping @Sendable (SegmentLog) throws -> Void
  ) throws -> (isLast: Bool, value: Data?) {
    try? FileManager.default.removeItem(atPath: folder)
    let (other, engine) = (log(capacity: capacity), Lock<SegmentLog?>(nil))
    let isLast = Lock<[Bool]>([])
    var files = FileSystem.system
    files.sync = { _ in
      XCTAssertNotNil(try? change(other))
      let log = engine.withLock { $0 }!
      isLast.withLock { $0.append(log.isLastSealed(at: FileSystem.system.now())) }
    }
    let log = log(capacity: capacity, files: files)
    log.state.withLock { $0.isFlushing = true }
    engine.withLock { $0 = log }
    try log.set(Data([1]), for: "k")
    try log.writer.withLock { try log.roll(&$0) }
    engine.withLock { $0 = nil }
    XCTAssertEqual(isLast.withLock { $0.count }, 1)
    return (isLast.withLock { $0[0] }, log.value("k"))
  }

  func testWhileNobodyHasGoneOnTheIndexHoldsAllThereIs() throws {
    let (isLast, value) = try afterSeal { _ in }
    XCTAssertTrue(isLast)
    XCTAssertEqual(value, Data([1]))
  }

  func testAnEmptyNextSegmentChangesNothing() throws {
    let (isLast, value) = try afterSeal { other in XCTAssertEqual(other.value("k"), Data([1])) }
    XCTAssertTrue(isLast)
    XCTAssertEqual(value, Data([1]))
    XCTAssertEqual(names().count, 2)
  }

  func testWhatAnotherHasWrittenBehindIsNotOverlooked() throws {
    let (isLast, value) = try afterSeal { try $0.set(Data([2]), for: "k") }
    XCTAssertFalse(isLast)
    XCTAssertEqual(value, Data([2]))
  }

  func testASegmentThatIsGoneIsNotTheLast() throws {
    let (isLast, value) = try afterSeal { other in
      try other.set(Data([2]), for: "k")
      try other.writer.withLock { writer in
        for _ in 0..<2 { try other.roll(&writer) }
        for _ in 0..<2 { XCTAssertTrue(try other.dropOldest(&writer)) }
      }
    }
    XCTAssertFalse(isLast)
    XCTAssertNil(value)
  }

  /// A listing that shows nothing new proves nothing once the segment is gone: others may have come
  /// and gone while it was made.
  func testAListingOfWhatIsGoneIsNoProof() throws {
    let folder = folder
    let engine = Lock<SegmentLog?>(nil)
    let isLast = Lock<[Bool]>([])
    let old = Lock<[String]?>(nil)
    var files = FileSystem.system
    files.names = { folder throws(FileSystemError) in
      if let names = old.withLock({ $0 }) { return names }
      return try FileSystem.system.names(folder)
    }
    files.sync = { _ in
      let log = engine.withLock { $0 }!
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      old.withLock { $0 = names }
      for isGone in [false, true] {
        if isGone { XCTAssertEqual(unlink(folder + "/" + names[0]), 0) }
        isLast.withLock { $0.append(log.isLastSealed(at: FileSystem.system.now())) }
      }
      old.withLock { $0 = nil }
    }
    let log = log(capacity: capacity, files: files)
    log.state.withLock { $0.isFlushing = true }
    engine.withLock { $0 = log }
    try log.set(Data([1]), for: "k")
    try log.writer.withLock { try log.roll(&$0) }
    engine.withLock { $0 = nil }
    XCTAssertEqual(isLast.withLock { $0 }, [true, false])
  }

  /// All files are gone, as if none had ever been made.
  func testAnEmptiedFolderHasNoLastSegment() throws {
    let folder = folder
    let (isLast, value) = try afterSeal { _ in
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        try FileManager.default.removeItem(atPath: folder + "/" + name)
      }
    }
    XCTAssertFalse(isLast)
    XCTAssertNil(value)
  }

  func testAStrangerWithALaterNumberIsNotOverlooked() throws {
    for step in [UInt64(1), 7] {
      let folder = folder
      let (isLast, _) = try afterSeal { _ in
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let last = names.compactMap(Segment.number).max()!
        mkdir(folder + "/" + Segment.name(last + step), 0o700)
      }
      XCTAssertFalse(isLast)
    }
  }

  /// Who had not seen the seal yet has appended a record, which is void, and written it again.
  func testWhatLiesBehindASealIsCounted() throws {
    let folder = folder
    var files = FileSystem.system
    files.sync = { _ in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      guard let handle = FileHandle(forWritingAtPath: folder + "/" + names[0]) else { return }
      XCTAssertNotNil(try? handle.seekToEnd())
      handle.write(Data(count: 1_000))
      XCTAssertNotNil(try? handle.close())
    }
    let log = log(capacity: capacity, files: files)
    log.state.withLock { $0.isFlushing = true }
    try log.set(Data([1]), for: "k")
    try log.writer.withLock { try log.roll(&$0) }
    XCTAssertEqual(log.state.withLock { $0.index.sealedBytes }, usedBytes())
    XCTAssertGreaterThan(usedBytes(), 1_000)
  }

  /// Who was stopped in between may do so when the others have gone on long since.
  func testWhatComesBehindASealMuchLaterIsCounted() throws {
    let log = log(capacity: capacity)
    try log.set(Data([1]), for: "k")
    for _ in 0..<3 { try log.writer.withLock { try log.roll(&$0) } }
    let handle = try XCTUnwrap(FileHandle(forWritingAtPath: folder + "/" + names()[0]))
    try handle.seekToEnd()
    handle.write(Data(count: 1_000))
    try handle.close()
    try log.writer.withLock { try log.roll(&$0) }
    XCTAssertEqual(log.state.withLock { $0.index.sealedBytes }, usedBytes())
    XCTAssertGreaterThan(usedBytes(), 1_000)
  }

  func testAListingOrALookThatFailsIsNoProof() throws {
    for operation in ["names", "status", "statusOf"] {
      let faulty = FaultyFileSystem()
      let (log, engine) = (log(capacity: capacity, files: faulty.files), Lock<SegmentLog?>(nil))
      let isLast = Lock<[Bool]>([])
      var files = faulty.files
      files.create = { folder, name throws(FileSystemError) in
        let file = try faulty.files.create(folder, name)
        guard let log = engine.withLock({ $0 }) else { return file }
        for isFailing in [false, true] {
          faulty.setFault { isFailing && $1 == operation ? EIO : nil }
          isLast.withLock { $0.append(log.isLastSealed(at: FileSystem.system.now())) }
        }
        faulty.setFault { _, _ in nil }
        return file
      }
      let other = self.log(capacity: capacity, files: files)
      try log.set(Data([1]), for: "k")
      XCTAssertEqual(other.value("k"), Data([1]))
      engine.withLock { $0 = other }
      try other.writer.withLock { try other.roll(&$0) }
      engine.withLock { $0 = nil }
      XCTAssertEqual(isLast.withLock { $0 }, [true, false], operation)
    }
  }

  /// A get on another thread answers while the next segment is being made.
  func testAGetDoesNotWaitForTheNextSegment() throws {
    let engine = Lock<SegmentLog?>(nil)
    let values = Lock<[Data?]>([])
    var files = FileSystem.system
    files.create = { folder, name throws(FileSystemError) in
      if let log = engine.withLock({ $0 }) {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          let value = log.value("k")
          values.withLock { $0.append(value) }
          done.signal()
        }
        XCTAssertEqual(done.wait(timeout: .now() + 60), .success)
      }
      return try FileSystem.system.create(folder, name)
    }
    let log = log(capacity: capacity, files: files)
    try log.set(Data([1]), for: "k")
    engine.withLock { $0 = log }
    try log.writer.withLock { try log.roll(&$0) }
    engine.withLock { $0 = nil }
    XCTAssertEqual(values.withLock { $0 }, [Data([1])])
  }
}
