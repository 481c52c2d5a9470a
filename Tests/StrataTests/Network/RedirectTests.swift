import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

final class RedirectTests: XCTestCase {
  private func following(
    _ location: String?, status: Int = 302, method: String = "GET"
  ) throws -> OutgoingRequest? {
    var request = URLRequest(url: try XCTUnwrap(URL(string: "http://a.test/one/two?q#f")))
    request.httpMethod = method
    request.httpBody = Data([1])
    for name in Redirect.withheldFields + ["X-Key", "X-Other", "Content-Type"] {
      request.setValue("secret", forHTTPHeaderField: name)
    }
    let fields: HeaderFields = location.map { ["Location": $0] } ?? [:]
    return try Redirect.following(
      ResponseHead(status: status, fields: fields), of: OutgoingRequest(request),
      secretFields: ["x-KEY"])
  }

  private func names(_ request: OutgoingRequest?) -> Set<String> {
    Set((request?.fields ?? [:]).map(\.name))
      .subtracting(["User-Agent", "Accept", "Accept-Encoding"])
  }

  func testTheOriginKeepsItsSecrets() throws {
    for location in ["three", "http://A.test:80/one/three", "//a.test/one/three#g"] {
      let near = try following(location)
      XCTAssertEqual(near?.url.path(), "/one/three")
      XCTAssertEqual(
        names(near),
        [
          "Authorization", "Cookie", "Host", "Proxy-Authorization", "X-Key", "X-Other",
          "Content-Type",
        ])
    }
    for location in ["http://b.test/", "https://a.test/", "http://a.test:81/"] {
      XCTAssertEqual(names(try following(location)), ["X-Other", "Content-Type"], location)
    }
  }

  func testCredentialsOfATargetAreDropped() throws {
    let next = try following("http://user:pass@b.test/c")
    XCTAssertEqual(next?.url.absoluteString, "http://b.test/c")
    XCTAssertFalse(next?.fields.contains("Authorization") ?? true)
  }

  /// RFC 9110, section 15.4, defines the method of the redirected request.
  func testTheMethodChangesWhereTheStandardSaysSo() throws {
    for (status, method, next) in [
      (301, "GET", "GET"), (301, "POST", "GET"), (302, "POST", "GET"), (302, "PUT", "PUT"),
      (303, "POST", "GET"), (303, "DELETE", "GET"), (303, "HEAD", "HEAD"), (301, "HEAD", "HEAD"),
      (307, "POST", "POST"), (308, "POST", "POST"), (308, "PUT", "PUT"),
    ] {
      let request = try following("/", status: status, method: method)
      XCTAssertEqual(request?.method, next, "\(status) \(method)")
      let keepsBody = next == method && !(status == 303 && method != "HEAD")
      XCTAssertEqual(request?.body, keepsBody ? Data([1]) : nil, "\(status) \(method)")
      XCTAssertEqual(request?.fields.contains("Content-Type"), keepsBody)
    }
  }

  func testOtherResponsesArentRedirects() throws {
    for status in [200, 201, 300, 304, 305, 306, 309, 404] {
      XCTAssertNil(try following("/", status: status))
    }
    XCTAssertNil(try following(nil))
    XCTAssertNil(try following(""))
  }

  /// The target keeps the bytes of the location, except for bytes that a URL can't have.
  func testATargetIsWhatWasReceived() throws {
    for (location, url) in [
      ("/list?filter[name]=J%C3%BCrgen", "http://a.test/list?filter%5Bname%5D=J%C3%BCrgen"),
      ("/\u{10fffc}", "http://a.test/%FC"), ("/\u{fc}", "http://a.test/%C3%BC"),
      ("?a b", "http://a.test/one/two?a%20b"), ("#g", "http://a.test/one/two?q"),
      ("../x/./y", "http://a.test/x/y"), ("//b\u{fc}.test/c", "http://xn--b-eha.test/c"),
    ] {
      XCTAssertEqual(try following(location)?.url.absoluteString, url, location)
    }
  }

  func testARefusalNamesTheFault() {
    for (location, part) in [
      ("http://::1:80/", "brackets"), ("http://b.test:0/", "port"), ("//a%20b/", "punycode"),
    ] {
      XCTAssertThrowsError(try following(location), location) { error in
        guard case NetworkError.Reason.refusedURL(let fault) = error else { return XCTFail() }
        XCTAssertTrue(fault.contains(part), fault)
      }
    }
  }

  func testTargetsThatMustNotBeRequestedAreRefused() {
    for location in ["file:///etc/passwd", "//a%20b/", "http:", "data:,x"] {
      XCTAssertThrowsError(try following(location), location)
    }
  }
}
