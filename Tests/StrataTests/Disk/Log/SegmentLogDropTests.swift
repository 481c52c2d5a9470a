import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// The eviction of the oldest segment runs in steps, and waiting writes run between the steps. An
/// eviction removes either all entries of the segment or none of them.
final class SegmentLogDropTests: DiskTestCase {
  func testTheWriterLockIsReleasedBetweenTheStepsOfAnEviction() throws {
    // Background work runs in steps, so a `set` waits for one step at most.
    let waiting = Lock<[@Sendable () -> Void]>([])
    let log = SegmentLog(
      directory: folder, capacity: 4 << 20,
      background: { work in waiting.withLock { $0.append(work) } })
    log.state.withLock { $0.capacity = Capacity(4 << 20, shortSegment: 0) }
    var steps = 0
    for number in 0..<6_000 {
      try log.set(Data(count: 1_000), for: "\(number)")
      _ = log.value("\(number)")
      guard number % 2 == 0 else { continue }
      let works = Self.taken(from: waiting)
      // Each closure runs one step of an eviction or closes removed files.
      XCTAssertLessThanOrEqual(works.count, 3)
      for work in works { work() }
      steps += works.count
    }
    XCTAssertGreaterThan(steps, 30)
    XCTAssertLessThanOrEqual(usedBytes(), 4 << 20)
  }

  /// Closing the last descriptor of a removed file takes longer for a larger file. If an eviction
  /// removes a file because of the log's capacity, background work closes the file.
  func testARemovedSegmentIsClosedInTheBackground() throws {
    let waiting = Lock<[@Sendable () -> Void]>([])
    let faulty = FaultyFileSystem()
    let log = SegmentLog(
      directory: folder, capacity: 1 << 20, files: faulty.files,
      background: { work in waiting.withLock { $0.append(work) } })
    var number = 0
    while !faulty.calls.contains("unlink") {
      try log.set(Data(count: 1_000), for: "\(number)")
      number += 1
    }
    let open = faulty.openDescriptors.count
    XCTAssertEqual(Self.taken(from: waiting).count, 1)
    XCTAssertEqual(faulty.openDescriptors.count, open - 1)
  }

  /// If a get finds that the log's directory was removed or replaced, background work closes the
  /// files of the old segments.
  func testTheSegmentsOfAReplacedDirectoryAreClosedInTheBackground() throws {
    let waiting = Works([])
    let faulty = FaultyFileSystem()
    let log = SegmentLog(
      directory: folder, capacity: 1 << 20, files: faulty.files,
      background: { work in waiting.withLock { $0.append(work) } })
    try log.set(Data([1]), for: "a")
    try log.roll()
    try FileManager.default.removeItem(atPath: folder)
    // The log checks at most once every ten milliseconds whether the directory exists.
    log.state.withLock { $0.checkedAt = .min }
    XCTAssertNil(log.value("a"))
    let open = faulty.openDescriptors.count
    XCTAssertEqual(Self.taken(from: waiting).count, 1)
    XCTAssertLessThanOrEqual(faulty.openDescriptors.count, open - 2)
  }

  /// The log doesn't evict the oldest segment until the active segment is half full.
  func testTheOldestSegmentStaysUntilItsSpaceIsNeeded() throws {
    let (log, _, _) = try fullLog(isRead: false)
    let (active, sealed) = log.state.withLock { state in
      (state.index.segments[state.index.active!]!.size, state.index.sealedBytes)
    }
    XCTAssertGreaterThanOrEqual(active, 128 << 10)
    XCTAssertLessThan(active, (128 << 10) + 1_100)
    XCTAssertGreaterThan(sealed, 13 * (256 << 10))
    XCTAssertNotNil(log.value("0"))
  }

  /// If a file can't be removed, the file's entries stay in the index.
  func testASegmentThatCannotBeRemovedIsStillRead() throws {
    let faulty = FaultyFileSystem()
    let (log, waiting, _) = try fullLog(isRead: false, files: faulty.files)
    let live = log.state.withLock { $0.index.live }
    faulty.setFault { $1 == "unlink" ? EROFS : nil }
    for _ in 0..<100 { for work in Self.taken(from: waiting) { work() } }
    XCTAssertGreaterThan(faulty.fired, 0)
    XCTAssertEqual(log.state.withLock { $0.index.live }, live)
    XCTAssertNotNil(log.value("0"))
  }

  /// While a write waits for the writer lock, no step of an eviction begins. A new step could take
  /// the lock before the waiting thread wakes up.
  func testNoStepBeginsWhileAWriteWaits() throws {
    let (log, waiting, _) = try fullLog(isRead: true)
    log.waitingWrites.wrappingAdd(1, ordering: .relaxed)
    for work in Self.taken(from: waiting) { work() }
    XCTAssertTrue(log.state.withLock { $0.needsTrim })
    XCTAssertEqual(Self.taken(from: waiting).count, 0)
    log.waitingWrites.wrappingSubtract(1, ordering: .relaxed)
    try log.set(Data(), for: "next")
    XCTAssertEqual(Self.taken(from: waiting).count, 1, "The write itself schedules the next step.")
  }

  private static func taken(from waiting: Works) -> [@Sendable () -> Void] {
    waiting.withLock { works in
      defer { works = [] }
      return works
    }
  }
}
