import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

/// Tests which responses are values, which are misses, and which are failures.
final class NetworkValueTests: NetworkCase {
  private let ok = "HTTP/1.1 200 OK\r\nConnection: close\r\n"

  func testTheBodyOfACompleteSuccessIsTheValue() async throws {
    try await onEachTransport {
      let result = try await value(from: .respond(body: "hello"))
      XCTAssertEqual(result.text, "hello")
    }
  }

  func testAnEmptyBodyIsAValue() async throws {
    try await onEachTransport {
      let result = try await value(from: .respond(body: ""))
      XCTAssertEqual(result.text, "")
    }
  }

  func testChunksAreTheBody() async throws {
    try await onEachTransport {
      let result = try await value(
        ofBytes: ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
      XCTAssertEqual(result.text, "abcde")
    }
  }

  /// According to RFC 9112, section 8, a body without a length is complete when the connection ends
  /// without an error.
  func testABodyWithoutALengthEndsWithTheConnection() async throws {
    try await onEachTransport {
      let result = try await value(ofBytes: ok + "\r\nabc")
      XCTAssertEqual(result.text, "abc")
    }
  }

  func testAnInterimResponseIsDropped() async throws {
    try await onEachTransport {
      let result = try await value(
        ofBytes: "HTTP/1.1 103 Early Hints\r\n\r\n" + ok + "Content-Length: 2\r\n\r\nab")
      XCTAssertEqual(result.text, "ab")
    }
  }

  func testInterimResponsesLeaveNothing() async throws {
    let interim = [100, 102, 103, 199].map {
      "HTTP/1.1 \($0) Interim\r\nETag: \"0\"\r\nCache-Control: no-store\r\n\r\n"
    }
    let bytes = Array((interim.joined() + ok + "Content-Length: 2\r\n\r\nab").utf8)
    let origin = try LoopbackOrigin { _ in .raw(bytes) }
    defer { origin.stop() }
    let result = await response(to: URLRequest(url: origin.url()))
    XCTAssertEqual(try result.get().body, Data("ab".utf8))
    XCTAssertEqual(try result.get().fields.map(\.name), ["Connection", "Content-Length"])
  }

  func testOnlyCompleteSuccessesAreValues() async throws {
    try await onEachTransport {
      for status in [200, 201, 202, 203, 226] {
        let result = try await value(from: .respond(status: status, body: "x"))
        XCTAssertEqual(result.text, "x", "\(status)")
      }
      for status in [204, 206, 300, 304, 400, 401, 403, 404, 410, 416, 429, 500, 503] {
        let body = status == 204 || status == 304 ? "" : "x"
        let result = try await value(from: .respond(status: status, body: body))
        XCTAssertEqual(result.kind, "status", "\(status)")
        XCTAssertEqual(result.failure?.status, status)
      }
    }
  }

  func testOnlyNotFoundAndGoneAreMisses() async throws {
    try await onEachTransport {
      for status in [404, 410] {
        let result = try await value(from: .respond(status: status, body: "x"))
        XCTAssertEqual(result.failure?.isMiss, true, "\(status)")
      }
      for status in [204, 206, 304, 400, 401, 403, 500, 503] {
        let result = try await value(from: .respond(status: status))
        XCTAssertEqual(result.failure?.isMiss, false, "\(status)")
      }
    }
  }

  /// If the level didn't refuse a server's request for credentials, Foundation on Linux would wait
  /// for them forever.
  func testARequestForCredentialsIsAFailure() async throws {
    try await onEachTransport {
      for challenge in ["Basic realm=\"x\"", "Digest realm=\"x\"", "Nonsense"] {
        let result = try await value(
          from: .respond(status: 401, headers: ["WWW-Authenticate": challenge]))
        XCTAssertEqual(result.kind, "status", challenge)
        XCTAssertEqual(result.failure?.status, 401, challenge)
      }
    }
  }

  func testAResponseToHeadHasNoBody() async throws {
    try await onEachTransport {
      let origin = try LoopbackOrigin { _ in .respond(headers: ["Content-Length": "9"]) }
      defer { origin.stop() }
      var request = URLRequest(url: origin.url())
      request.httpMethod = "HEAD"
      let result = await value(of: request)
      XCTAssertEqual(result.text, "")
      XCTAssertEqual(origin.requests.map(\.method), ["HEAD"])
    }
  }

  func testAnErrorCarriesURLStatusAndResponse() async throws {
    try await onEachTransport {
      let origin = try LoopbackOrigin { _ in .respond(status: 503, headers: ["Retry-After": "7"]) }
      defer { origin.stop() }
      let error = await value(of: URLRequest(url: origin.url("/busy"))).failure
      XCTAssertEqual(error?.url, origin.url("/busy"))
      XCTAssertEqual(error?.status, 503)
      XCTAssertEqual(error?.response?.fields["Retry-After"], "7")
    }
  }

  func testAnUnreachableOriginIsATransportError() async throws {
    try await onEachTransport {
      let origin = try LoopbackOrigin { _ in .respond() }
      origin.stop()
      let result = await value(of: URLRequest(url: origin.url()))
      XCTAssertEqual(result.kind, "transport")
    }
  }
}
