import Foundation
import Strata
import XCTest

@testable import strata_tool

final class ProxyHostsTests: XCTestCase {
  private func fault(
    _ fields: HeaderFields, authority: String? = nil, others: Set<String> = []
  ) -> ProxyFault? {
    let request = ProxyRequest(
      method: "GET", target: "/", authority: authority, isCurrent: true, fields: fields)
    do { try ProxyHosts(others: others).check(request) } catch { return error as? ProxyFault }
    return nil
  }

  func testEveryNameOfThisMachineIsAccepted() {
    for host in [
      "localhost", "LocalHost:8080", "localhost.", "a.localhost", "a.b.localhost:1", "127.0.0.1",
      "127.1.2.3:65535", "[::1]", "[::1]:8080", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]",
      "localhost:",
    ] { XCTAssertNil(fault(["Host": host]), host) }
    XCTAssertNil(fault([:]), "A client that uses HTTP/1.0 needn't send Host.")
  }

  func testEveryOtherNameIsRefused() {
    for host in [
      "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example",
      "notlocalhost", ".localhost", "a..localhost", "0.0.0.0", "128.0.0.1", "192.168.0.1", "127.1",
      "2130706433", "0x7f000001", "[::]", "[::2]", "[fe80::1]", "[::ffff:10.0.0.1]", "127.0.0.1.",
      "origin.example", "localhosts", "xn--localhost",
    ] { XCTAssertEqual(fault(["Host": host])?.status, 403, host) }
    for host in [
      "", ":80", "localhost:x", "localhost:99999", "localhost:80:80", "evil@localhost",
      "localhost/evil", "localhost, evil.example", "localhost evil", "[::1", "[::1]evil", "löcal",
      "localhost#", "local%68ost",
    ] { XCTAssertEqual(fault(["Host": host])?.status, 400, host) }
  }

  func testATargetInAbsoluteFormIsCheckedToo() {
    XCTAssertNil(fault(["Host": "localhost"], authority: "127.0.0.1:8080"))
    XCTAssertEqual(
      fault(["Host": "localhost"], authority: "evil.example"), .refusedHost("evil.example"))
    XCTAssertEqual(
      fault(["Host": "evil.example"], authority: "localhost"), .refusedHost("evil.example"))
    XCTAssertEqual(fault(["Host": "localhost"], authority: "")?.status, 400)
  }

  func testAnOptionAllowsMoreNames() {
    XCTAssertNil(fault(["Host": "Dev.Example:8080"], others: ["dev.example"]))
    XCTAssertEqual(
      fault(["Host": "x.dev.example"], others: ["dev.example"]), .refusedHost("x.dev.example"))
  }

  func testAPageOfAnotherMachineIsRefused() {
    for page in [
      "http://localhost:3000", "https://a.localhost", "http://127.0.0.1", "http://[::1]:1",
    ] {
      XCTAssertNil(fault(["Host": "localhost", "Origin": page]), page)
    }
    for page in [
      "https://evil.example", "null", "", "http://localhost.evil.example", "file://",
      "http://localhost, https://evil.example", "http://localhost@evil.example",
    ] {
      XCTAssertEqual(fault(["Host": "localhost", "Origin": page]), .refusedPage(page), page)
    }
    XCTAssertNil(fault(["Origin": "https://dev.example"], others: ["dev.example"]))
    let cross: HeaderFields = ["Host": "localhost", "Sec-Fetch-Site": "cross-site"]
    XCTAssertEqual(fault(cross)?.status, 403)
    var link = cross
    link["Sec-Fetch-Mode"] = "navigate"
    XCTAssertNil(fault(link))
    var image = cross
    image["Referer"] = "http://localhost:3000/page"
    XCTAssertNil(fault(image))
    XCTAssertNil(fault(["Host": "localhost", "Sec-Fetch-Site": "same-origin"]))
  }
}

extension ProxyTests {
  /// A web page can give its own name the address 127.0.0.1 (DNS rebinding).
  func testAWebPageCannotReadTheCache() throws {
    try withProxy { _ in
      (200, ["Cache-Control": "max-age=60"], "secret")
    } _: { proxy in
      XCTAssertEqual(
        try ProxyClient(proxy.port).exchange("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").body,
        "secret")
      for (head, status) in [
        ("GET / HTTP/1.1\r\nHost: evil.example:\(proxy.port)\r\n", 403),
        ("GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n", 403),
        ("GET http://localhost/ HTTP/1.1\r\nHost: evil.example\r\n", 403),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\n", 403),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n", 400),
        ("GET / HTTP/1.1\r\n", 400), ("GET / HTTP/1.1\r\nHost:\r\n", 400),
      ] {
        let client = try ProxyClient(proxy.port)
        let response = try client.exchange(head + "\r\n")
        XCTAssertEqual(response.status, status, head)
        XCTAssertFalse(response.body.contains("secret"), head)
        if status == 403 { XCTAssertTrue(response.body.contains("--host"), response.body) }
        XCTAssertThrowsError(try client.response())
      }
      XCTAssertEqual(
        try ProxyClient(proxy.port).exchange(
          "GET http://127.0.0.1/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
        ).body, "secret")
    }
    XCTAssertEqual(lines.withLock { $0 }.filter { $0.hasPrefix("refused     ") }.count, 7)
  }

  func testTheLogHasNoControlCharacters() throws {
    try withProxy { _ in
      (200, [:], "x")
    } _: { proxy in
      let client = try ProxyClient(proxy.port)
      _ = try client.exchange("GET /\u{9B}31m HTTP/1.1\r\nHost: localhost\r\n\r\n")
    }
    XCTAssertTrue(lines.withLock { $0 }.first?.contains("/?31m") == true)
  }
}
