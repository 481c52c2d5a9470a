import StrataNetwork
import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataVerbs

final class HTTPFetcherTests: XCTestCase {
  private let url = HTTPFixtures.url

  func testAMemoryAboveIsNeverFresherThanTheResponseAllows() throws {
    let scene = HTTPScene("max-age=60")
    let pages = scene.pages
    _ = try pages.get(url).wait()
    _ = scene.cache.clear()
    scene.wait(59)
    _ = try pages.get(url).wait()
    XCTAssertEqual(scene.origin.count, 1)
    scene.wait(1)
    _ = try pages.get(url).wait()
    XCTAssertEqual(scene.origin.count, 2)
  }

  func testAnAgedResponseExpiresEarlierAbove() throws {
    let scene = HTTPScene()
    scene.origin.replies(["Cache-Control": "max-age=60", "Age": "40"])
    let answer = try scene.get()
    XCTAssertEqual(answer.expiresAt, HTTPFixtures.at(20))
    XCTAssertEqual(answer.storedAt, HTTPFixtures.at(-40))
  }

  func testAResponseThatMustNotBeReusedAnswersOnce() throws {
    for control in ["no-store", "no-cache, max-age=60", "max-age=0", ""] {
      let scene = HTTPScene(control)
      let pages = scene.pages
      for count in 1...2 {
        XCTAssertEqual(try pages.get(url).wait(), Data("body".utf8))
        XCTAssertEqual(scene.origin.count, count, control)
      }
    }
  }

  func testAnswersToUnsafeMethodsAreNeverReused() throws {
    let scene = HTTPScene("max-age=60")
    let answer = try scene.get(method: "POST")
    XCTAssertLessThanOrEqual(answer.expiresAt, scene.origin.time.now())
  }

  func testARemovalReachesTheStore() throws {
    let scene = HTTPScene("max-age=60")
    let pages = scene.pages
    _ = try pages.get(url).wait()
    _ = try pages.remove(url).wait()
    _ = try pages.get(url).wait()
    XCTAssertEqual(scene.origin.count, 2)
    _ = try pages.clear().wait()
    _ = try pages.get(url).wait()
    XCTAssertEqual(scene.origin.count, 3)
  }

  func testARuleDecidesWhatIsAValue() throws {
    let scene = HTTPScene()
    scene.origin.replies([:], status: 404)
    XCTAssertNil(try scene.cache.fetcher(accepting: .success).get(url).recoverMiss())
    scene.origin.replies([:], status: 500)
    XCTAssertThrowsError(try scene.cache.fetcher(accepting: .success).get(url).wait())
    XCTAssertEqual(
      try scene.cache.fetcher(accepting: .any).get(url).wait().value.status, 500)
  }

  func testOfflineWithoutAResponseIsAMiss() throws {
    let scene = HTTPScene("max-age=60", isOffline: { _ in true })
    XCTAssertNil(try scene.cache.fetcher(accepting: .success).get(url).recoverMiss())
    XCTAssertEqual(scene.origin.count, 0)
  }

  func testWholeResponsesAreAFetcher() throws {
    let scene = HTTPScene("max-age=60")
    let responses = scene.cache.responses
    for _ in 0..<2 { _ = try responses.get(HTTPScene.request()).wait() }
    XCTAssertEqual(scene.origin.count, 1)
    XCTAssertEqual("\(responses.plan)", "http(storedIn: dictionary, from: fetcher)")
  }

  func testTheShortFormHasTheDefaults() {
    let stamped: Cache<URL, Stamped<Data>> = .memory() + .http(storedIn: .dictionary())
    XCTAssertEqual("\(stamped.plan)", "memory(1000) + http(storedIn: dictionary, from: network)")
  }

  func testDrainingWaitsForTheValidationThatNoCallerAwaits() throws {
    let scene = HTTPScene("max-age=10, stale-while-revalidate=60")
    try scene.get()
    scene.wait(20)
    scene.origin.hold()
    XCTAssertEqual(try scene.outcome(), "hit body")
    let drained = scene.cache.fetcher(accepting: .success).draining(atMost: .seconds(300))
    XCTAssertNil(drained.outcome)
    scene.origin.release()
    try drained.wait(for: .seconds(300))
  }

  func testDrainingWaitsForARequestThatIsAnsweredInFull() throws {
    let scene = HTTPScene("max-age=10")
    scene.origin.hold()
    let answer = scene.start()
    let drained = scene.cache.fetcher(accepting: .success).draining(atMost: .seconds(300))
    XCTAssertNil(drained.outcome)
    scene.origin.release()
    try drained.wait(for: .seconds(300))
    XCTAssertNotNil(answer.outcome?.value)
  }

  func testDrainingWaitsForTheStore() throws {
    let write = Pending<Void>()
    let store = Cache<String, Data>(
      get: { _ in Promise<Data>(error: CacheError.notFound) },
      set: { _, _ in Promise<Void>(.pending(write)) })
    let scene = HTTPScene("max-age=60", store: store)
    let cache = scene.cache.fetcher(accepting: .success)
    XCTAssertNotNil(cache.get(url).outcome?.value)
    let drained = cache.draining(atMost: .seconds(300))
    XCTAssertNil(drained.outcome)
    write.settle(.success(()))
    try drained.wait(for: .seconds(300))
  }

  func testDrainingWaitsForARemovalThatWaitsForAWrite() throws {
    let writes = Lock<[Pending<Void>]>([])
    let write = { @Sendable in
      let write = Pending<Void>()
      writes.withLock { $0.append(write) }
      return Promise<Void>(.pending(write))
    }
    let store = Cache<String, Data>(
      get: { _ in Promise<Data>(error: CacheError.notFound) }, set: { _, _ in write() },
      remove: { _ in write() })
    let cache = HTTPScene("max-age=60", store: store).cache
    XCTAssertNotNil(cache.fetcher(accepting: .success).get(url).outcome?.value)
    let removal = cache.remove(url)
    let drained = cache.fetcher(accepting: .success).draining(atMost: .seconds(300))
    XCTAssertEqual(writes.withLock { $0.count }, 1, "The removal should wait.")
    writes.withLock { $0.removeFirst() }.settle(.success(()))
    XCTAssertNil(drained.outcome)
    while let write = writes.withLock({ $0.popLast() }) { write.settle(.success(())) }
    try drained.wait(for: .seconds(300))
    try removal.wait(for: .seconds(300))
  }

  func testDrainingWaitsForARequestWhoseKeyIsStillMapped() throws {
    let (mapped, now) = (Pending<Void>(), TimeSource.system.now())
    let origin = Fetcher<URLRequest, NetworkResponse>(offMainThread: false) { request in
      NetworkResponse(
        status: 200, fields: [:], body: Data(), url: request.url!, requestTime: now,
        responseTime: now)
    }.mapKeys(Transformer { (request: URLRequest) in mapped.promise.map { request } })
    let cache = HTTPCache(storedIn: .dictionary(), from: origin).fetcher(accepting: .success)
    let answer = cache.get(url)
    let drained = cache.draining(atMost: .seconds(300))
    XCTAssertNil(drained.outcome)
    mapped.settle(.success(()))
    try drained.wait(for: .seconds(300))
    XCTAssertNotNil(answer.outcome?.value)
  }
}

extension Promise {
  /// Returns the value, or `nil` for a miss.
  fileprivate func recoverMiss() throws -> Value? {
    do { return try wait(for: .seconds(300)) } catch  where error.isMiss { return nil }
  }
}
