import Foundation
import Strata
import StrataHTTP
import XCTest

@testable import strata_tool

final class ProxyTests: XCTestCase {
  let lines = Lock<[String]>([])

  /// Runs a proxy in front of an origin. The closure `reply` returns the origin's responses. The
  /// origin sends the given interim responses before each response.
  func withProxy(
    after interim: [NetworkResponse.Interim] = [],
    storedIn store: Cache<String, Data> = .memory(),
    _ reply: @escaping @Sendable (URLRequest) throws -> (Int, HeaderFields, String),
    _ body: (Proxy) throws -> Void
  ) throws {
    let origin = Fetcher<URLRequest, NetworkResponse> { request throws -> NetworkResponse in
      let (status, fields, text) = try reply(request)
      let now = TimeSource.system.now()
      var response = NetworkResponse(
        status: status, fields: fields, body: Data(text.utf8), url: request.url!,
        requestTime: now, responseTime: now)
      response.interim = interim
      return response
    }
    let cache = HTTPCache(storedIn: store, from: origin)
    let lines = lines
    let handler = ProxyHandler(cache, origin: URL(string: "http://origin.example")!) { line in
      lines.withLock { $0.append(line) }
    }
    let proxy = try Proxy(handler, port: 0)
    defer { proxy.stop() }
    try body(proxy)
  }

  func testAResponseIsCachedAndReported() throws {
    try withProxy { request in
      (
        200,
        ["Cache-Control": "max-age=60", "A": "1", "a": "2", "Connection": "A-Hop", "A-Hop": "x"],
        request.url!.path
      )
    } _: { proxy in
      let client = try ProxyClient(proxy.port)
      let first = try client.exchange("GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n")
      XCTAssertEqual(first.status, 200)
      XCTAssertEqual(first.body, "/x")
      XCTAssertEqual(first.fields.values(of: "A"), ["1", "2"])
      XCTAssertNil(first.fields["A-Hop"])
      XCTAssertNotNil(first.fields["Date"])
      XCTAssertEqual(
        first.fields["Cache-Status"], "strata; fwd=uri-miss; fwd-status=200; stored")
      let second = try client.exchange("GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n")
      XCTAssertEqual(second.body, "/x")
      XCTAssertEqual(second.fields["Cache-Status"]?.hasPrefix("strata; hit; ttl="), true)
      XCTAssertNotNil(second.fields["Age"])
    }
    let kinds = lines.withLock { $0 }.map { $0.prefix { $0 != " " } }
    XCTAssertEqual(kinds, ["miss", "hit"])
  }

