import Foundation
import XCTest

@testable import Strata

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

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

  func testOnlyHTTPWithAHostIsAsked() {
    for text in ["file:///etc/passwd", "ftp://a.test/", "http:///x", "http:x", "data:,x", "/x"] {
      XCTAssertNil(NetworkRequest.permitted(URL(string: text)), text)
    }
    XCTAssertNil(NetworkRequest.permitted(nil))
    XCTAssertEqual(
      NetworkRequest.permitted(URL(string: "HTTPS://a.test/X"))?.absoluteString, "https://a.test/X")
  }

  func testARedirectIsFollowedWithinItsOriginWithCredentialsAndElseWithout() throws {
    let asked = try XCTUnwrap(URL(string: "http://a.test/one/two"))
    func following(_ location: String) throws -> URLRequest {
      let response = try XCTUnwrap(
        HTTPURLResponse(
          url: asked, statusCode: 302, httpVersion: "HTTP/1.1",
          headerFields: ["Location": location]))
      var proposed = URLRequest(url: asked)
      for name in ["Authorization", "Cookie", "Proxy-Authorization", "X-Other"] {
        proposed.setValue("secret", forHTTPHeaderField: name)
      }
      return try NetworkRequest.following(response, from: asked, proposed: proposed)
    }
    let near = try following("three")
    XCTAssertEqual(near.url?.absoluteString, "http://a.test/one/three")
    XCTAssertEqual(near.allHTTPHeaderFields?.count, 4)
    let far = try following("http://b.test/")
    XCTAssertEqual(far.allHTTPHeaderFields, ["X-Other": "secret"])
    XCTAssertThrowsError(try following("file:///etc/passwd"))
  }
}
