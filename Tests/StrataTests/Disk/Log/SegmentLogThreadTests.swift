import Dispatch
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Tests threads that use separate logs. Threads alternate more often than processes, so threads
/// reveal more faults.
final class SegmentLogThreadTests: DiskTestCase {
  /// Runs two threads on each of two logs, and checks that no get returns a stale value. The test
  /// makes 3 runs by default, and 100 runs if `STRATA_LONG` is set.
  func testFourThreadsOnTwoLogsNeverReadAWrongOrStaleValue() {
    let folder = folder
    for run in 0..<(isLong ? 100 : 3) {
      try? FileManager.default.removeItem(atPath: folder)
      let oracle = StrictOracle(path: base + "/oracle-\(run)", keys: 40)
      let capacity = 600_000
      let background: @Sendable (@escaping @Sendable () -> Void) -> Void = {
        DispatchQueue.work.async(execute: $0)
      }
      let logs = (0..<2).map { _ in
        SegmentLog(directory: folder, capacity: capacity, background: background)
      }
      let most = Lock(0)
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        var random = SeededGenerator(seed: UInt64(run * 4 + thread))
        for step in 0..<3_000 {
          oracle.step(logs[thread / 2], writer: thread, of: 4, longest: 20_000, &random)
          guard step % 50 == 0 else { continue }
          let used = Self.usedBytes(in: folder)
          most.withLock { $0 = max($0, used) }
        }
      }
      for log in logs + [log(capacity: capacity)] { oracle.checkAll(log) }
      XCTAssertEqual(oracle.lies, [:], "run \(run): \(oracle.summary)")
      XCTAssertEqual(oracle[.failures], 0)
      XCTAssertGreaterThan(oracle[.hits], 1_000)
      XCTAssertLessThanOrEqual(most.withLock { $0 }, capacity + 2 * 21_000)
    }
  }

  /// Each twentieth write finds the volume full, so the log evicts its oldest segment.
  func testAThreadThatReadsDuringEvictionsOnAFullVolumeIsCounted() throws {
    let writes = Lock(0)
    var files = FileSystem.system
    files.room = { _ in 0 }
    files.append = { file, parts throws(FileError) in
      let isFull = writes.withLock { count in
        count += 1
        return count % 20 == 0
      }
      if isFull { throw FileError(operation: "write", code: EDQUOT) }
      return try FileSystem.system.append(file, parts)
    }
    let log = log(files: files)
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      for number in 0..<500 where thread == 0 {
        _ = try? log.set(Data(count: 1_000), for: "\(number)")
      }
      for _ in 0..<5_000 where thread == 1 { XCTAssertNil(log.value("absent")) }
    }
    let counts = log.state.withLock { $0.counts }
    XCTAssertEqual(counts.misses, 5_000)
    let kept = (0..<500).count { log.value("\($0)") != nil }
    XCTAssertEqual(counts.evictions, 500 - kept)
  }
}
