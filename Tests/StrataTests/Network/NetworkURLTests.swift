import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

final class NetworkURLTests: XCTestCase {
  private func url(_ text: String) throws -> URL { try XCTUnwrap(URL(string: text), text) }

  func testAnOriginIsSchemeHostAndPort() throws {
    func same(_ one: String, _ other: String) throws -> Bool {
      NetworkURL.haveSameOrigin(try url(one), try url(other))
    }
    XCTAssertTrue(try same("http://A.test/x", "HTTP://a.test:80/y"))
    XCTAssertTrue(try same("https://a.test:443/", "https://a.test/"))
    XCTAssertFalse(try same("http://a.test/", "https://a.test/"))
    XCTAssertFalse(try same("http://a.test/", "http://b.test/"))
    XCTAssertFalse(try same("http://a.test/", "http://a.test:81/"))
    XCTAssertFalse(try same("http://a.test:443/", "https://a.test:443/"))
  }

  func testOnlyAPortOf16BitsIsPermitted() throws {
    for (port, isPermitted) in [(0, false), (1, true), (65_535, true), (65_536, false)] {
      let url = try url("http://a.test:\(port)/")
      XCTAssertEqual(NetworkURL.permitted(url) != nil, isPermitted, "\(port)")
    }
  }

  func testOnlyHTTPWithAValidHostIsPermitted() throws {
    for text in [
      "file:///etc/passwd", "ftp://a.test/", "http:///x", "http:x", "data:,x", "/x",
      "http://a%20b/", "http://%00/", "http://a.test:0/", "http://a.test:70000/",
    ] {
      XCTAssertNil(NetworkURL.permitted(URL(string: text)), text)
    }
    XCTAssertNil(NetworkURL.permitted(nil))
    for text in ["http://a.test/%20", "http://[::1]:80/", "https://xn--e1afmkfd.test/?a#b"] {
      XCTAssertEqual(NetworkURL.permitted(URL(string: text))?.absoluteString, text)
    }
    let upper = NetworkURL.permitted(URL(string: "HTTPS://a.test/X"))
    XCTAssertEqual(upper?.absoluteString, "https://a.test/X")
  }

  func testCredentialsLeaveTheURL() throws {
    let url = try url("http://us%40er:pa%3Ass@a.test:81/b%20c?d=e#f")
    XCTAssertEqual(
      NetworkURL.withoutCredentials(url).absoluteString, "http://a.test:81/b%20c?d=e")
    let encoded = Data("us@er:pa:ss".utf8).base64EncodedString()
    XCTAssertEqual(NetworkURL.basicAuthorization(url), "Basic \(encoded)")
    XCTAssertNil(NetworkURL.basicAuthorization(try self.url("http://a.test/")))
    for text in ["http://user@a.test/", "http://:pass@a.test/", "http://a.test/#b"] {
      let bare = NetworkURL.withoutCredentials(try self.url(text))
      XCTAssertEqual(bare.absoluteString, "http://a.test/", text)
    }
  }
}
