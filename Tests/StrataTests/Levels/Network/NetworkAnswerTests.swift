import Foundation
import XCTest

@testable import Strata

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Which answers are kept, which are misses, and which are refused.
final class NetworkAnswerTests: NetworkCase {
  private let ok = "HTTP/1.1 200 OK\r\nConnection: close\r\n"

  func testCompleteAnswerIsTheBody() async throws {
    let result = try await ask(answering: .respond(body: "hello"))
    XCTAssertEqual(result.text, "hello")
  }

  func testEmptyBodyIsAnAnswer() async throws {
    let result = try await ask(answering: .respond(body: ""))
    XCTAssertEqual(result.text, "")
  }

  func testChunkedAnswerIsTheBody() async throws {
    let result = try await ask(
      sending: ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
    XCTAssertEqual(result.text, "abcde")
  }

  /// RFC 9112, section 8: such a body is complete when the connection ends without an error.
  func testBodyWithoutLengthEndsWithTheConnection() async throws {
    let result = try await ask(sending: ok + "\r\nabc")
    XCTAssertEqual(result.text, "abc")
  }

  func testInterimAnswerIsPassedOver() async throws {
    let result = try await ask(
      sending: "HTTP/1.1 103 Early Hints\r\n\r\n" + ok + "Content-Length: 2\r\n\r\nab")
    XCTAssertEqual(result.text, "ab")
  }

  func testOnlyCompleteSuccessesAreAnswers() async throws {
    for status in [200, 201, 202, 203, 226] {
      let result = try await ask(answering: .respond(status: status, body: "x"))
      XCTAssertEqual(result.text, "x", "\(status)")
    }
    for status in [204, 206, 300, 304, 400, 401, 403, 404, 410, 416, 429, 500, 503] {
      let body = status == 204 || status == 304 ? "" : "x"
      let result = try await ask(answering: .respond(status: status, body: body))
      XCTAssertEqual(result.kind, "status", "\(status)")
      XCTAssertEqual(result.failure?.status, status)
    }
  }

  func testOnlyNotFoundAndGoneAreMisses() async throws {
    for status in [404, 410] {
      let result = try await ask(answering: .respond(status: status, body: "x"))
      XCTAssertEqual(result.failure?.isMiss, true, "\(status)")
    }
    for status in [204, 206, 304, 400, 401, 403, 500, 503] {
      let result = try await ask(answering: .respond(status: status))
      XCTAssertEqual(result.failure?.isMiss, false, "\(status)")
    }
  }

  /// Linux would wait for credentials for ever.
  func testRequestForCredentialsIsRefused() async throws {
    for challenge in ["Basic realm=\"x\"", "Digest realm=\"x\"", "Nonsense"] {
      let result = try await ask(
        answering: .respond(status: 401, headers: ["WWW-Authenticate": challenge]))
      XCTAssertEqual(result.failure?.status, 401, challenge)
    }
  }

  func testHeadHasNoBodyToCompare() async throws {
    let origin = try LoopbackOrigin { _ in .respond(headers: ["Content-Length": "9"]) }
    defer { origin.stop() }
    var request = URLRequest(url: origin.url())
    request.httpMethod = "HEAD"
    let result = await ask(request)
    XCTAssertEqual(result.text, "")
    XCTAssertEqual(origin.requests.map(\.method), ["HEAD"])
  }

  func testErrorCarriesUrlStatusAndResponse() async throws {
    let origin = try LoopbackOrigin { _ in .respond(status: 503, headers: ["Retry-After": "7"]) }
    defer { origin.stop() }
    let error = await ask(URLRequest(url: origin.url("/busy"))).failure
    XCTAssertEqual(error?.url, origin.url("/busy"))
    XCTAssertEqual(error?.status, 503)
    XCTAssertEqual(error?.response?.value(forHTTPHeaderField: "Retry-After"), "7")
  }

  func testOriginThatIsNotThereIsATransportError() async throws {
    let origin = try LoopbackOrigin { _ in .respond() }
    origin.stop()
    let result = await ask(URLRequest(url: origin.url()))
    XCTAssertEqual(result.kind, "transport")
  }
}
