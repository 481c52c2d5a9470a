import Foundation
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Tests how levels of one process share logs.
final class SegmentLogsTests: DiskTestCase {
  func testADirectoryHasOneLogInAProcess() throws {
    let one = SegmentLogs.at(folder, capacity: 2_000_000)
    XCTAssertTrue(one === SegmentLogs.at(base + "//./store/", capacity: 1_000_000))
    XCTAssertEqual(one.state.withLock { $0.capacity.bytes }, 2_000_000)
    XCTAssertFalse(one === SegmentLogs.at(base + "/other", capacity: 1_000))
    // The largest capacity applies to all levels that share the log.
    XCTAssertTrue(one === SegmentLogs.at(folder, capacity: 5_000_000))
    XCTAssertEqual(one.state.withLock { $0.capacity.bytes }, 5_000_000)
  }

  func testALogIsReleasedWithItsLastUserAndClosesItsFiles() throws {
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

  /// If any caller requests exclusive use of a directory that is already open, the next operation
  /// opens the directory again and fails if another process has it open.
  func testALogBecomesExclusiveWithTheFirstCallerThatRequestsIt() throws {
    let shared = SegmentLogs.at(folder, capacity: 1 << 20)
    try shared.set(Data([1]), for: "a")
    var other: SegmentLog? = log()
    XCTAssertEqual(other?.value("a"), Data([1]))
    let exclusive = SegmentLogs.at(folder, capacity: 1 << 20, isExclusive: true)
    XCTAssertTrue(exclusive === shared)
    // The files that were open are closed in the background.
    XCTAssertEqual(shared.state.withLock { $0.takeRetired().count }, 0)
    XCTAssertThrowsError(try shared.open()) {
      XCTAssertEqual(
        $0 as? DiskError,
        .unavailable(directory: shared.path, operation: "flock", code: EWOULDBLOCK))
    }
    XCTAssertNil(shared.value("a"))
    other = nil
    XCTAssertEqual(shared.value("a"), Data([1]))
  }
}
