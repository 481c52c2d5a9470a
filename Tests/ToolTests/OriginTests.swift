import Foundation
import Strata
import XCTest

@testable import strata_tool

final class OriginTests: XCTestCase {
  private let pages = Pages(contents: ["/a": "the page a", "/ä b": "spaced"])

  func testARequestIsReadOrRefused() {
    XCTAssertEqual(path("GET /a HTTP/1.1\r\nHost: x"), "/a")
    XCTAssertEqual(path("GET /a?b=/c HTTP/1.0"), "/a")
    XCTAssertEqual(path("GET /%C3%A4%20b HTTP/1.1"), "/ä b")
    for line in [
      "", "GET /a", "GET a HTTP/1.1", "GET /a HTTP/2", "GET  /a HTTP/1.1", "GET /%zz HTTP/1.1",
    ] {
      XCTAssertNil(path(line), line)
    }
  }

  func testAResponseHasThePage() {
    XCTAssertEqual(status("GET /a HTTP/1.1"), "200 OK")
    XCTAssertEqual(status("GET /b HTTP/1.1"), "404 Not Found")
    XCTAssertEqual(status("PUT /a HTTP/1.1"), "405 Method Not Allowed")
    XCTAssertEqual(status("hello"), "400 Bad Request")
    let answer = OriginResponse(to: OriginRequest("GET /a HTTP/1.1".utf8), from: pages).bytes
    let text = String(decoding: answer, as: UTF8.self)
    XCTAssertTrue(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
    XCTAssertTrue(text.contains("\r\nContent-Length: 10\r\n"))
    XCTAssertTrue(text.hasSuffix("\r\n\r\nthe page a"))
  }

  func testNoPathLeadsOutOfThePages() {
    let project = Pages.ofProject(near: [Self.project])
    XCTAssertNotNil(project["/Sources/StrataCore/Core/Algebra/Cache.swift"])
    let paths = [
      "/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd",
      "//etc/passwd",
      "/Sources/../Package.swift", "/./Package.swift", "/Sources", "/.git/config", "/etc/passwd",
      "/Package.swift%00.txt",
    ]
    for path in paths {
      let request = OriginRequest("GET \(path) HTTP/1.1".utf8)
      XCTAssertEqual(OriginResponse(to: request, from: project).status, "404 Not Found", path)
    }
  }

  func testPagesAreBuiltInWithoutAProject() {
    let pages = Pages.ofProject(near: [URL(fileURLWithPath: "/")])
    XCTAssertEqual(pages.contents, Pages.builtIn)
  }

  func testADirectoryIsServedWithoutHiddenFilesAndLinks() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let manager = FileManager.default
    let inner = directory.url.appendingPathComponent("a b")
    try manager.createDirectory(at: inner, withIntermediateDirectories: true)
    XCTAssertThrowsError(try Pages.ofFolder(directory.url.path))
    try Data("one".utf8).write(to: inner.appendingPathComponent("one.json"))
    try Data([0xFF, 0xFE]).write(to: inner.appendingPathComponent("bytes"))
    try Data("hidden".utf8).write(to: directory.url.appendingPathComponent(".hidden"))
    try manager.createSymbolicLink(
      at: directory.url.appendingPathComponent("out"),
      withDestinationURL: URL(fileURLWithPath: "/etc/hostname"))
    try Data().write(to: inner.appendingPathComponent("empty"))
    let pages = try Pages.ofFolder(directory.url.path)
    XCTAssertEqual(pages.contents, ["/a b/one.json": "one", "/a b/empty": ""])
    let answer = OriginResponse(to: OriginRequest("GET /a%20b/empty HTTP/1.1".utf8), from: pages)
    XCTAssertEqual([answer.status, answer.body], ["200 OK", ""])
    XCTAssertThrowsError(try Pages.ofFolder(directory.url.path + "/no"))
  }

  func testAnOriginServesAndCountsAndStops() async throws {
    let origin = try Origin(serving: pages, delay: .zero)
    defer { origin.stop() }
    let network: Fetcher<URL, String> = .network(deadline: .seconds(300)) <*> .utf8
    let page = try await network.value(for: origin.url("/a"))
    XCTAssertEqual(page, "the page a")
    let absent = try await network.findValue(for: origin.url("/%C3%A4"))
    XCTAssertNil(absent)
    XCTAssertEqual(origin.requests, 2)
    origin.stop()
    origin.stop()
    do {
      _ = try await network.value(for: origin.url("/a"))
      XCTFail("a stopped origin answered")
    } catch { XCTAssertFalse(error.isMiss) }
    XCTAssertEqual(origin.requests, 2)
  }

  private func path(_ head: String) -> String? { OriginRequest(head.utf8)?.path }

  private func status(_ head: String) -> String {
    OriginResponse(to: OriginRequest(head.utf8), from: pages).status
  }

  private static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
}
