import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class DurationTextTests: XCTestCase {
  private let texts: [(Duration, String)] = [
    (.zero, "0 s"), (.nanoseconds(12), "12 ns"), (.nanoseconds(4567), "4.567 us"),
    (.microseconds(999_999), "999.999 ms"), (.milliseconds(2), "2 ms"),
    (.milliseconds(900), "900 ms"), (.seconds(0.3), "300 ms"), (.milliseconds(1_500), "1.5 s"),
    (.seconds(1.25), "1.25 s"), (.seconds(1) + .nanoseconds(1), "1.000000001 s"),
    (.seconds(60), "60 s"), (.seconds(90), "90 s"), (.seconds(120), "2 min"),
    (.seconds(600), "10 min"), (.seconds(3_599), "3599 s"), (.seconds(3_600), "60 min"),
    (.seconds(7_200), "2 h"), (.seconds(86_400), "24 h"), (.seconds(86_401), "86401 s"),
    (.seconds(604_800), "7 d"), (.seconds(-90), "-90 s"), (.milliseconds(-1_500), "-1.5 s"),
    (.seconds(-7_200), "-2 h"),
  ]

  func testADurationIsWrittenExactlyAndInTheUsualUnit() {
    for (lifetime, text) in texts { XCTAssertEqual(lifetime.formattedExactly, text) }
    XCTAssertEqual(Duration.seconds(Int64.max).formattedExactly, "9223372036854775807 s")
    XCTAssertEqual(Duration.seconds(1e20).formattedExactly, "9223372036854775807 s")
    XCTAssertEqual(Duration.seconds(Int64.min).formattedExactly, "-9223372036854775808 s")
  }
}
