import XCTest

@testable import Strata

final class CacheObserverTests: XCTestCase {
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
        "disk: get failed: Broken() in 2.0 ms", "disk: eviction done in 0.0 ns",
      ])
  }
}
