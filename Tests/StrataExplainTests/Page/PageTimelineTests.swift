import XCTest

@testable import StrataCore
@testable import StrataExplain

final class PageTimelineTests: XCTestCase {
  func testAnIntervalHasTheHitRatioAndTheLoadBetweenTwoReports() {
    let sample = PageSample()
    let reports = [
      sample.report(after: [1]), sample.report(after: [1, 1, 1, 7]), sample.report(after: [8, 9]),
    ]
    let intervals = PageTimeline(sample.cache.plan, reports).intervals
    XCTAssertEqual(intervals.map(\.hitRatio), [0.75, 0])
    XCTAssertEqual(intervals.map(\.loadsPerSecond), [0.1, 0.2])
    XCTAssertEqual(intervals.map(\.getsPerSecond), [0.4, 0.2])
  }

  func testAfterAResetOldCountsAreNotSubtracted() {
    let sample = PageSample()
    let before = sample.report(after: [1, 2, 3, 4])
    sample.statistics.reset()
    let after = sample.report(after: [1, 1])
    let interval = PageTimeline(sample.cache.plan, [before, after]).intervals.first
    XCTAssertEqual(interval?.getsPerSecond, 0.2)
    XCTAssertEqual(interval?.hitRatio, 1)
  }

  func testAnIdleIntervalHasNoHitRatio() {
    let sample = PageSample()
    let reports = [sample.report(after: [1]), sample.report(after: [])]
    XCTAssertNil(PageTimeline(sample.cache.plan, reports).intervals[0].hitRatio)
  }

  func testLongSeriesAreThinnedAndKeepTheLastReport() {
    let sample = PageSample()
    let reports = (0..<1_000).map { _ in sample.report(after: []) }
    let intervals = PageTimeline(sample.cache.plan, reports).intervals
    XCTAssertLessThanOrEqual(intervals.count, PageTimeline.mostIntervals + 1)
    XCTAssertGreaterThan(intervals.count, PageTimeline.mostIntervals / 2)
    XCTAssertEqual(intervals.last?.end, reports.last?.time)
  }
}
