import Foundation
import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

/// Requests that bypass the store, and what they invalidate.
final class HTTPExchangePassTests: XCTestCase {
  private let other = HTTPFixtures.url.appending(path: "other")

  private func hop(_ url: URL, _ method: String = "GET") -> NetworkResponse.Hop {
    NetworkResponse.Hop(method: method, url: url)
  }

  func testAGetWithABodyBypassesTheStore() throws {
    let scene = HTTPScene("max-age=60")
    try scene.get()
    for method in ["GET", "HEAD"] {
      for isStream in [false, true] {
        var request = HTTPScene.request(method: method)
        request.httpBody = Data("query".utf8)
        if isStream { request.httpBodyStream = InputStream(data: Data("query".utf8)) }
        scene.origin.replies(["Cache-Control": "max-age=60"], "found")
        let answer = try scene.cache.answer(to: request).wait(for: .seconds(300))
        XCTAssertEqual(answer.status.kind, .passed)
        XCTAssertFalse(answer.status.isStored)
        XCTAssertLessThanOrEqual(answer.expiresAt, scene.origin.time.now())
      }
    }
    XCTAssertEqual(try scene.outcome(), "hit body")
    var empty = HTTPScene.request()
    empty.httpBody = Data()
    XCTAssertEqual(try scene.cache.answer(to: empty).wait().status.kind, .hit)
  }

  func testARequestForAnotherHostThanItsURLBypassesTheStore() throws {
    let scene = HTTPScene("max-age=60")
    try scene.get()
    for host in ["other.com", "example.com:81", "a b", ""] {
      XCTAssertEqual(try scene.outcome(["Host": host]), "passed body", host)
    }
    for host in ["EXAMPLE.com", "example.com:80"] {
      XCTAssertEqual(try scene.outcome(["Host": host]), "hit body", host)
    }
  }

  func testTheTargetOfAFollowedRedirectIsInvalidated() throws {
    for (status, hops) in [
      (200, [hop(other)]), (404, [hop(other)]), (500, [hop(other, "POST")]),
      (200, [hop(other), hop(HTTPFixtures.url.appending(path: "last"))]),
    ] {
      let scene = HTTPScene("max-age=60")
      for url in [HTTPFixtures.url, other] { try scene.get(url: url) }
      scene.origin.redirects(hops)
      scene.origin.replies([:], status: status)
      try scene.get(method: "POST")
      scene.origin.redirects([])
      for url in [HTTPFixtures.url, other] {
        XCTAssertNotEqual(try scene.get(url: url).status.kind, .hit, "\(status) \(hops)")
      }
    }
  }

  func testAnotherOriginIsInvalidatedOnlyIfItReceivedTheUnsafeMethod() throws {
    let foreign = try XCTUnwrap(URL(string: "http://other.com/a"))
    for (method, kind) in [("GET", HTTPCacheStatus.Kind.hit), ("POST", .miss)] {
      let scene = HTTPScene("max-age=60")
      try scene.get(url: foreign)
      scene.origin.redirects([hop(foreign, method)])
      try scene.get(method: "POST")
      scene.origin.redirects([])
      XCTAssertEqual(try scene.get(url: foreign).status.kind, kind)
    }
  }

  func testARedirectWhoseTargetFailsInvalidatesBoth() throws {
    let scene = HTTPScene("max-age=60")
    for url in [HTTPFixtures.url, other] { try scene.get(url: url) }
    scene.origin.replies { [hop = hop(other)] _ in
      var error = NetworkError(.incompleteBody(received: 1, announced: 2), url: nil)
      error.hops = [hop]
      throw error
    }
    XCTAssertThrowsError(try scene.get(method: "POST"))
    scene.origin.replies([:], "new")
    for url in [HTTPFixtures.url, other] {
      XCTAssertEqual(try scene.get(url: url).status.kind, .miss)
    }
  }

  func testACancelledUnsafeRequestInvalidatesItsTarget() throws {
    let scene = HTTPScene("max-age=60")
    try scene.get()
    scene.origin.hold()
    let post = scene.start(method: "POST")
    post.cancel()
    scene.origin.release()
    XCTAssertEqual(try scene.outcome(), "miss body")
  }

  func testOfTwoPostsInFlightTheEarlierIsNotStored() throws {
    let scene = HTTPScene()
    let fields: HeaderFields = ["Cache-Control": "max-age=60", "Content-Location": "/page"]
    let gate = Lock<[Promise<NetworkResponse>.Continuation]>([])
    let origin = Fetcher<URLRequest, NetworkResponse> { _ in
      Promise { continuation in gate.withLock { $0.append(continuation) } }
    }
    let cache = HTTPCache(storedIn: scene.store, from: origin, clock: scene.origin.time)
    let posts = (0..<2).map { _ in cache.answer(to: HTTPScene.request(method: "POST")) }
    for index in [1, 0] {
      gate.withLock { $0[index] }.succeed(.made(fields, body: "\(index)"))
    }
    XCTAssertEqual(try posts.map { try $0.wait().status.isStored }, [false, true])
    let get = cache.answer(to: HTTPScene.request())
    gate.withLock { $0.dropFirst(2).first }?.succeed(.made(fields, body: "new"))
    XCTAssertEqual(try get.wait().response.text, "new")
  }
}
