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

  /// An integer of a structured field has at most fifteen digits (RFC 8941, section 3.3.1).
  func testAnIntegerHasAtMostFifteenDigits() {
    let digits = String(repeating: "9", count: 15)
    XCTAssertEqual(select("max-age=\(digits)")?.delta("max-age"), .seconds(1 << 31))
    XCTAssertNil(select("max-age=\(digits)9"))
  }

  func testAMalformedDictionaryIsIgnored() {
    for value in [
      "", "max-age=10000, &&&&&", "max-age=\"10000\"", "max-age", "max-age =100", "max-age= 100",
      "MaX-aGe=3600", "max-age=3600;p=1", "max-age=1.5", "no-store=(a b)",
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
