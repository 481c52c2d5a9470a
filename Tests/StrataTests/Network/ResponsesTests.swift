import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

/// Tests whole responses for any method and status, including their fields, times, and final URL.
final class ResponsesTests: NetworkCase {
  func testEveryMethodAndBodyIsSent() async throws {
    try await onEachTransport {
      let origin = try KeptOrigin { request in
        .init(fields: "X-Method: \(request.method)\r\n", text: "\(request.body.count)")
      }
      defer { origin.stop() }
      let session = makeSession()
      for (method, body) in [
        ("GET", nil), ("POST", "a=b"), ("POST", ""), ("PUT", "{}"), ("DELETE", nil), ("PATCH", "x"),
        ("OPTIONS", nil), ("PROPFIND", "<a/>"),
      ] {
        var request = URLRequest(url: origin.url("/a?b=c"))
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        let response = try await response(to: request, session: session).get()
        XCTAssertEqual(response.status, 200)
        XCTAssertEqual(response.fields["X-Method"], method)
        XCTAssertEqual(String(decoding: response.body, as: UTF8.self), "\(body?.utf8.count ?? 0)")
        XCTAssertEqual(origin.requests.last?.target, "/a?b=c")
        guard usesCurl else { continue }
        XCTAssertNil(origin.requests.last?.headers["content-type"], method)
        XCTAssertNil(origin.requests.last?.headers["expect"], method)
      }
    }
  }

  func testALargeBodyIsSent() async throws {
    try await onEachTransport {
      let origin = try KeptOrigin(records: false) { .init(text: "\($0.body.count)") }
      defer { origin.stop() }
      var request = URLRequest(url: origin.url())
      request.httpMethod = "POST"
      request.httpBody = Data(count: 3 << 20)
      let response = try await response(to: request).get()
      XCTAssertEqual(String(decoding: response.body, as: UTF8.self), "\(3 << 20)")
    }
  }

  func testAResponseToHeadHasFieldsAndNoBody() async throws {
    try await onEachTransport {
      let origin = try LoopbackOrigin { _ in
        .respond(headers: ["Content-Length": "9", "ETag": "1"])
      }
      defer { origin.stop() }
      var request = URLRequest(url: origin.url())
      request.httpMethod = "HEAD"
      let response = try await response(to: request).get()
      XCTAssertEqual(response.fields["Content-Length"], "9")
      XCTAssertEqual(response.fields["etag"], "1")
      XCTAssertEqual(response.body, Data())
    }
  }

  func testEveryStatusIsAValue() async throws {
    try await onEachTransport {
      for status in [200, 204, 206, 304, 400, 401, 404, 410, 500, 599] {
        let body = status == 204 || status == 304 ? "" : "x"
        let origin = try LoopbackOrigin { _ in
          .respond(status: status, headers: ["X-A": "b"], body: body)
        }
        defer { origin.stop() }
        let response = try await response(to: URLRequest(url: origin.url())).get()
        XCTAssertEqual(response.status, status)
        XCTAssertEqual(response.fields["x-a"], "b")
        guard usesCurl || status != 401 else { continue }
        XCTAssertEqual(response.body, Data(body.utf8), "\(status)")
      }
    }
  }

  func testARedirectIsAValueIfNoneIsFollowed() async throws {
    try await onEachTransport {
      let origin = try LoopbackOrigin { _ in
        .respond(status: 301, headers: ["Location": "/b"], body: "moved")
      }
      defer { origin.stop() }
      let response = try await response(
        to: URLRequest(url: origin.url("/a")), redirects: 0
      ).get()
      XCTAssertEqual(response.status, 301)
      XCTAssertEqual(response.fields["Location"], "/b")
      XCTAssertEqual(response.url, origin.url("/a"))
      if usesCurl { XCTAssertEqual(response.body, Data("moved".utf8)) }
    }
  }

  func testTheFinalURLIsTheLastOfTheRedirects() async throws {
    try await onEachTransport {
      let origin = try LoopbackOrigin { request in
        request.path == "/a" ? .respond(status: 301, headers: ["Location": "b"]) : .respond()
      }
      defer { origin.stop() }
      let response = try await response(to: URLRequest(url: origin.url("/a"))).get()
      XCTAssertEqual(response.url, origin.url("/b"))
    }
  }

  func testTimesAreThoseOfTheClock() async throws {
    let (time, clock) = TimeSource.manual()
    let origin = try LoopbackOrigin { request in
      clock.advance(by: .seconds(5))
      return request.path == "/a"
        ? .respond(status: 302, headers: ["Location": "/b"]) : .respond(body: "x")
    }
    defer { origin.stop() }
    let start = time.now()
    let responses: Fetcher<URLRequest, NetworkResponse> = .responses(clock: time)
    let response = try await responses.value(for: URLRequest(url: origin.url("/a")))
    XCTAssertEqual(
      start.duration(to: response.requestTime), .seconds(5), "The last request should count.")
    XCTAssertEqual(start.duration(to: response.responseTime), .seconds(10))
  }

  func testRepeatedFieldsStayApart() async throws {
    let origin = try LoopbackOrigin { _ in
      .raw(
        Array(
          "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nVary: A\r\nset-cookie: b=2\r\nVary: B\r\n\r\n".utf8
        ))
    }
    defer { origin.stop() }
    let response = try await response(to: URLRequest(url: origin.url())).get()
    guard usesCurl else { return }
    XCTAssertEqual(response.fields.values(of: "Set-Cookie"), ["a=1", "b=2"])
    XCTAssertEqual(response.fields["Vary"], "A, B")
  }
}
