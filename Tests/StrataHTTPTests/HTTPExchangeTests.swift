import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

/// Tests concurrent requests, and requests while the origin is offline.
final class HTTPExchangeTests: XCTestCase {
  func testOneValidationOfAKeyRunsAtATime() throws {
    let scene = HTTPScene()
    scene.origin.replies(["Cache-Control": "max-age=10", "ETag": "\"1\""])
    try scene.get()
    scene.wait(11)
    scene.origin.replies(["Cache-Control": "max-age=10"], "", status: 304)
    scene.origin.hold()
    let answers = (0..<50).map { _ in scene.start() }
    XCTAssertEqual(scene.origin.count, 2)
    scene.origin.release()
    let kinds = try answers.map { try $0.wait(for: .seconds(300)).status }
    XCTAssertEqual(kinds.map(\.kind), [.revalidated] + Array(repeating: .hit, count: 49))
    XCTAssertTrue(kinds.dropFirst().allSatisfy(\.isCollapsed))
    XCTAssertEqual(scene.origin.count, 2)
  }

  func testConcurrentMissesShareOneRequest() throws {
    let scene = HTTPScene("max-age=10")
    scene.origin.hold()
    let answers = (0..<10).map { _ in scene.start() }
    scene.origin.release()
    for answer in answers { XCTAssertEqual(try answer.wait().response.text, "body") }
    XCTAssertEqual(scene.origin.count, 1)
  }

  func testAResponseThatMustNotBeReusedIsNotShared() throws {
    let scene = HTTPScene("no-store")
    scene.origin.hold()
    let answers = (0..<3).map { _ in scene.start() }
    scene.origin.release()
    for answer in answers { XCTAssertEqual(try answer.wait().status.kind, .miss) }
    XCTAssertEqual(scene.origin.count, 3)
  }

  func testAWaitingRequestTakesOverFromACancelledOne() throws {
    let scene = HTTPScene("max-age=10")
    scene.origin.hold()
    let (first, second, third) = (scene.start(), scene.start(), scene.start())
    first.cancel()
    XCTAssertEqual(scene.origin.cancelled, 1)
    XCTAssertEqual(scene.origin.count, 2)
    scene.origin.release()
    XCTAssertEqual(try second.wait().response.text, "body")
    XCTAssertEqual(try third.wait().status.kind, .hit)
  }

  func testACancelledWaiterDoesNotAffectOthers() throws {
    let scene = HTTPScene("max-age=10")
    scene.origin.hold()
    let (first, second) = (scene.start(), scene.start())
    second.cancel()
    scene.origin.release()
    XCTAssertEqual(try first.wait().response.text, "body")
    XCTAssertEqual(scene.origin.cancelled, 0)
  }

  func testARequestThatDemandsValidationDoesNotWait() throws {
    let scene = HTTPScene("max-age=10")
    scene.origin.hold()
    let first = scene.start()
    let second = scene.start(["Cache-Control": "no-cache"])
    scene.origin.release()
    XCTAssertEqual(try second.wait().response.text, "body")
    XCTAssertEqual(try first.wait().response.text, "body")
  }

  func testAnInvalidationOvertakesAGetInFlight() throws {
    let scene = HTTPScene("max-age=60")
    scene.origin.hold()
    let get = scene.start()
    let post = scene.start(method: "POST")
    scene.origin.release()
    _ = try (get.wait(), post.wait())
    scene.origin.hold()
    let old = scene.start(["Cache-Control": "no-cache"])
    _ = scene.cache.remove(HTTPFixtures.url)
    scene.origin.release()
    XCTAssertFalse(try old.wait().status.isStored)
    XCTAssertEqual(try scene.outcome(), "miss body")
  }

  func testAClearOvertakesAGetInFlight() throws {
    let scene = HTTPScene("max-age=60")
    scene.origin.hold()
    let old = scene.start()
    _ = scene.cache.clear()
    scene.origin.release()
    XCTAssertFalse(try old.wait().status.isStored)
  }

  func testOfflineAnswersEvenStaleResponses() throws {
    let isOffline = Lock(false)
    let scene = HTTPScene("max-age=10", isOffline: { _ in isOffline.withLock { $0 } })
    try scene.get()
    isOffline.withLock { $0 = true }
    XCTAssertEqual(try scene.outcome(), "hit body")
    scene.wait(1000)
    let answer = try scene.get()
    XCTAssertEqual(answer.status.detail, "offline")
    XCTAssertEqual(answer.response.fields["Age"], "1000")
    XCTAssertEqual(scene.origin.count, 1)
    XCTAssertEqual(try scene.get(url: HTTPFixtures.url.appending(path: "x")).response.status, 504)
    XCTAssertEqual(try scene.get(method: "POST").response.status, 504)
  }

  func testOfflineObeysMustRevalidate() throws {
    let isOffline = Lock(false)
    let scene = HTTPScene(
      "max-age=10, must-revalidate", isOffline: { _ in isOffline.withLock { $0 } })
    try scene.get()
    isOffline.withLock { $0 = true }
    XCTAssertEqual(try scene.outcome(), "hit body")
    scene.wait(11)
    XCTAssertEqual(try scene.get().response.status, 504)
  }

  func testOnlyIfCachedNeverReachesTheOrigin() throws {
    let scene = HTTPScene("max-age=10")
    let only: HeaderFields = ["Cache-Control": "only-if-cached"]
    XCTAssertEqual(try scene.get(only).response.status, 504)
    XCTAssertEqual(scene.origin.count, 0)
    try scene.get()
    XCTAssertEqual(try scene.outcome(only), "hit body")
    scene.wait(11)
    XCTAssertEqual(try scene.get(only).response.status, 504)
    XCTAssertEqual(
      try scene.outcome(["Cache-Control": "only-if-cached, max-stale"]), "hit body")
    XCTAssertEqual(scene.origin.count, 1)
  }
}
