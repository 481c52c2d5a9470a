import Foundation
import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

final class TelemetryTests: XCTestCase {
  private let statistics = CacheStatistics()
  private let (time, clock) = TimeSource.manual()
  private lazy var cache = Cache<Int, Int>.dictionary([1: 1]).named("a")
    .observed(by: statistics.observer, clock: time)

  private func get(hits: Int, misses: Int) {
    for _ in 0..<hits { _ = cache.get(1) }
    for _ in 0..<misses { _ = cache.get(2) }
  }

  private func ratio(_ telemetry: Telemetry) -> Double? {
    telemetry.report().stages.first?.recentHitRatio
  }

  func testTheRecentHitRatioForgetsWhatIsOlderThanItsWindow() {
    let telemetry = Telemetry(of: statistics, window: .seconds(60), clock: time)
    XCTAssertNil(ratio(telemetry))
    get(hits: 100, misses: 0)
    XCTAssertEqual(ratio(telemetry), 1)
    clock.advance(by: .seconds(30))
    get(hits: 0, misses: 100)
    XCTAssertEqual(ratio(telemetry), 0.5)
    clock.advance(by: .seconds(60))
    XCTAssertNil(ratio(telemetry))
    get(hits: 1, misses: 3)
    XCTAssertEqual(ratio(telemetry), 0.25)
    XCTAssertEqual(telemetry.report().stages.first?.hits, 101)
  }

  func testFrequentReportsKeepTheWindowAndFewMarks() {
    let telemetry = Telemetry(of: statistics, window: .seconds(60), clock: time)
    for second in 0..<600 {
      get(hits: second < 300 ? 1 : 0, misses: second < 300 ? 0 : 1)
      clock.advance(by: .seconds(1))
      _ = telemetry.report()
      if second == 329 { XCTAssertEqual(ratio(telemetry) ?? -1, 0.5, accuracy: 0.05) }
    }
    XCTAssertEqual(ratio(telemetry), 0)
    XCTAssertLessThanOrEqual(telemetry.markCount, 34)
  }

  func testThreadsCanReport() {
    let telemetry = Telemetry(of: statistics, window: .seconds(60), clock: time)
    get(hits: 1, misses: 0)
    let clock = clock
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<50 {
        clock.advance(by: .seconds(2))
        _ = telemetry.report()
      }
    }
    get(hits: 1, misses: 3)
    XCTAssertEqual(ratio(telemetry), 0.25, "The first get is older than the window.")
    XCTAssertLessThanOrEqual(telemetry.markCount, 34)
  }

  func testAResetBeginsANewWindow() {
    let telemetry = Telemetry(of: statistics, clock: time)
    get(hits: 10, misses: 0)
    _ = telemetry.report()
    clock.advance(by: .seconds(100))
    _ = telemetry.report()
    statistics.reset()
    get(hits: 1, misses: 1)
    clock.advance(by: .seconds(300))
    XCTAssertEqual(ratio(telemetry), 0.5)
  }

  func testAReportReadsBackFromJSON() throws {
    let telemetry = Telemetry(of: statistics, window: .seconds(60), clock: time)
    get(hits: 3, misses: 1)
    statistics.observer.receive(
      CacheEvent(
        stage: "memory", operation: .eviction, outcome: .success, cause: .expired, bytes: 5))
    let report = telemetry.report()
    let read = try JSONDecoder().decode(
      StatisticsReport.self, from: try JSONEncoder().encode(report))
    XCTAssertEqual(read, report)
    XCTAssertEqual(read.window, 60)
    XCTAssertEqual(read.time, clock.now.sinceEpoch / .seconds(1))
    XCTAssertEqual(read.stages.map(\.name), ["a", "memory"])
    XCTAssertEqual(read.stages[0].recentHitRatio, 0.75)
    XCTAssertEqual(read.stages[0].latency.counts.reduce(0, +), 4)
    XCTAssertEqual(read.stages[1].evictions, ["expired": 1])
    XCTAssertEqual(read.stages[1].bytesEvicted, 5)
  }

  func testOperationsInFlightAreReported() {
    let work = Lock<Promise<Int>.Continuation?>(nil)
    let promise = Promise<Int> { continuation in work.withLock { $0 = continuation } }
    let level = Cache<Int, Int>(get: { _ in promise }, set: { _, _ in Promise() })
    let get = level.named("slow").observed(by: statistics.observer).get(1)
    statistics.observer.receive(CacheEvent(stage: "slow", operation: .set, outcome: .success))
    let telemetry = Telemetry(of: statistics)
    XCTAssertEqual(telemetry.report().stages.map(\.inFlight), [1])
    work.withLock { $0 }?.succeed(1)
    XCTAssertNotNil(get.outcome)
    XCTAssertEqual(telemetry.report().stages.map(\.inFlight), [0])
  }
}
