import XCTest

@testable import Strata
@testable import StrataExplain
@testable import strata_tool

final class StatusServerTests: XCTestCase {
  private let page = { @Sendable in StatusPage(of: Cache<Int, Int>.memory().plan, []) }

  private func response(_ head: String) -> String {
    let head = head.replacing("\n", with: "\r\n")
    return String(decoding: StatusServer.response(to: Array(head.utf8), page), as: UTF8.self)
  }

  func testThePageIsServedToThisMachine() {
    for host in ["127.0.0.1:80", "localhost", "[::1]:9"] {
      let response = response("GET / HTTP/1.1\nHost: \(host)")
      XCTAssert(response.hasPrefix("HTTP/1.1 200 OK\r\n"), response)
      XCTAssert(response.contains("Content-Type: text/html; charset=utf-8\r\n"))
      XCTAssert(response.contains("Cache-Control: no-store\r\n"))
      XCTAssert(response.hasSuffix("</html>\n"))
    }
  }

  func testOtherRequestsAreRefused() {
    for (head, status) in [
      ("GET / HTTP/1.1\nHost: evil.example", "403"), ("GET / HTTP/1.1", "403"),
      ("GET / HTTP/1.1\nHost: localhost\nHost: evil.example", "403"),
      ("POST / HTTP/1.1\nHost: localhost", "405"), ("GET /a HTTP/1.1\nHost: localhost", "404"),
      ("nonsense", "400"),
    ] {
      XCTAssert(response(head).hasPrefix("HTTP/1.1 \(status) "), head)
    }
  }

  func testALivePageShowsWhatTheProxyDid() throws {
    let cache = Cache<Int, Int>.memory()
    let status = LiveStatus(of: cache.plan, title: "Proxy") {
      [.init(stage: "disk", name: "bytes", value: 1, limit: 2)]
    }
    for kind in ["hit", "hit", "hit", "miss", "failed"] { status.count(kind, .milliseconds(3)) }
    let page = status.page
    XCTAssertEqual(page.reloadInterval, StatusServer.interval)
    let totals = PageTotals(page.plan, page.reports.last)
    XCTAssertEqual([totals.gets, totals.answered], [5, 4])
    XCTAssertEqual(totals.loads, 2)
    XCTAssert(page.html.contains("1 of 2 (50 %)"))
  }

  func testThePageOfAProxyShowsTheGaugesOfItsCache() throws {
    let folder = try TemporaryDirectory()
    defer { folder.remove() }
    let options = try ProxyOptions(
      ["http://127.0.0.1:1", "--folder", folder.url.path, "--capacity", "1000000"])
    let cache = try options.cache(in: options.storage())
    let gauges = options.liveStatus(of: cache).page.reports.last?.gauges ?? []
    XCTAssertEqual(
      gauges.first { $0.stage == "disk(1 MB)" && $0.name == "bytes" }?.limit, 1_000_000)
    XCTAssertEqual(gauges.first { $0.stage == "network" && $0.name == "running" }?.value, 0)
  }

  func testAServerAnswersOnItsPort() throws {
    let server = try StatusServer(port: 0, page: page)
    defer { server.stop() }
    XCTAssert(server.address.hasPrefix("http://127.0.0.1:"))
  }
}
