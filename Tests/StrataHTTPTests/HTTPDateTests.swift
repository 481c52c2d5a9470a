import XCTest

@testable import StrataCore
@testable import StrataHTTP

final class HTTPDateTests: XCTestCase {
  private func seconds(_ text: String) -> Int64? {
    HTTPDate.seconds(text, now: HTTPFixtures.epoch)
  }

  func testTheThreeFormatsAreRead() {
    XCTAssertEqual(seconds("Sun, 06 Nov 1994 08:49:37 GMT"), 784_111_777)
    XCTAssertEqual(seconds("Sunday, 06-Nov-94 08:49:37 GMT"), 784_111_777)
    XCTAssertEqual(seconds("Sun Nov  6 08:49:37 1994"), 784_111_777)
    XCTAssertEqual(seconds("Fri Nov 16 08:49:37 2001"), 1_005_900_577)
  }

  func testNamesMatchInAnyCase() {
    XCTAssertEqual(seconds("SUN, 06 nov 1994 08:49:37 gmt"), 784_111_777)
  }

  func testAYearOfTwoDigitsIsAtMostFiftyYearsAhead() {
    XCTAssertEqual(seconds("Thursday, 18-Aug-50 02:01:18 GMT"), 2_544_400_878)
    // The tests run in 2026, so 2076 is exactly fifty years ahead.
    XCTAssertEqual(
      seconds("Friday, 06-Nov-76 08:49:37 GMT"), seconds("Fri, 06 Nov 2076 08:49:37 GMT"))
    XCTAssertEqual(
      seconds("Sunday, 06-Nov-77 08:49:37 GMT"), seconds("Sun, 06 Nov 1977 08:49:37 GMT"))
    XCTAssertEqual(seconds("Sunday, 06-Nov-94 08:49:37 GMT"), 784_111_777)
  }

  func testOtherTextsAreNoDates() {
    for text in [
      "", "0", "-1", "Thu, 18 Aug 2050 02:01:18 UTC", "Thu, 18 Aug 2050 02:01:18 AEST",
      "Thu, 18 Aug 50 02:01:18 GMT", "Thu 18 Aug 2050 02:01:18 GMT",
      "Thu, 18  Aug  2050 02:01:18 GMT", "Thu, 18-Aug-2050 02:01:18 GMT",
      "Thu, 18 Aug 2050 02.01.18 GMT", "Thu, 18 Aug 2050 2:01:18 GMT",
      "Thu, 18 Aug 2050 02:01:18 GMT, Thu, 18 Aug 2050 02:01:18 GMT",
      "Thu, 32 Aug 2050 02:01:18 GMT", "Thu, 30 Feb 2050 02:01:18 GMT",
      "Thu, 18 Aug 2050 24:01:18 GMT", "Thu, 18 Aug 2050 02:60:18 GMT", "2050-08-18T02:01:18Z",
    ] { XCTAssertNil(seconds(text), text) }
  }

  func testLeapDaysAndLeapSecondsAreRead() {
    XCTAssertEqual(seconds("Thu, 29 Feb 2024 00:00:00 GMT"), 1_709_164_800)
    XCTAssertNil(seconds("Thu, 29 Feb 2023 00:00:00 GMT"))
    XCTAssertEqual(seconds("Sat, 31 Dec 2016 23:59:60 GMT"), 1_483_228_800)
  }

  func testWrittenDatesAreReadBack() {
    for time in stride(from: Int64(-2_000_000_000), to: 30_000_000_000, by: 86_400 * 97 + 3601) {
      XCTAssertEqual(seconds(HTTPDate.text(time)), time)
    }
    XCTAssertEqual(HTTPDate.text(784_111_777), "Sun, 06 Nov 1994 08:49:37 GMT")
  }
}
