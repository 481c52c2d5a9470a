import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork

final class CacheControlTests: XCTestCase {
  private func control(_ values: String...) -> CacheControl {
    CacheControl(HeaderFields(values.map { .init(name: "cache-control", value: $0) }))
  }

  func testNamesMatchInAnyCase() {
    XCTAssertEqual(control("MaX-aGe=3600").delta("max-age"), .seconds(3600))
    XCTAssertTrue(control("No-StOrE").contains("no-store"))
  }

  func testALifetimeMayBeQuotedAndHaveLeadingZeros() {
    XCTAssertEqual(control("max-age=\"3600\"").delta("max-age"), .seconds(3600))
    XCTAssertEqual(control("max-age=003600").delta("max-age"), .seconds(3600))
  }

  func testAMalformedLifetimeIsInvalid() {
    for value in [
      "'3600'", "-1", "1.0", "a1", "1a", "1:", "\"1:\"", "\"1/\"", " 1", "", "\"1", "\"1\"x",
    ] {
      XCTAssertEqual(control("max-age=\(value)").delta("max-age"), .invalid, value)
    }
    XCTAssertEqual(control("max-age").delta("max-age"), .invalid)
    XCTAssertEqual(control("max-age =3600").delta("max-age"), .invalid)
  }

  func testAHugeLifetimeCountsAsTheGreatest() {
    XCTAssertEqual(control("max-age=1000000001").delta("max-age"), .seconds(1_000_000_001))
    XCTAssertEqual(control("max-age=2147483648").delta("max-age"), .seconds(1 << 31))
    XCTAssertEqual(control("max-age=99999999999").delta("max-age"), .seconds(1 << 31))
    let digits = String(repeating: "9", count: 10_000)
    XCTAssertEqual(control("max-age=\(digits)").delta("max-age"), .seconds(1 << 31))
  }

  func testEqualDuplicatesCountAndOthersAreInvalid() {
    XCTAssertEqual(control("max-age=1, max-age=1").delta("max-age"), .seconds(1))
    XCTAssertEqual(control("max-age=1800", "max-age=1").delta("max-age"), .invalid)
    XCTAssertEqual(control("max-age=1800, max-age=x").delta("max-age"), .invalid)
  }

  func testAQuotedTextHidesDirectives() {
    let control = control("extension=\"max-age=3600\", max-age=1")
    XCTAssertEqual(control.delta("max-age"), .seconds(1))
  }

  func testAnOpenQuotationDoesNotHideDirectives() {
    XCTAssertTrue(control("ext=\"a, no-store").contains("no-store"))
    XCTAssertTrue(control("ext=\"a", "no-store").contains("no-store"))
  }

  func testFieldNamesQualifyADirective() {
    let qualified = control("no-cache=\"a, B\"")
    XCTAssertEqual(qualified.fieldNames("no-cache"), ["a", "b"])
    XCTAssertFalse(qualified.isUnqualified("no-cache"))
    XCTAssertTrue(control("no-cache=\"a\", no-cache").isUnqualified("no-cache"))
  }

  func testAnArgumentThatIsNotAListOfNamesQualifiesNothing() {
    for value in ["no-cache=\"\"", "no-cache=\"a b\"", "no-cache=\"a", "no-cache="] {
      XCTAssertTrue(control(value).isUnqualified("no-cache"), value)
    }
  }

  func testElementsWithoutNameAreIgnored() {
    XCTAssertEqual(control(", =1, \"x\" ,max-age=5,").directives.map(\.name), ["max-age"])
  }
}
