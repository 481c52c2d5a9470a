import Foundation
import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

/// Tests which stored responses are removed after an unsafe HTTP request, such as POST or DELETE.
final class HTTPExchangeStoreTests: XCTestCase {
  func testASuccessfulUnsafeMethodInvalidatesItsTarget() throws {
    for method in ["POST", "PUT", "DELETE", "PATCH", "M-SEARCH"] {
      let scene = HTTPScene("max-age=60")
      try scene.get()
      XCTAssertEqual(try scene.outcome(method: method), "passed body")
      XCTAssertEqual(try scene.outcome(), "miss body", method)
    }
  }

  func testAFailedUnsafeMethodInvalidatesNothing() throws {
    let scene = HTTPScene("max-age=60")
    try scene.get()
    scene.origin.replies([:], status: 500)
    try scene.get(method: "POST")
    XCTAssertEqual(try scene.outcome(), "hit body")
  }

  func testAnUnsafeMethodWithAnUnknownOutcomeInvalidatesItsTarget() throws {
    let scene = HTTPScene("max-age=60")
    try scene.get()
    scene.origin.isDown()
    XCTAssertThrowsError(try scene.get(method: "POST"))
    XCTAssertThrowsError(try scene.get())
  }

  func testTheResponseToAFollowedRedirectIsNotStored() throws {
    let scene = HTTPScene()
    let now = scene.origin.time.now()
    let redirecting = Fetcher<URLRequest, NetworkResponse>(offMainThread: false) {
      _ throws -> NetworkResponse in
      NetworkResponse(
        status: 200, fields: ["Cache-Control": "max-age=60"],
        url: HTTPFixtures.url.appending(path: "target"), requestTime: now, responseTime: now)
    }
    let cache = HTTPCache(storedIn: scene.store, from: redirecting, clock: scene.origin.time)
    for _ in 0..<2 {
      let answer = try cache.answer(to: HTTPScene.request()).wait()
      XCTAssertEqual(answer.status.detail, "redirect")
      XCTAssertLessThanOrEqual(answer.expiresAt, now)
    }
  }

  func testAllVariantsAreInvalidated() throws {
    let scene = HTTPScene()
    scene.origin.replies(["Cache-Control": "max-age=60", "Vary": "Foo"])
    for value in ["1", "2"] { try scene.get(["Foo": value]) }
    try scene.get(["Foo": "3"], method: "POST")
    for value in ["1", "2"] { XCTAssertEqual(try scene.outcome(["Foo": value]), "miss body") }
  }

  func testLocationsAreInvalidated() throws {
    let other = HTTPFixtures.url.appending(path: "other")
    for name in ["Location", "Content-Location"] {
      let scene = HTTPScene("max-age=60")
      try scene.get(url: other)
      scene.origin.replies([name: "/page/other"])
      try scene.get(method: "POST")
      XCTAssertEqual(try scene.get(url: other).status.kind, .miss, name)
    }
  }

  func testAPostThatRepresentsItsURLIsStored() throws {
    let scene = HTTPScene()
    scene.origin.replies(["Cache-Control": "max-age=60", "Content-Location": "/page"], "posted")
    XCTAssertTrue(try scene.get(method: "POST").status.isStored)
    XCTAssertEqual(try scene.outcome(), "hit posted")
  }

  func testConditionsForTheOriginPass() throws {
    let scene = HTTPScene("max-age=60")
    try scene.get()
    for name in ["If-Match", "If-Unmodified-Since"] {
      XCTAssertEqual(try scene.outcome([name: "\"1\""]), "passed body")
      XCTAssertEqual(scene.origin.last?.fields[name], "\"1\"")
    }
    XCTAssertEqual(try scene.outcome(["Range": "bytes=0-1,3-4"]), "passed body")
  }

  func testSafeMethodsPassAndInvalidateNothing() throws {
    let scene = HTTPScene("max-age=60")
    try scene.get()
    XCTAssertEqual(try scene.outcome(method: "OPTIONS"), "passed body")
    XCTAssertEqual(try scene.outcome(), "hit body")
  }

