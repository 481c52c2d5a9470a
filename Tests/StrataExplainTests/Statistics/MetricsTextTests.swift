import Foundation
import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

final class MetricsTextTests: XCTestCase {
  private let statistics = CacheStatistics()

  private func count(
    _ stage: String, _ operation: CacheEvent.Operation, _ outcome: CacheEvent.Outcome = .success,
    _ duration: Duration? = .zero, cause: EvictionCause? = nil, bytes: Int? = nil
  ) {
    statistics.observer.receive(
      CacheEvent(
        stage: stage, operation: operation, outcome: outcome, duration: duration, cause: cause,
        bytes: bytes))
  }

  private func read() throws -> MetricsReader {
    try MetricsReader(Telemetry(of: statistics).text())
  }

  func testStatisticsWithoutEventsAreEmpty() throws {
    XCTAssertEqual(Telemetry(of: statistics).text(), "")
  }

  func testEachCountIsASampleOfItsStage() throws {
    let telemetry = Telemetry(of: statistics)
    for _ in 0..<3 { count("memory", .get, bytes: 10) }
    count("memory", .stale)
    count("memory", .get, .miss(CacheError.notFound))
    count("memory", .get, .failure(CacheError.abandoned))
    count("memory", .get, .cancelled)
    count("memory", .set, bytes: 7)
    count("memory", .backFill)
    count("memory", .eviction, cause: .capacity, bytes: 4)
    count("memory", .eviction, cause: .capacity)
    count("memory", .eviction, cause: .expired)
    count("memory", .memoryWarning)
    count("disk", .load)
    let metrics = try MetricsReader(telemetry.text())
    let expected: [String: Double] = [
      "hits_total": 3, "stale_hits_total": 1, "misses_total": 1, "failures_total": 1,
      "cancellations_total": 1,
      "loads_total": 0, "back_fills_total": 1, "writes_total": 1, "refreshes_total": 0,
      "circuit_openings_total": 0, "memory_warnings_total": 1, "read_bytes_total": 30,
      "written_bytes_total": 7, "evicted_bytes_total": 4, "operations_in_flight": 0,
      "circuit_open": 0, "hit_ratio": 0.75, "get_duration_seconds_count": 5,
    ]
    for (name, value) in expected {
      XCTAssertEqual(metrics.value("strata_cache_\(name)", ["stage": "memory"]), value, name)
    }
    for (cause, value) in ["capacity": 2.0, "expired": 1] {
      XCTAssertEqual(
        metrics.value("strata_cache_evictions_total", ["stage": "memory", "cause": cause]), value)
    }
    XCTAssertEqual(metrics.value("strata_cache_loads_total", ["stage": "disk"]), 1)
    XCTAssertNil(metrics.value("strata_cache_hit_ratio", ["stage": "disk"]))
  }

  func testTheHistogramIsCumulativeWithItsSumAndCount() throws {
    let durations: [Duration] = [
      .nanoseconds(100), .nanoseconds(1_000), .microseconds(20), .milliseconds(3), .seconds(2),
      .seconds(100),
    ]
    for duration in durations { count("disk", .get, .success, duration) }
    let metrics = try read()
    let name = "strata_cache_get_duration_seconds"
    let histogram = try XCTUnwrap(metrics.metrics.first { $0.name == name })
    XCTAssertEqual(histogram.type, "histogram")
    for sample in histogram.samples where sample.name == "\(name)_bucket" {
      let bound = try XCTUnwrap(
        Double(sample.labels["le"] == "+Inf" ? "inf" : sample.labels["le"]!))
      let below = durations.filter { $0 / .seconds(1) < bound }.count
      XCTAssertEqual(sample.value, Double(below), "below \(bound) s")
    }
    let sum = try XCTUnwrap(metrics.value("\(name)_sum", ["stage": "disk"]))
    XCTAssertEqual(sum, 102.003_021_1, accuracy: 1e-9)
    XCTAssertEqual(metrics.value("\(name)_count", ["stage": "disk"]), 6)
  }

  func testTheLabelOfAnyStageReadsBack() throws {
    let names = [
      "", "plain", "a\"b", "a\\b", "a\nb", "a\r\nb", "\\n", "\\\"", "é 漢字 🗄", "a,b=\"c\"} 1", "{}",
    ]
    for name in names { count(name, .get) }
    let metrics = try read()
    for name in names {
      XCTAssertEqual(metrics.value("strata_cache_hits_total", ["stage": name]), 1, name)
    }
  }

  func testTheReaderRefusesWhatTheFormatForbids() {
    let good = "# HELP a_total h\n# TYPE a_total counter\na_total{stage=\"x\"} 1\n"
    XCTAssertNoThrow(try MetricsReader(good))
    let bad = [
      String(good.dropLast()), good + good, "a_total{stage=\"x\"} 1\n",
      good.replacingOccurrences(of: "a_total", with: "a"),
      good.replacingOccurrences(of: " 1\n", with: " one\n"),
      good.replacingOccurrences(of: " 1\n", with: " -1\n"),
      good.replacingOccurrences(of: "\"x\"", with: "\"x\\y\""),
      good.replacingOccurrences(of: "counter", with: "count"),
      "# HELP h h\n# TYPE h histogram\nh_bucket{stage=\"x\",le=\"1\"} 1\nh_sum{stage=\"x\"} 1\n"
        + "h_count{stage=\"x\"} 1\n",
    ]
    for text in bad { XCTAssertThrowsError(try MetricsReader(text), text) }
  }
}
