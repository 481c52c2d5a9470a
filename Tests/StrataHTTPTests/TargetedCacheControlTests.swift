import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

final class TargetedCacheControlTests: XCTestCase {
  private func select(_ value: String) -> CacheControl? {
    TargetedCacheControl.select(["CDN-Cache-Control"], in: ["cdn-cache-control": value])
  }

  func testAValidDictionaryIsSelected() {
    XCTAssertEqual(select("foobar, max-age=3600")?.delta("max-age"), .seconds(3600))
    XCTAssertEqual(select("max-age=99999999999")?.delta("max-age"), .seconds(1 << 31))
    XCTAssertEqual(select("max-age=1, max-age=2")?.delta("max-age"), .seconds(2))
    XCTAssertEqual(select("no-store=?1")?.contains("no-store"), true)
  }

  /// RFC 9213, section 2.1.
  func testParametersAreIgnored() {
    for parameters in [
      ";p", ";p=1", "; a=1;b=\"x;y, \\\"z\"", ";a=?0", ";a=t/x:y;b=*", ";a=-1.5", ";a=:aGk=:",
      ";a=::",
    ] {
      XCTAssertEqual(select("max-age=60\(parameters)")?.delta("max-age"), .seconds(60), parameters)
      XCTAssertEqual(select("no-store\(parameters)")?.contains("no-store"), true, parameters)
    }
  }

  func testAFalseDirectiveIsAbsent() {
    let control = select("max-age=60, no-store=?0, private, private=?0;p, no-cache=?0, no-cache")
    XCTAssertEqual(control?.delta("max-age"), .seconds(60))
    for (name, isPresent) in [("no-store", false), ("private", false), ("no-cache", true)] {
      XCTAssertEqual(control?.contains(name), isPresent, name)
    }
    XCTAssertEqual(select("no-store=?0")?.contains("no-store"), false)
  }

  /// An integer of a structured field has at most fifteen digits (RFC 8941, section 3.3.1).
  func testAnIntegerHasAtMostFifteenDigits() {
    let digits = String(repeating: "9", count: 15)
    XCTAssertEqual(select("max-age=\(digits)")?.delta("max-age"), .seconds(1 << 31))
    XCTAssertNil(select("max-age=\(digits)9"))
  }

  func testAMalformedDictionaryIsIgnored() {
    for value in [
      "", "max-age=10000, &&&&&", "max-age=\"10000\"", "max-age", "max-age =100", "max-age= 100",
      "MaX-aGe=3600", "max-age=1.5", "no-store=(a b)", "max-age=?0", "max-age=1;", "max-age=1;P=1",
      "max-age=1 ;p=1", "max-age=1;p=", "max-age=1;p=(a)", "max-age=1;p=\"a", "no-store=?2",
      "max-age=1;p=1.", "max-age=1;p=1-1", "max-age=1;p=:a", "max-age=1;p=?2", "max-age=1;p=,b",
    ] { XCTAssertNil(select(value), value) }
  }

  func testItReplacesCacheControlAndExpiresInASharedCacheOnly() {
    let response = NetworkResponse.made([
      "CDN-Cache-Control": "max-age=60", "Cache-Control": "no-store",
      "Expires": HTTPFixtures.date(-10),
    ])
    let shared = HTTPCachePolicy(isShared: true)
    XCTAssertEqual(shared.lifetime(of: response), .seconds(60))
    XCTAssertNil(shared.refusal(to: response, for: .made()))
    XCTAssertEqual(HTTPCachePolicy().refusal(to: response, for: .made()), .noStore)
  }

  func testWithoutALifetimeExpiresIsIgnored() {
    let fields: HeaderFields = ["CDN-Cache-Control": "foo", "Expires": HTTPFixtures.date(100)]
    XCTAssertEqual(HTTPCachePolicy(isShared: true).lifetime(of: .made(fields)), .zero)
  }
}
