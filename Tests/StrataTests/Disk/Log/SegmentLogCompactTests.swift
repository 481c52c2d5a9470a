import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Removing expired values loses no others.
final class SegmentLogCompactTests: DiskTestCase {
  private let now = Lock(TimeSource.system.now().milliseconds)

  private func clocked(_ files: FileSystem = .system) -> FileSystem {
    var files = files
    files.now = { [now] in now.withLock { $0 } }
    return files
  }

  /// Stores values, of which every fourth doesn't expire, until `isEnough`, and then lets the others
  /// expire. Returns the number of values.
  private func fill(
    _ log: SegmentLog, bytes: Int, until isEnough: (LogState) -> Bool
  ) throws -> Int {
    var count = 0
    let start = now.withLock { $0 }
    while !log.state.withLock({ isEnough($0) }) {
      let deadline = count.isMultiple(of: 4) ? Int64.max : start + 60_000
      try log.set(Data(count: bytes), for: "\(count)", deadline: deadline)
      count += 1
    }
    now.withLock { $0 += 120_000 }
    return count
  }

  private func kept(_ log: SegmentLog, of count: Int) -> [Int] {
    (0..<count).filter { log.value("\($0)") != nil }
  }

  private func lasting(_ count: Int) -> [Int] { (0..<count).filter { $0.isMultiple(of: 4) } }

  func testTheNewestSegmentIsAlmostFull() throws {
    let log = log(capacity: 32 << 20, files: clocked())
    let count = try fill(log, bytes: 10_000) {
      $0.index.order.count == 2 && $0.isFull(for: 16 << 10)
    }
    _ = try log.removeExpired()
    XCTAssertEqual(kept(log, of: count), lasting(count))
    XCTAssertEqual(kept(self.log(files: clocked()), of: count), lasting(count))
  }

  func testATrimHasAlreadyBegun() throws {
    let log = log(capacity: 1 << 20, files: clocked())
    let count = try fill(log, bytes: 200) { $0.index.order.count == 3 }
    // A trim has passed over values that no get has read, and then found that there is room again.
    let oldest = try XCTUnwrap(log.state.withLock { $0.index.oldestSealed })
    log.writer.withLock { $0.eviction = (oldest.id, 100, 30_000, false) }
    _ = try log.removeExpired()
    XCTAssertNotEqual(log.state.withLock { $0.index.oldestSealed?.id }, oldest.id)
    XCTAssertEqual(kept(log, of: count), lasting(count))
  }

  func testATrimHasAlreadyRemovedTheFile() throws {
    let log = log(capacity: 1 << 20, files: clocked())
    let count = try fill(log, bytes: 200) { $0.index.order.count == 3 }
    try log.trimStep()
    XCTAssertTrue(log.writer.withLock { $0.eviction.isRemoved })
    let evicted = try log.removeExpired()
    XCTAssertGreaterThan(evicted, 0)
    let left = kept(log, of: count)
    XCTAssertEqual(left, lasting(count).filter { $0 >= left[0] })
  }

  func testTheVolumeIsFull() throws {
    let faults = FaultyFileSystem()
    let log = log(capacity: 1 << 20, files: clocked(faults.files))
    let count = try fill(log, bytes: 200) { $0.index.order.count == 3 }
    faults.setFault { _, call in call == "append" ? ENOSPC : nil }
    XCTAssertEqual(try log.removeExpired(), count - lasting(count).count)
    XCTAssertGreaterThan(faults.fired, 0)
    faults.setFault { _, _ in nil }
    XCTAssertEqual(kept(log, of: count), lasting(count))
  }

  func testValuesThatAreSetMeanwhileStay() throws {
    let log = log(capacity: 1 << 20, files: clocked())
    let count = try fill(log, bytes: 200) { $0.index.order.count == 4 }
    let isOver = Lock(false)
    let ended = expectation(description: "The other thread has ended.")
    Thread.detachNewThread {
      while !isOver.withLock({ $0 }) { _ = try? log.removeExpired() }
      ended.fulfill()
    }
    for key in 0..<count where !key.isMultiple(of: 4) {
      try log.set(Data(count: 20), for: "\(key)")
      XCTAssertNotNil(log.value("\(key)"), "\(key)")
    }
    isOver.withLock { $0 = true }
    wait(for: [ended], timeout: 60)
    XCTAssertEqual(kept(log, of: count).count, count)
  }

  func testAPeekDoesNotProtectAValueFromEviction() throws {
    let storage = DiskStorage("store", in: URL(fileURLWithPath: base, isDirectory: true))
    let level = Cache.disk(storage, offMainThread: false)
    XCTAssertEqual(level.set("a", Data([1])).answer, "()")
    func isVisited() -> Bool {
      storage.log.state.withLock { state in
        state.index.segments.contains { $0?.entries.contains(where: \.isVisited) == true }
      }
    }
    XCTAssertNotNil(level.peeking.get("a").outcome?.value)
    XCTAssertFalse(isVisited())
    XCTAssertNotNil(level.get("a").outcome?.value)
    XCTAssertTrue(isVisited())
  }
}
