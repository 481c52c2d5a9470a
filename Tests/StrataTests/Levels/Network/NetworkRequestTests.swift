import Foundation
import XCTest

@testable import Strata

final class NetworkRequestTests: XCTestCase {
  func testOriginIsSchemeHostAndPort() throws {
    func same(_ one: String, _ other: String) throws -> Bool {
      NetworkRequest.sameOrigin(
        try XCTUnwrap(URL(string: one)), try XCTUnwrap(URL(string: other)))
    }
    XCTAssertTrue(try same("http://A.test/x", "HTTP://a.test:80/y"))
    XCTAssertTrue(try same("https://a.test:443/", "https://a.test/"))
    XCTAssertFalse(try same("http://a.test/", "https://a.test/"))
    XCTAssertFalse(try same("http://a.test/", "http://b.test/"))
    XCTAssertFalse(try same("http://a.test/", "http://a.test:81/"))
    XCTAssertFalse(try same("http://a.test:443/", "https://a.test:443/"))
  }
}
