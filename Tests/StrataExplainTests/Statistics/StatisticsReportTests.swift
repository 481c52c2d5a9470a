import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

final class StatisticsReportTests: XCTestCase {
  func testAHistogramKeepsEachDurationInOneBucket() {
    var latencies = LatencyHistogram()
    for exponent in 0..<47 { latencies.record(.nanoseconds(Int64(1) << exponent), count: 2) }
    let histogram = StatisticsReport.Histogram(latencies)
    XCTAssertEqual(histogram.counts.reduce(0, +), 94)
    XCTAssertEqual(histogram.counts.count, histogram.bounds.count + 1)
    XCTAssertEqual(histogram.bounds, histogram.bounds.sorted())
    XCTAssertEqual(
      histogram.counts.first, 14, "The durations of 1 to 64 ns should count as below 128 ns.")
    XCTAssertEqual(latencies.sum, .nanoseconds((Int64(1) << 47) - 1) * 2)
  }

  func testAnEmptyHistogramHasAllBuckets() {
    let histogram = StatisticsReport.Histogram(LatencyHistogram())
    XCTAssertEqual(histogram.counts, Array(repeating: 0, count: histogram.bounds.count + 1))
    XCTAssertEqual(histogram.sum, 0)
  }
}
