import XCTest

@testable import StrataCore
@testable import StrataExplain

final class StatisticsSeriesTests: XCTestCase {
  private func report(_ time: Double) -> StatisticsReport {
    StatisticsReport(time: time, window: 1, stages: [])
  }

  func testAFullSeriesKeepsItsEndsAndDropsEverySecondReport() {
    var series = StatisticsSeries(limit: 10)
    for time in 0..<1_000 {
      series.append(report(Double(time)))
      XCTAssertLessThanOrEqual(series.reports.count, 10)
      XCTAssertEqual(series.reports.first?.time, 0)
      XCTAssertEqual(series.reports.last?.time, Double(time))
    }
    XCTAssertGreaterThanOrEqual(series.reports.count, 5)
  }

  func testTheSmallestSeriesHoldsTheFirstAndTheLastReport() {
    var series = StatisticsSeries(limit: 0)
    for time in [1.0, 2, 3, 3, 2] { series.append(report(time)) }
    XCTAssertEqual(series.reports.map(\.time), [1, 3])
  }
}
