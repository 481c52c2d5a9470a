import Foundation
import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

final class StatisticsReportGaugeTests: XCTestCase {
  private let gauges = [
    StatisticsReport.Gauge(stage: "memory", name: "bytes", value: 5, limit: 10),
    StatisticsReport.Gauge(stage: "network", name: "waiting", value: 2),
  ]

  func testGaugesAreReportedAndExported() throws {
    let telemetry = Telemetry(of: CacheStatistics()) { [gauges] in gauges }
    let report = telemetry.report()
    XCTAssertEqual(report.gauges, gauges)
    let copy = try JSONDecoder().decode(
      StatisticsReport.self, from: JSONEncoder().encode(report))
    XCTAssertEqual(copy, report)
    let text = telemetry.text()
    XCTAssert(text.contains("strata_cache_gauge{stage=\"memory\",gauge=\"bytes\"} 5.0\n"))
    XCTAssert(text.contains("strata_cache_gauge_limit{stage=\"memory\",gauge=\"bytes\"} 10.0\n"))
    XCTAssertFalse(text.contains("strata_cache_gauge_limit{stage=\"network\""))
  }

  func testTheGaugesOfACacheCollectThemselves() {
    let pages = Cache<Int, Int>.memory(capacity: 9).named("pages")
    let telemetry = Telemetry(of: CacheStatistics(), and: pages) { [gauges] in gauges }
    _ = pages.set(1, 2)
    let own = StatisticsReport.Gauge(stage: "pages", name: "values", value: 1, limit: 9)
    XCTAssertEqual(telemetry.report().gauges, [own] + gauges)
  }

  func testLevelsOfOneNameAreNumbered() {
    let levels =
      Cache<Int, Int>.memory(capacity: 5).named("memory")
      + Cache<Int, Int>.memory(capacity: 50).named("memory")
    let telemetry = Telemetry(of: CacheStatistics(), and: levels) {
      [
        .init(stage: "memory", name: "values", value: 1),
        .init(stage: "memory 2", name: "values", value: 2),
      ]
    }
    let report = telemetry.report()
    XCTAssertEqual(
      report.gauges.map(\.stage), ["memory", "memory 2", "memory 3", "memory 2 2"])
    XCTAssertEqual(report.gauges.map(\.limit), [5, 50, nil, nil])
    let series = telemetry.text().split(separator: "\n").map { $0.prefix { $0 != "}" } }
    XCTAssertEqual(Set(series.filter { !$0.hasPrefix("#") }).count, 6)
    XCTAssertEqual(levels.gauges.map(\.stage), ["memory", "memory 2"])
  }

  func testAFigureThatIsNotFiniteIsLeftOut() throws {
    let telemetry = Telemetry(of: CacheStatistics()) {
      [
        .init(stage: "own", name: "ratio", value: .nan),
        .init(stage: "own", name: "load", value: .infinity),
        .init(stage: "own", name: "size", value: 1, limit: .infinity),
      ]
    }
    XCTAssertEqual(telemetry.report().gauges, [.init(stage: "own", name: "size", value: 1)])
    XCTAssertNoThrow(try JSONEncoder().encode(telemetry.report()))
    XCTAssertFalse(telemetry.text().contains("nan"))
  }

  func testAReportOfAnEarlierVersionHasNoGauges() throws {
    let json = Data(#"{"time": 1, "window": 300, "stages": []}"#.utf8)
    XCTAssertEqual(try JSONDecoder().decode(StatisticsReport.self, from: json).gauges, [])
  }

  func testAQuantileIsTheUpperBoundOfABucket() {
    let histogram = StatisticsReport.Histogram(bounds: [1, 2, 4], counts: [5, 4, 0, 1], sum: 0)
    XCTAssertEqual(
      [-1, 0.5, 0.51, 0.9, 0.91, 2, .nan].map(histogram.quantile),
      [1, 1, 2, 2, .infinity, .infinity, 1])
    XCTAssertNil(StatisticsReport.Histogram(bounds: [], counts: [], sum: 0).quantile(0.5))
  }
}