  /// According to RFC 9110, section 5.5, a proxy doesn't forward control characters.
  func testControlCharactersOfTheOriginAreReplaced() throws {
    try withProxy { _ in
      (200, ["A": "a\u{1}b\tc\u{7F}d"], "x")
    } _: { proxy in
      let client = try ProxyClient(proxy.port)
      let response = try client.exchange("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
      XCTAssertEqual(response.fields["A"], "a b\tc d")
    }
  }

  func testPipelinedRequestsAreAnsweredInOrder() throws {
    try withProxy { request in
      (200, [:], request.url!.path)
    } _: { proxy in
      let client = try ProxyClient(proxy.port)
      client.send((1...20).map { "GET /\($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }.joined())
      for index in 1...20 { XCTAssertEqual(try client.response().body, "/\(index)") }
    }
  }

  func testABodyIsForwardedAfterContinue() throws {
    try withProxy { request in
      (200, [:], "\(request.httpMethod!) \(String(decoding: request.httpBody!, as: UTF8.self))")
    } _: { proxy in
      let client = try ProxyClient(proxy.port)
      client.send(
        "PUT / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n"
      )
      XCTAssertEqual(try client.response().status, 100)
      client.send("3\r\nabc\r\n0\r\n\r\n")
      XCTAssertEqual(try client.response().body, "PUT abc")
    }
  }

  func testHeadAndNotModifiedHaveNoBody() throws {
    try withProxy { request in
      (
        200, ["Cache-Control": "max-age=60", "ETag": "\"1\"", "Content-Length": "5"],
        request.httpMethod == "HEAD" ? "" : "12345"
      )
    } _: { proxy in
      let client = try ProxyClient(proxy.port)
      let head = try client.exchange("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n", isHead: true)
      XCTAssertEqual(head.fields["Content-Length"], "5")
      XCTAssertEqual(try client.exchange("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").body, "12345")
      let unmodified = try client.exchange(
        "GET / HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: \"1\"\r\n\r\n")
      XCTAssertEqual(unmodified.status, 304)
      XCTAssertEqual(try client.exchange("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").body, "12345")
    }
  }

  /// According to RFC 9110, section 15.2, a proxy forwards interim responses, but not to HTTP/1.0
  /// clients.
  func testInterimResponsesAreForwardedAndNotStored() throws {
    let hints = NetworkResponse.Interim(status: 103, fields: ["Link": "</a>", "Connection": "x"])
    try withProxy(after: [.init(status: 102, fields: [:]), hints]) { _ in
      (200, ["Cache-Control": "max-age=1", "ETag": "\"1\""], "x")
    } _: { proxy in
      let client = try ProxyClient(proxy.port)
      XCTAssertEqual(try client.exchange("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 102)
      let second = try client.response()
      XCTAssertEqual(second.status, 103)
      XCTAssertEqual(second.fields, ["Link": "</a>"])
      XCTAssertEqual(try client.response().body, "x")
      XCTAssertEqual(try client.exchange("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").body, "x")
      let old = try ProxyClient(proxy.port)
      XCTAssertEqual(try old.exchange("GET /old HTTP/1.0\r\n\r\n").status, 200)
    }
  }

  func testAnOldClientGetsAClosedConnection() throws {
    try withProxy { _ in
      (200, [:], "x")
    } _: { proxy in
      let client = try ProxyClient(proxy.port)
      let response = try client.exchange("GET / HTTP/1.0\r\n\r\n")
      XCTAssertEqual(response.fields["Connection"], "close")
      XCTAssertThrowsError(try client.response())
    }
  }

  func testAMalformedRequestIsRefusedAndTheConnectionClosed() throws {
    try withProxy { _ in
      (200, [:], "x")
    } _: { proxy in
      for (text, status) in [
        ("nonsense\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n", 413),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
        ("CONNECT x:1 HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
        ("GET /\(String(repeating: "x", count: 70_000)) HTTP/1.1\r\n\r\n", 431),
      ] {
        let client = try ProxyClient(proxy.port)
        XCTAssertEqual(try client.exchange(text).status, status)
        XCTAssertThrowsError(try client.response())
      }
    }
  }

  func testAResponseThatTheStoreRefusesIsNotReportedAsStored() throws {
    struct Full: Error {}
    let store = Cache<String, Data>(
      get: { _ in .miss }, set: { _, _ in Promise(error: Full()) }, remove: { _ in Promise() },
      clear: { Promise() })
    try withProxy(storedIn: store) { _ in
      (200, ["Cache-Control": "max-age=60"], "x")
    } _: { proxy in
      let client = try ProxyClient(proxy.port)
      let response = try client.exchange("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
      XCTAssertEqual(
        response.fields["Cache-Status"],
        "strata; fwd=uri-miss; fwd-status=200; detail=store-failed")
    }
    let lines = lines.withLock { $0 }
    XCTAssertTrue(
      lines.first?.hasSuffix("no stored response, not stored, Full()") == true, "\(lines)")
  }

  func testAFailingOriginIsA502() throws {
    struct Down: Error {}
    try withProxy { _ in
      throw Down()
    } _: { proxy in
      let client = try ProxyClient(proxy.port)
      XCTAssertEqual(try client.exchange("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 502)
      XCTAssertEqual(try client.exchange("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 502)
    }
  }

  func testManyConnectionsAreServedAtATime() throws {
    try withProxy { request in
      (200, ["Cache-Control": "max-age=60"], request.url!.path)
    } _: {
      proxy in
      let clients = try (0..<200).map { _ in try ProxyClient(proxy.port) }
      for round in 0..<3 {
        for client in clients { client.send("GET /\(round) HTTP/1.1\r\nHost: localhost\r\n\r\n") }
        for client in clients { XCTAssertEqual(try client.response().body, "/\(round)") }
      }
    }
  }

  func testAStopClosesIdleConnectionsAndThePort() throws {
    try withProxy { _ in
      (200, [:], "x")
    } _: { proxy in
      let client = try ProxyClient(proxy.port)
      XCTAssertEqual(try client.exchange("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").body, "x")
      proxy.stop()
      XCTAssertThrowsError(try client.response())
      XCTAssertThrowsError(try ProxyClient(proxy.port))
    }
  }
}
