import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class LatencyHistogramTests: XCTestCase {
  func testEachDurationIsCountedInItsSpan() {
    var latencies = LatencyHistogram()
    let spans: [(Duration, Int)] = [
      (.zero, 0), (.seconds(-1), 0), (.nanoseconds(1), 1), (.nanoseconds(2), 2),
      (.nanoseconds(3), 2),
      (.nanoseconds(4), 3), (.microseconds(1), 10), (.milliseconds(1), 20), (.seconds(1), 30),
      (.seconds(1_000_000_000_000), 47),
    ]
    for (duration, place) in spans {
      let before = latencies.counts[place]
      latencies.record(duration)
      XCTAssertEqual(latencies.counts[place], before + 1, "\(duration)")
    }
    XCTAssertEqual(latencies.count, spans.count)
  }

  func testQuantilesRiseAndBoundTheRecordedDurations() throws {
    var latencies = LatencyHistogram()
    XCTAssertNil(latencies.quantile(0.5))
    for number in 1...1000 { latencies.record(.microseconds(number)) }
    let parts = [-1, 0, 0.1, 0.5, 0.9, 0.99, 1, 2]
    let quantiles = try parts.map { try XCTUnwrap(latencies.quantile($0)) }
    XCTAssertEqual(quantiles, quantiles.sorted())
    for (part, quantile) in zip(parts, quantiles) where 0...1 ~= part {
      let exact = Duration.microseconds(max(1, Int((part * 1000).rounded(.up))))
      XCTAssertTrue(exact...exact * 2 ~= quantile, "\(part): \(quantile)")
    }
  }

  func testAFractionThatIsNotANumberCountsAsZero() {
    var latencies = LatencyHistogram()
    latencies.record(.seconds(1))
    XCTAssertEqual(latencies.quantile(.nan), latencies.quantile(0))
  }

  func testExtremeDurationsAndCountsDoNotTrap() {
    var latencies = LatencyHistogram()
    for duration in [Duration.seconds(Int64.max) * 10, .seconds(Int64.min) * 10, .zero] {
      for count in [Int.min, -1, 0, 1, Int.max, Int.max] {
        latencies.record(duration, count: count)
        XCTAssertNotNil([0.5, 1, .nan, .infinity].map { latencies.quantile($0) })
      }
    }
    XCTAssertEqual(latencies.count, .max)
    XCTAssertEqual(latencies.counts[0], .max)
  }
}
