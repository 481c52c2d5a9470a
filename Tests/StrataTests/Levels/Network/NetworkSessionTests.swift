import Foundation
import XCTest

@testable import Strata

final class NetworkSessionTests: NetworkCase {
  func testFieldsOfTheSessionAndDefaultsAreSent() async throws {
    try await onEachTransport {
      let origin = try LoopbackOrigin { _ in .respond() }
      defer { origin.stop() }
      let session = makeSession(fields: ["X-A": "session", "X-Empty": ""])
      var request = URLRequest(url: origin.url())
      _ = await value(of: request, session: session)
      XCTAssertEqual(origin.requests.last?.headers["x-a"], "session")
      XCTAssertEqual(origin.requests.last?.headers["user-agent"], "Strata")
      XCTAssertEqual(origin.requests.last?.headers["accept"], "*/*")
      if usesCurl {
        XCTAssertEqual(origin.requests.last?.headers["accept-encoding"], "gzip, deflate")
        XCTAssertEqual(origin.requests.last?.headers["x-empty"], "")
      }
      request.setValue("own", forHTTPHeaderField: "x-A")
      request.setValue("own", forHTTPHeaderField: "User-Agent")
      request.setValue("br", forHTTPHeaderField: "Accept-Encoding")
      _ = await value(of: request, session: session)
      XCTAssertEqual(origin.requests.last?.headers["x-a"], "own")
      XCTAssertEqual(origin.requests.last?.headers["user-agent"], "own")
      XCTAssertEqual(origin.requests.last?.headers["accept-encoding"], "br")
    }
  }

  func testCredentialsOfTheURLAreSentAsAField() async throws {
    try await onEachTransport {
      let origin = try LoopbackOrigin { _ in .respond(body: "x") }
      defer { origin.stop() }
      let url = try XCTUnwrap(URL(string: "http://user:pass@127.0.0.1:\(origin.port)/a#b"))
      let response = try await response(to: URLRequest(url: url), session: makeSession()).get()
      XCTAssertEqual(origin.requests.last?.headers["authorization"], "Basic dXNlcjpwYXNz")
      XCTAssertEqual(response.url, origin.url("/a"))
    }
  }

  func testCookiesArentStored() async throws {
    try await onEachTransport {
      let origin = try LoopbackOrigin { _ in .respond(headers: ["Set-Cookie": "a=b"]) }
      defer { origin.stop() }
      let session = makeSession()
      for _ in 0..<2 { _ = await value(of: URLRequest(url: origin.url()), session: session) }
      XCTAssertEqual(origin.requests.count, 2)
      XCTAssertNil(origin.requests.last?.headers["cookie"])
    }
  }
}
