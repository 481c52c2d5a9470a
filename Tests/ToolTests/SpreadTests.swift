import XCTest

@testable import strata_tool

final class SpreadTests: XCTestCase {
  func testTheMedianIsTheMiddleOrBetweenTheMiddleTwo() {
    XCTAssertEqual(Spread([3, 1, 2])?.median, 2)
    XCTAssertEqual(Spread([4, 1, 2, 3])?.median, 2.5)
    XCTAssertEqual(Spread([7])?.median, 7)
    XCTAssertNil(Spread([Double]()))
  }

  func testQuartilesAndExtremes() throws {
    let spread = try XCTUnwrap(Spread([5, 1, 4, 2, 3]))
    XCTAssertEqual(spread.lowerQuartile, 2)
    XCTAssertEqual(spread.upperQuartile, 4)
    XCTAssertEqual(spread.minimum, 1)
    XCTAssertEqual(spread.maximum, 5)
  }

  func testFiguresAreShort() {
    XCTAssertEqual(
      [0.1666, 2.5, 66.04, 1840.2, 0, 1].map(\.brief), ["0.17", "2.5", "66", "1840", "0", "1"])
    XCTAssertEqual(Double.nan.brief, "-")
    XCTAssertEqual([66, 17_200, 3_100_000_000].map(\.inTime), ["66 ns", "17.2 us", "3100 ms"])
    XCTAssertEqual([0, 64, 102_400].map(\.inBytes), ["0", "64", "102k"])
    XCTAssertEqual(
      [0, 999, 1_000, -1_234_567].map(\.grouped), ["0", "999", "1,000", "-1,234,567"])
  }

  func testAVerdictIsTheBestThatIsReached() {
    let target = Target.ratio(must: 1, aim: 0.6)
    XCTAssertEqual(target.verdict(0.6), .aim)
    XCTAssertEqual(target.verdict(1), .must)
    XCTAssertEqual(target.verdict(1.01), .missed)
    XCTAssertEqual(target.verdict(nil), .unknown)
    XCTAssertEqual(Target.allocations().verdict(0.001), .aim)
    XCTAssertEqual(Target.allocations().verdict(1), .missed)
    XCTAssertEqual(target.sentence(0.9), "0.9x the baseline (must 1x, aim 0.6x)")
  }
}
