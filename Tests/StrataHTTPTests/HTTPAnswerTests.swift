import Foundation
import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

final class HTTPAnswerTests: XCTestCase {
  private let fields: HeaderFields = ["Cache-Control": "max-age=60", "Content-Location": "/page"]

  func testTheStatusReportsThatTheStoreRefusedTheResponse() throws {
    for method in ["GET", "POST"] {
      let store = Cache<String, Data>(
        get: { _ in .miss }, set: { _, _ in Promise(error: FakeOrigin.Down()) })
      let scene = HTTPScene(store: store)
      scene.origin.replies(fields)
      let status = try scene.get(method: method).status
      XCTAssertFalse(status.isStored, method)
      XCTAssertFalse(status.field().contains("stored"), method)
    }
  }

  func testARefusedVariantListIsReported() throws {
    let bytes = Cache<String, Data>.dictionary()
    let store = Cache<String, Data>(
      get: bytes.get,
      set: { key, data in
        key.contains("\n") ? bytes.set(key, data) : Promise(error: FakeOrigin.Down())
      }, remove: bytes.remove)
    let scene = HTTPScene(store: store)
    scene.origin.replies(HeaderFields(fields + [.init(name: "Vary", value: "Foo")]))
    XCTAssertFalse(try scene.get().status.isStored)
  }

  func testAnAnswerArrivesAfterItsWriteAndCancellingItKeepsTheWrite() throws {
    let bytes = Cache<String, Data>.dictionary()
    let writes = Lock<[Promise<Void>.Continuation]>([])
    let cancelled = Lock(0)
    let store = Cache<String, Data>(
      get: bytes.get,
      set: { key, data in
        Promise<Void> { continuation in
          continuation.onCancel { cancelled.withLock { $0 += 1 } }
          writes.withLock { $0.append(continuation) }
        }.flatMap { bytes.set(key, data) }
      }, remove: bytes.remove)
    let scene = HTTPScene(store: store)
    scene.origin.replies(fields)
    let first = scene.start()
    XCTAssertNil(first.outcome)
    first.cancel()
    XCTAssertEqual(cancelled.withLock { $0 }, 0)
    for write in writes.withLock({ $0 }) { write.succeed(()) }
    XCTAssertEqual(try scene.outcome(), "hit body")
    let other = scene.start(url: HTTPFixtures.url.appending(path: "other"))
    XCTAssertNil(other.outcome)
    for write in writes.withLock({ $0 }) { write.succeed(()) }
    XCTAssertTrue(try other.wait(for: .seconds(300)).status.isStored)
  }

  func testALevelOfValuesDoesNotWaitForTheWrite() throws {
    let store = Cache<String, Data>(get: { _ in .miss }, set: { _, _ in Promise { _ in } })
    let scene = HTTPScene("max-age=60", store: store)
    let get = scene.cache.fetcher(accepting: .success).get(HTTPFixtures.url)
    XCTAssertEqual(try get.wait(for: .seconds(300)).value, Data("body".utf8))
  }

  func testAnAnswerContainsNoRequest() throws {
    let origin = FakeTransport { _ in (200, ["Cache-Control": "max-age=60"], "body") }
    let network: Fetcher<URLRequest, NetworkResponse> = .responses(session: NetworkSession(origin))
    var request = HTTPScene.request(["Authorization": "secret"], method: "POST")
    request.httpBody = Data(count: 9)
    let response = try network.get(request).wait(for: .seconds(60))
    XCTAssertEqual(response.sent?.request.value(forHTTPHeaderField: "Authorization"), "secret")
    XCTAssertNil(response.sent?.request.httpBody)
    let cache = HTTPCache(storedIn: .dictionary(), from: network)
    for request in [request, HTTPScene.request(["Authorization": "secret"])] {
      XCTAssertNil(try cache.answer(to: request).wait(for: .seconds(60)).response.sent)
    }
  }

  func testAFreshResponseAnswersAlthoughTheKeyMapFails() throws {
    let (scene, failures) = (HTTPScene("public, max-age=60"), Lock(0))
    let authorize: @Sendable (URLRequest) throws -> URLRequest = { request in
      try failures.withLock { count in
        count -= 1
        if count >= 0 { throw FakeOrigin.Down() }
      }
      var request = request
      request.setValue("alice", forHTTPHeaderField: "Authorization")
      return request
    }
    let origin = scene.origin.fetcher.mapKeys(authorize)
    func get(_ method: String = "GET", isShared: Bool = true) throws -> HTTPCacheStatus {
      let cache = HTTPCache(
        storedIn: scene.store, from: origin, policy: HTTPCachePolicy(isShared: isShared),
        clock: scene.origin.time)
      return try cache.answer(to: HTTPScene.request(method: method)).wait(for: .seconds(60)).status
    }
    XCTAssertEqual(try get().kind, .miss)
    failures.withLock { $0 = 9 }
    XCTAssertEqual(try get().kind, .hit)
    for method in ["GET", "POST"] { XCTAssertThrowsError(try get(method, isShared: false)) }
    // The map fails once. The cache doesn't know whose response it gets, so it stores nothing.
    failures.withLock { $0 = 1 }
    XCTAssertFalse(try get(isShared: false).isStored)
  }
}
