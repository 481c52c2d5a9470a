import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

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

  #if canImport(CStrataCurl) && canImport(Glibc)
    /// The session starts 65 requests, and the origin holds every request that arrives. To a
    /// request of another session, the origin sends the number of that request's connection.
    func testASessionOpens64ConnectionsPerHost() async throws {
      let gate = DispatchSemaphore(value: 0)
      let origin = try KeptOrigin { request in
        guard request.target == "/held" else { return .init(text: "\(request.connection)") }
        gate.wait()
        gate.signal()
        return .init(text: "x")
      }
      defer { origin.stop() }
      let other = try KeptOrigin { _ in .init(text: "x") }
      defer { other.stop() }
      let session = NetworkSession()
      let limits = Transfer.Limits(size: 9, deadline: .seconds(300), redirects: 0)
      let ended = expectation(description: "completions")
      ended.expectedFulfillmentCount = 65
      for _ in 0..<65 {
        _ = session.start(URLRequest(url: origin.url("/held")), limits: limits) { result in
          XCTAssertEqual(result.kind, "success")
          ended.fulfill()
        }
      }
      let areHeld = await eventually { origin.count >= 64 }
      XCTAssertTrue(areHeld)
      // The session starts its requests in order. By the time the last request ends, the session
      // has started all earlier requests.
      let last = await value(of: URLRequest(url: other.url()), session: session)
      XCTAssertEqual(last.text, "x")
      let probe = await value(of: URLRequest(url: origin.url("/probe")), session: NetworkSession())
      XCTAssertEqual(probe.text, "64", "There should be 64 connections before this one.")
      gate.signal()
      await fulfillment(of: [ended], timeout: 300)
    }
  #endif

  func testExtremeSettingsAreClamped() async throws {
    let long = Duration.seconds(Int64.max) + .seconds(Int64.max)
    for (timeout, connections) in [(long, Int.max), (.zero - long, .min)] {
      let session = NetworkSession(connectionsPerHost: connections, idleTimeout: timeout)
      let origin = try LoopbackOrigin { _ in .respond(body: "x") }
      defer { origin.stop() }
      let response = try await response(to: URLRequest(url: origin.url()), session: session).get()
      XCTAssertEqual(response.body, Data("x".utf8))
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
