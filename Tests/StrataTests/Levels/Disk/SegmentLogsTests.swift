import Foundation
import XCTest

@testable import Strata

/// Which engine a folder has in a process.
final class SegmentLogsTests: DiskTestCase {
  func testOneFolderHasOneEngineInAProcess() throws {
    let one = SegmentLogs.at(folder, capacity: 2_000_000)
    XCTAssertTrue(one === SegmentLogs.at(base + "//./store/", capacity: 5_000_000))
    XCTAssertEqual(one.state.withLock { $0.capacity.bytes }, 2_000_000)
    XCTAssertFalse(one === SegmentLogs.at(base + "/other", capacity: 1_000))
    // The smallest capacity keeps the promise made to each.
    XCTAssertTrue(one === SegmentLogs.at(folder, capacity: 1_000_000))
    XCTAssertEqual(one.state.withLock { $0.capacity.bytes }, 1_000_000)
  }

  func testAnEngineIsKnownByDeviceAndInode() throws {
    var files = FileSystem.system
    files.realPath = { _ in nil }
    try FileManager.default.createSymbolicLink(atPath: base + "/link", withDestinationPath: base)
    let one = SegmentLogs.at(folder, capacity: 2_000_000, files: files)
    let early = SegmentLogs.at(base + "/link/store", capacity: 2_000_000, files: files)
    XCTAssertFalse(one === early)
    try one.set(Data([1]), for: "a")
    XCTAssertTrue(one === SegmentLogs.at(base + "/link/store", capacity: 2_000_000, files: files))
  }

  /// The number of a folder that was removed may be the next one's.
  func testAnEngineIsNotThatOfAFolderWithTheNumberOfARemovedOne() throws {
    let one = SegmentLogs.at(folder, capacity: 2_000_000)
    try one.set(Data([1]), for: "a")
    let identity = try FileSystem.system.statusAt(folder).identity
    try FileManager.default.removeItem(atPath: folder)
    let next = base + "/next"
    var files = FileSystem.system
    files.statusAt = { path throws(FileSystemError) in
      guard path.hasSuffix("/next") else { return try FileSystem.system.statusAt(path) }
      return FileStatus(isOwnFile: false, isOwn: true, size: 0, identity: identity)
    }
    XCTAssertFalse(one === SegmentLogs.at(next, capacity: 2_000_000, files: files))
  }

  /// A folder on a volume that does not answer keeps nobody from the others.
  func testAnEngineIsFoundWhileAnotherFolderDoesNotAnswer() throws {
    let other = base + "/other"
    let stuck = SegmentLogs.at(folder, capacity: 1_000)
    let known = SegmentLogs.at(other, capacity: 1_000)
    let found = Lock<[Bool]>([])
    let answer: @Sendable (String) -> Void = { path in
      guard path.hasSuffix("/store") else { return }
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        // Nor is a volume that does not answer asked for the sake of another.
        var files = FileSystem.system
        files.statusAt = { path throws(FileSystemError) in
          XCTAssertEqual(path.suffix(6), "/other")
          return try FileSystem.system.statusAt(path)
        }
        let isKnown = SegmentLogs.at(other, capacity: 1_000, files: files) === known
        found.withLock { $0.append(isKnown) }
        done.signal()
      }
      XCTAssertEqual(done.wait(timeout: .now() + 60), .success)
    }
    var files = FileSystem.system
    files.statusAt = { path throws(FileSystemError) in
      answer(path)
      return try FileSystem.system.statusAt(path)
    }
    XCTAssertTrue(stuck === SegmentLogs.at(folder, capacity: 1_000, files: files))
    XCTAssertEqual(found.withLock { $0 }, [true])
  }

  func testAnEngineGoesWithItsLastUserAndItsFilesClose() throws {
    let faulty = FaultyFileSystem()
    weak var released: SegmentLog?
    do {
      let log = SegmentLogs.at(folder, capacity: 1_000_000, files: faulty.files)
      released = log
      try log.set(Data([1]), for: "a")
      XCTAssertEqual(log.value("a"), Data([1]))
    }
    XCTAssertNil(released)
    XCTAssertEqual(faulty.openDescriptors, [])
  }
}
