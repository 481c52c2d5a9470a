import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

final class PageTotalsTests: XCTestCase {
  func testTheLevelsAreTheInnermostNamedStages() {
    let sample = PageSample()
    let levels = PageTotals.levels(of: sample.cache.named("all").plan)
    XCTAssertEqual(levels.map(\.name), ["memory", "disk", "network"])
    XCTAssertEqual(levels.map(\.stores), [true, true, false])
  }

  func testTheHitRatioCountsGetsOfCallersThatNoOriginAnswered() {
    let sample = PageSample()
    let report = sample.report(after: [1, 1, 5, 5, 5, 6])
    let totals = PageTotals(sample.cache.plan, report)
    XCTAssertEqual(totals.gets, 6)
    XCTAssertEqual(totals.loads, 2)
    XCTAssertEqual(totals.hitRatio ?? 0, 4.0 / 6, accuracy: 1e-9)
    XCTAssertEqual(totals.share(of: "disk") ?? 0, 1.0 / 6, accuracy: 1e-9)
  }

  func testAPipelineWithoutNamesHasTheTotalsOfItsOnlyStage() {
    let statistics = CacheStatistics()
    let cache = (Cache<Int, Int>.memory() + .dictionary([1: 1])).observed(by: statistics)
    for key in [1, 1, 2] { _ = cache.get(key) }
    let totals = PageTotals(cache.plan, Telemetry(of: statistics).report())
    XCTAssertEqual(totals.gets, 3)
    XCTAssertEqual(totals.hitRatio ?? 0, 2.0 / 3, accuracy: 1e-9)
    XCTAssertEqual(totals.loads, 0)
  }

  func testAnOutageIsTraffic() {
    struct Down: Error {}
    let (statistics, (clock, time)) = (CacheStatistics(), TimeSource.manual())
    let cache = (Cache<Int, Int>.memory().named("memory") + .failing(Down()).named("network"))
      .observed(by: statistics)
    let telemetry = Telemetry(of: statistics, clock: clock)
    let reports = (0..<3).map { _ in
      for key in 0..<5 { _ = cache.get(key) }
      time.advance(by: .seconds(10))
      return telemetry.report()
    }
    let totals = PageTotals(cache.plan, reports.last)
    XCTAssertEqual(totals.gets, 15)
    XCTAssertNil(totals.hitRatio)
    XCTAssertEqual(
      PageTimeline(cache.plan, reports).intervals.map(\.getsPerSecond), [0.5, 0.5])
  }
}
