import XCTest

@testable import StrataExplain

final class PageFiguresTests: XCTestCase {
  func testFiguresAreShort() {
    XCTAssertEqual(
      [0, 0.25, 9.876, 42.04, 950, 12_345, 999_999, 3_440_000, 2.5e10, -1_234, .nan]
        .map(PageFigures.count),
      ["0", "0.25", "9.88", "42", "950", "12,345", "999,999", "3.44 M", "25 G", "−1,234", "–"])
    XCTAssertEqual(
      [0.9344, 1, 0, nil, .nan].map(PageFigures.percent), ["93.4 %", "100 %", "0 %", "–", "–"])
    XCTAssertEqual(
      [1.5, 0.0012, 4e-7, 0, .infinity, nil].map(PageFigures.duration),
      ["1.5 s", "1.2 ms", "400 ns", "0 s", "> 8.6 s", "–"])
    XCTAssertEqual(PageFigures.rate(12.5), "12.5/s")
  }

  func testTimesAndShares() {
    XCTAssertEqual(PageFigures.time(1_000_000_000), "2001-09-09 01:46:40 UTC")
    XCTAssertEqual([-1, 0.5, 2, .nan].map(PageFigures.share), ["0%", "50%", "100%", "0%"])
  }
}
