import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class ReporterTests: XCTestCase {
  private struct Broken: Error {}

  func testAReportSeparatesMissesFromFailuresAndMeasuresTheTime() {
    let lines = Journal<String>()
    let (time, clock) = TimeSource.manual()
    let reporter = Reporter(
      stage: "memory", observer: CacheObserver { lines.note("\($0)") }, time: time
    ).named("disk")
    let start = reporter.now()
    clock.advance(by: .milliseconds(2))

    reporter.report(.get, 1, since: start, Promise.Outcome.success(5))
    reporter.report(.get, 1, since: start, Promise<Int>.Outcome.failure(CacheError.notFound))
    reporter.report(.get, 1, since: start, Promise<Int>.Outcome.failure(Broken()))
    reporter.report(.eviction, 1, since: nil, Promise<Void>.Outcome.success(()))

    XCTAssertEqual(
      lines.entries,
      [
        "disk: get hit in 2.0 ms", "disk: get miss in 2.0 ms",
        "disk: get failed: Broken() in 2.0 ms", "disk: eviction done",
      ])
  }

  func testARequestedMeasurementBeginsNowIfItHasNoStart() {
    let lines = Journal<String>()
    let observer = CacheObserver(measuringHits: true) { lines.note("\($0)") }
    let reporter = Reporter(stage: "memory", observer: observer, time: TimeSource.manual().0)
    reporter.report(.eviction, 1, since: nil, Promise<Void>.Outcome.success(()))
    XCTAssertEqual(lines.entries, ["memory: eviction done in 0.0 ns"])
  }

  func testAfterTheFirst64HitsMostHitsAreCountedWithoutAnEvent() throws {
    let statistics = CacheStatistics()
    let reporter = Reporter(
      stage: "memory", observer: statistics.observer, time: TimeSource.manual().clock)
    let get = reporter.reporting({ (key: Int) in Promise(key) }, isOrigin: false)
    for key in 0..<6_400 { _ = get(key) }
    let counter = try XCTUnwrap(reporter.counter)
    XCTAssertEqual(counter.counts.hits, 6_400 - 64 - 99, accuracy: 20)
    let stage = try XCTUnwrap(statistics.snapshot["memory"])
    XCTAssertEqual(stage.hits, 6_400)
    XCTAssertEqual(Double(stage.latency.count), 6_400, accuracy: 1_300)
  }

  func testAPendingOperationIsInFlightUntilItSettles() {
    let statistics = CacheStatistics()
    let reporter = Reporter(
      stage: "disk", observer: statistics.observer, time: TimeSource.manual().0)
    let work = Later<Void>()
    let write = reporter.reporting(.set, 1, since: nil, work.promise)
    XCTAssertEqual(reporter.counter?.inFlight, 1)
    work.continuation.succeed(())
    XCTAssertNotNil(write.outcome?.value)
    XCTAssertEqual(reporter.counter?.inFlight, 0)
    XCTAssertEqual(statistics.snapshot["disk"]?.writes, 1)
  }
}
