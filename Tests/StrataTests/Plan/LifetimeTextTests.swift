import XCTest

@testable import Strata

final class LifetimeTextTests: XCTestCase {
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

  func testALifetimeIsWrittenExactlyAndInTheUnitThatOneWouldUse() {
    for (lifetime, text) in texts { XCTAssertEqual(lifetime.formattedExactly, text) }
    XCTAssertEqual(Duration.seconds(Int64.max).formattedExactly, "9223372036854775807 s")
    XCTAssertEqual(Duration.seconds(1e20).formattedExactly, "9223372036854775807 s")
    XCTAssertEqual(Duration.seconds(Int64.min).formattedExactly, "-9223372036854775808 s")
  }

  func testWhatIsWrittenIsReadBack() throws {
    for (lifetime, text) in texts {
      let read = try XCTUnwrap(Duration(exactly: text), text)
      XCTAssertEqual(read / .seconds(1), lifetime / .seconds(1), accuracy: 1e-9, text)
    }
    XCTAssertEqual(Duration(exactly: "60 s"), .seconds(60))
    for text in ["", "60", "s", "1 y", "a s", "1 s s", "nan s", "inf h", "1e99 s"] {
      XCTAssertNil(Duration(exactly: text), text)
    }
  }

  func testAdviceSeesADifferenceThatRoundingWouldHide() {
    let stamped: Cache<Int, Stamped<Int>> = .memory(capacity: 10)
    let upper = stamped.expiring(after: .milliseconds(1_249))
    let lower = stamped.expiring(after: .milliseconds(1_210))
    XCTAssertTrue((upper + lower).plan.advice.contains { $0.kind == .upperOutlivesLower })
    XCTAssertFalse((lower + upper).plan.advice.contains { $0.kind == .upperOutlivesLower })
    XCTAssertTrue("\((upper + lower).plan)".contains("expiring(after: 1.249 s)"))
  }
}
