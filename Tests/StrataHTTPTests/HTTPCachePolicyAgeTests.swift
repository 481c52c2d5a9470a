import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

final class HTTPCachePolicyAgeTests: XCTestCase {
  private let policy = HTTPCachePolicy()

  private func age(_ fields: HeaderFields, asked: Double = 0, after seconds: Double = 0) -> Duration
  {
    policy.age(of: .made(fields, asked: asked), at: HTTPFixtures.at(seconds))
  }

  func testTheTimeInTheCacheCounts() {
    XCTAssertEqual(age(["Date": HTTPFixtures.date(0)], after: 3), .seconds(3))
    XCTAssertEqual(age(["Date": HTTPFixtures.date(0), "Age": "30"], after: 3), .seconds(33))
  }

  func testTheTimeOfTheRequestCounts() {
    XCTAssertEqual(age(["Age": "30"], asked: -5), .seconds(35))
    XCTAssertEqual(age([:], asked: -5), .seconds(5))
  }

  func testASlowClockOfTheOriginMakesAResponseOlder() {
    XCTAssertEqual(age(["Date": HTTPFixtures.date(-7200)]), .seconds(7200))
    XCTAssertEqual(age(["Date": HTTPFixtures.date(-10), "Age": "25"]), .seconds(25))
  }

  func testTheRoundingOfDateIsNotAnAge() {
    XCTAssertEqual(age(["Date": HTTPFixtures.date(-1)]), .zero)
    XCTAssertEqual(age(["Date": HTTPFixtures.date(-2)]), .seconds(2))
  }

  func testAFastClockOfTheOriginMakesNoResponseYounger() {
    XCTAssertEqual(age(["Date": HTTPFixtures.date(400)], after: 2), .seconds(2))
    XCTAssertEqual(age(["Date": HTTPFixtures.date(10), "Age": "15"]), .seconds(15))
  }

  func testAClockThatWasSetBackMakesNoResponseYounger() {
    XCTAssertEqual(age(["Age": "30"], asked: 10, after: -100), .seconds(30))
  }

  func testTheFirstMemberOfAgeCounts() {
    for (value, seconds) in [("7200, 0", 7200), ("0, 7200", 0), ("7200,0", 7200)] {
      XCTAssertEqual(age(["Age": value]), .seconds(seconds), value)
    }
    XCTAssertEqual(age(["Age": "7200", "age": "0"]), .seconds(7200))
  }

  func testAnInvalidAgeIsIgnored() {
    for value in ["abc", "-7200", "7200.0", "", "7200;foo=1", ",7200"] {
      XCTAssertEqual(age(["Age": value]), .zero, value)
    }
  }

  func testAHugeAgeCountsAsTheGreatest() {
    for value in ["2147483647", "2147483648", "2147483649", "99999999999999999999"] {
      XCTAssertGreaterThan(age(["Age": value]), .seconds(1 << 30), value)
    }
  }
}