  func testASharedCacheKeepsAuthorizedResponsesApart() throws {
    let scene = HTTPScene("max-age=60", isShared: true)
    let authorization: HeaderFields = ["Authorization": "secret"]
    XCTAssertEqual(try scene.get(authorization).status.detail, "authorization")
    XCTAssertEqual(try scene.outcome(), "miss body")
    scene.origin.replies(["Cache-Control": "private, max-age=60"])
    let other = HTTPFixtures.url.appending(path: "other")
    XCTAssertEqual(try scene.get(url: other).status.detail, "private")
  }

  func testA304ThatForbidsStoringRemovesTheStoredResponse() throws {
    let held = Lock<[String: Data]>([:])
    let scene = HTTPScene(store: .holding(held))
    scene.origin.replies(["Cache-Control": "max-age=1", "ETag": "\"1\""])
    try scene.get()
    XCTAssertFalse(held.withLock { $0.isEmpty })
    scene.wait(5)
    scene.origin.replies(["Cache-Control": "no-store", "ETag": "\"1\""], "", status: 304)
    XCTAssertEqual(try scene.get().response.text, "body")
    XCTAssertEqual(held.withLock { $0.count }, 0, "The bytes of the response must be gone.")
    scene.origin.replies([:], "new")
    XCTAssertEqual(try scene.outcome(), "miss new")
    XCTAssertNil(scene.origin.last?.fields["If-None-Match"])
  }

  func testAResponseThatForbidsStoringRemovesItsPredecessor() throws {
    let held = Lock<[String: Data]>([:])
    let scene = HTTPScene(store: .holding(held))
    for method in ["GET", "HEAD"] {
      scene.origin.replies(["Cache-Control": "max-age=1", "ETag": "\"1\""])
      try scene.get()
      scene.wait(5)
      scene.origin.replies(["Cache-Control": "no-store", "ETag": "\"2\""], "secret")
      try scene.get(method: method)
      XCTAssertEqual(held.withLock { $0.count }, 0, method)
    }
  }

  func testAnInvalidationRemovesTheBytesOfEachVariant() throws {
    let held = Lock<[String: Data]>([:])
    let scene = HTTPScene(store: .holding(held))
    scene.origin.replies(["Cache-Control": "max-age=60", "Vary": "Foo"])
    for value in ["1", "2", "3"] { try scene.get(["Foo": value]) }
    XCTAssertEqual(held.withLock { $0.count }, 4)
    try scene.get(method: "POST")
    XCTAssertEqual(held.withLock { $0.count }, 0)
  }

  /// Only a success outlives a failure of the origin.
  func testAFailureRemovesAStoredListOfChoices() throws {
    for (status, count) in [(299, 1), (300, 0), (404, 0)] {
      let held = Lock<[String: Data]>([:])
      let scene = HTTPScene(store: .holding(held))
      scene.origin.replies(["Cache-Control": "max-age=10"], status: status)
      try scene.get()
      XCTAssertEqual(held.withLock { $0.count }, 1)
      scene.wait(20)
      scene.origin.replies([:], status: 503)
      try scene.get()
      XCTAssertEqual(held.withLock { $0.count }, count, "\(status)")
    }
  }

  /// A temporary redirect doesn't replace a success, a permanent one does.
  func testOnlyAPermanentRedirectReplacesASuccess() throws {
    for (status, text) in [(300, "new"), (301, "new"), (302, "old"), (307, "old"), (308, "new")] {
      let scene = HTTPScene()
      scene.origin.replies(["Cache-Control": "max-age=10"], "old")
      try scene.get()
      scene.wait(20)
      scene.origin.replies(["Cache-Control": "max-age=60"], "new", status: status)
      try scene.get()
      XCTAssertEqual(try scene.get(["Cache-Control": "max-stale"]).response.text, text, "\(status)")
    }
  }
}
