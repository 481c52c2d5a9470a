import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class CacheEventTests: XCTestCase {
  private struct Broken: Error {}

  private func text(
    _ operation: CacheEvent.Operation, _ outcome: CacheEvent.Outcome, key: (any Sendable)? = nil
  ) -> String {
    CacheEvent(
      stage: "disk", operation: operation, key: key, outcome: outcome,
      duration: .microseconds(1250)
    ).description
  }

  func testAnEventReadsAsOneLine() {
    XCTAssertEqual(text(.get, .success), "disk: get hit in 1.3 ms")
    XCTAssertEqual(text(.get, .miss(CacheError.notFound)), "disk: get miss in 1.3 ms")
    XCTAssertEqual(text(.set, .success), "disk: set done in 1.3 ms")
    XCTAssertEqual(text(.set, .cancelled), "disk: set cancelled in 1.3 ms")
    XCTAssertEqual(text(.backFill, .failure(Broken())), "disk: backFill failed: Broken() in 1.3 ms")
  }

  func testAKeyIsNeverShown() {
    XCTAssertFalse(text(.get, .success, key: "secret").contains("secret"))
  }

  func testDurationsHaveTheLargestUnitThatFits() {
    let spans: [Duration] = [
      .seconds(90), .milliseconds(1500), .milliseconds(2), .nanoseconds(4567), .nanoseconds(12),
      .zero,
    ]
    XCTAssertEqual(
      spans.map(\.formattedShort), ["90.0 s", "1.5 s", "2.0 ms", "4.6 us", "12.0 ns", "0.0 ns"])
    let units: [Duration] = [.seconds(1), .milliseconds(1), .microseconds(1), .nanoseconds(999)]
    XCTAssertEqual(units.map(\.formattedShort), ["1.0 s", "1.0 ms", "1.0 us", "999.0 ns"])
  }

  private func statistics(of events: [CacheEvent]) -> CacheStatistics.Snapshot {
    let statistics = CacheStatistics()
    events.forEach(statistics.observer.receive)
    return statistics.snapshot
  }

  func testStatisticsCountConstructedGets() throws {
    let disk = try XCTUnwrap(
      statistics(of: [
        CacheEvent(stage: "disk", operation: .get, key: "a", outcome: .success, bytes: 3),
        CacheEvent(
          stage: "disk", operation: .get, outcome: .success, duration: .seconds(2), bytes: 4),
        CacheEvent(stage: "disk", operation: .get, outcome: .miss(CacheError.notFound)),
        CacheEvent(stage: "disk", operation: .get, outcome: .failure(Broken())),
        CacheEvent(stage: "disk", operation: .get, outcome: .cancelled),
      ])["disk"])

    XCTAssertEqual([disk.hits, disk.misses, disk.failures, disk.cancellations], [2, 1, 1, 1])
    XCTAssertEqual(disk.bytesRead, 7)
    XCTAssertEqual(disk.loads, 0)
    XCTAssertEqual(disk.latency.count, 4)
  }

  func testStatisticsCountConstructedWritesAndEvictions() throws {
    let memory = try XCTUnwrap(
      statistics(of: [
        CacheEvent(stage: "memory", operation: .set, outcome: .success, bytes: 5),
        CacheEvent(stage: "memory", operation: .backFill, outcome: .success, bytes: 6),
        CacheEvent(
          stage: "memory", operation: .eviction, key: "a", outcome: .success, cause: .capacity),
      ])["memory"])

    XCTAssertEqual([memory.writes, memory.backFills, memory.bytesWritten], [1, 1, 11])
    XCTAssertEqual(memory.evictions, [.capacity: 1])
  }

  func testAConstructedEventOfAnOriginIsALoad() {
    let event = CacheEvent(stage: "network", operation: .get, outcome: .success, isOrigin: true)
    XCTAssertEqual(statistics(of: [event])["network"]?.loads, 1)
    XCTAssertEqual(event.description, "network: get hit in 0.0 ns")
  }
}
