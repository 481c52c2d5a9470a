import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs
import StrataExplain

final class StatisticsTableTests: XCTestCase {
  private let statistics = CacheStatistics()
  private let (time, clock) = TimeSource.manual()

  func testASnapshotPrintsAsATable() {
    let cache = Cache<Int, Data>.memory(capacity: 1).named("memory")
      .observed(by: statistics.observer, clock: time)
    _ = cache.set(1, Data(count: 1500))
    _ = cache.set(2, Data(count: 1500))
    _ = cache.get(2)
    _ = cache.get(3)
    let lines = statistics.snapshot.table.split(separator: "\n").map(String.init)
    XCTAssertEqual(
      lines[0].split(separator: " ").joined(separator: " "),
      "stage hits stale misses ratio loads back-fills writes failures evictions read written p50 p99"
    )
    XCTAssertEqual(
      lines[1].split(separator: " ").joined(separator: " "),
      "memory 1 0 1 50 % 0 0 2 0 1 capacity 1.5 kB 3.0 kB 1.0 ns 1.0 ns")
    XCTAssertEqual(lines[0].count, lines[1].count)
  }

  func testTheFirstColumnIsOnTheLeftAndKilobytesBeginAtAThousandBytes() {
    for (stage, bytes) in [("a", 999), ("longer", 1000)] {
      statistics.observer.receive(
        CacheEvent(stage: stage, operation: .set, outcome: .success, bytes: bytes))
    }
    for cause in [EvictionCause.expired, .capacity, .capacity] {
      statistics.observer.receive(
        CacheEvent(stage: "a", operation: .eviction, outcome: .success, cause: cause))
    }
    XCTAssertEqual(
      statistics.snapshot.table,
      """
      stage   hits  stale  misses  ratio  loads  back-fills  writes  failures              evictions  read  written  p50  p99
      a          0      0       0      -      0           0       1         0  2 capacity, 1 expired   0 B    999 B    -    -
      longer     0      0       0      -      0           0       1         0                      0   0 B   1.0 kB    -    -
      """)
  }
}
