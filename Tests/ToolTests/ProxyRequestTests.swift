import Foundation
import Strata
import XCTest

@testable import strata_tool

final class ProxyRequestTests: XCTestCase {
  private let origin = URL(string: "http://origin.example:81")!

  private func request(
    _ fields: HeaderFields, target: String = "/", method: String = "GET", isCurrent: Bool = true
  ) -> ProxyRequest {
    ProxyRequest(method: method, target: target, isCurrent: isCurrent, fields: fields)
  }

  func testEndToEndFieldsAreForwarded() throws {
    let fields: HeaderFields = [
      "Host": "127.0.0.1:8080", "Connection": "close, X-Hop", "X-Hop": "1", "Keep-Alive": "1",
      "TE": "trailers", "Proxy-Authorization": "x", "Upgrade": "h2c", "Expect": "100-continue",
      "Authorization": "secret", "A": "1", "a": "2", "Cookie": "a=b", "cookie": "c=d",
      "Accept-Encoding": "br",
    ]
    let forwarded = try request(fields, target: "/a%20b?c=d|e").forwarded(to: origin)
    XCTAssertEqual(forwarded.url?.host, "origin.example")
    XCTAssertEqual(forwarded.url?.path, "/a b")
    let names = Set((forwarded.allHTTPHeaderFields ?? [:]).keys.map { $0.lowercased() })
    XCTAssertEqual(names, ["authorization", "a", "cookie", "accept-encoding", "via"])
    XCTAssertEqual(forwarded.value(forHTTPHeaderField: "A"), "1,2")
    XCTAssertEqual(forwarded.value(forHTTPHeaderField: "Cookie"), "a=b; c=d")
    XCTAssertEqual(forwarded.value(forHTTPHeaderField: "Accept-Encoding"), "br")
    XCTAssertEqual(forwarded.value(forHTTPHeaderField: "Via"), "1.1 strata")
  }

  /// The target keeps the client's bytes, except for bytes that a URL can't contain.
  func testTheTargetIsForwardedAsItWasReceived() throws {
    for (target, url) in [
      ("/list?filter[name]=J%C3%BCrgen", "/list?filter%5Bname%5D=J%C3%BCrgen"),
      ("/\u{10fffc}", "/%FC"), ("/\u{fc}", "/%C3%BC"), ("/a%2Fb|c", "/a%2Fb%7Cc"),
    ] {
      let forwarded = try request([:], target: target).forwarded(to: origin)
      XCTAssertEqual(forwarded.url?.absoluteString, "http://origin.example:81\(url)")
    }
  }

  func testWithoutAcceptEncodingNoCodingIsOffered() throws {
    let forwarded = try request([:]).forwarded(to: origin)
    XCTAssertEqual(forwarded.value(forHTTPHeaderField: "Accept-Encoding"), "identity")
  }

  func testMethodAndBodyAreForwarded() throws {
    var put = request([:], method: "M-SEARCH")
    put.body = Data("abc".utf8)
    let forwarded = try put.forwarded(to: origin)
    XCTAssertEqual(forwarded.httpMethod, "M-SEARCH")
    XCTAssertEqual(forwarded.httpBody, Data("abc".utf8))
  }

  func testAConnectionIsKeptByTheRulesOfItsVersion() {
    XCTAssertTrue(request([:]).keepsConnection)
    XCTAssertFalse(request(["Connection": "Close"]).keepsConnection)
    XCTAssertFalse(request([:], isCurrent: false).keepsConnection)
    XCTAssertTrue(request(["Connection": "keep-alive"], isCurrent: false).keepsConnection)
  }
}
