import XCTest

@testable import strata_tool

/// Runs the benchmarks of all groups except `disk`, `memory`, and `bytes` at the smallest scale.
/// Checks that each target names an existing benchmark case.
final class BenchmarkTests: XCTestCase {
  func testEachContestRunsAndComparesItsOwnCases() async throws {
    for benchmark in Benchmark.all where ![.disk, .memory, .bytes].contains(benchmark.group) {
      let name = "\(benchmark.group): \(benchmark.title)"
      if benchmark.group == .redis, RedisBaseline.executable == nil {
        print("skipped, because redis-server isn't installed: \(name)")
        continue
      }
      let rows = try await benchmark.rows(1, .quick)
      XCTAssertFalse(rows.isEmpty, name)
      XCTAssertEqual(Set(rows.map(\.subject)).count, rows.count, name)
      for row in rows {
        XCTAssertEqual(row.group, benchmark.group, name)
        XCTAssertNil(row.fault, "\(name), \(row.subject)")
        if row.unit == .time { XCTAssertGreaterThan(row.figure.median, 0, name) }
        // Skips the targets for allocations, because some platforms don't count allocations. If a
        // target compares a case with a case that doesn't exist, the target's figure is `nil`.
        for check in row.checks where check.target.measure != .allocations {
          XCTAssertNotNil(check.figure, "\(name), \(row.subject): \(check.target)")
        }
      }
    }
  }

  /// In a debug build, too, since closures that don't escape need no memory.
  func testAHitAllocatesNothingThroughAnyVerb() async throws {
    let titles = ["hit, through a verb", "hit, through all verbs together", "hit, pooled or not"]
    let benchmarks = Benchmark.all.filter { titles.contains($0.title) }
    XCTAssertEqual(benchmarks.count, titles.count)
    for benchmark in benchmarks {
      for row in try await benchmark.rows(1, .quick) {
        for check in row.checks where check.target.measure == .allocations {
          XCTAssertNotEqual(check.verdict, .missed, "\(row.subject): \(check.figure ?? -1)")
        }
      }
    }
  }
}
