import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataVerbs

/// Tests what observers and plans show of the levels below an HTTP cache.
final class HTTPObservedTests: XCTestCase {
  func testAHitOfTheStoreIsNoLoadOfTheOrigin() throws {
    for vary in ["", "Accept-Language"] {
      let origin = FakeOrigin { _ in (200, ["Cache-Control": "max-age=60", "Vary": vary], "body") }
      let statistics = CacheStatistics()
      let level: Fetcher<URL, Stamped<Data>> = .http(
        storedIn: Cache<String, Data>.dictionary().named("disk"),
        from: origin.fetcher.named("origin"), clock: origin.time)
      let pages = level.named("http").observed(by: statistics.observer)
      for _ in 0..<4 { _ = try pages.get(HTTPFixtures.url).wait() }
      let snapshot = statistics.snapshot
      XCTAssertEqual(origin.count, 1)
      XCTAssertEqual(snapshot["http"]?.loads, 1, vary)
      XCTAssertEqual(snapshot["origin"]?.loads, 1, vary)
      XCTAssertEqual(snapshot["disk"]?.misses, 1, vary)
      XCTAssertEqual(snapshot["disk"]?.hits, vary.isEmpty ? 3 : 6, vary)
    }
  }

  func testTheProvenanceNamesWhatAnswered() throws {
    let origin = FakeOrigin { _ in (200, ["Cache-Control": "max-age=60"], "body") }
    let level: Fetcher<URL, Stamped<Data>> = .http(
      storedIn: Cache<String, Data>.dictionary().named("disk"),
      from: origin.fetcher.named("origin"), clock: origin.time)
    let memory: Cache<URL, Stamped<Data>> = .memory(clock: origin.time)
    let pages = memory.named("memory").backed(byStamped: level, clock: origin.time)
    func source() throws -> String {
      "\(try pages.getWithProvenance(HTTPFixtures.url).wait().provenance)"
    }
    XCTAssertEqual(try source(), "origin, loaded")
    XCTAssertEqual(try source(), "memory, 0.0 ns old")
    memory.memoryWarning()
    origin.clock.advance(by: .seconds(20))
    XCTAssertEqual(try source(), "disk, 20.0 s old")
    origin.clock.advance(by: .seconds(60))
    origin.isDown()
    XCTAssertEqual(try source(), "disk, 80.0 s old, stale")
    origin.replies([:], status: 503)
    XCTAssertThrowsError(try source())  // Without stale-if-error, a 503 is the answer.
    origin.replies(["Cache-Control": "max-age=60"], "new")
    XCTAssertEqual(try source(), "origin, loaded")
  }

  func testAStaleResponseIsAStaleHit() throws {
    let origin = FakeOrigin { _ in (200, ["Cache-Control": "max-age=60"], "body") }
    let statistics = CacheStatistics()
    let level: Fetcher<URL, Stamped<Data>> = .http(
      storedIn: .dictionary(), from: origin.fetcher, clock: origin.time)
    let pages = level.named("http").observed(by: statistics.observer)
    for _ in 0..<2 { _ = try pages.get(HTTPFixtures.url).wait() }
    XCTAssertEqual(statistics.snapshot["http"]?.staleHits, 0)
    origin.clock.advance(by: .seconds(80))
    origin.isDown()
    _ = try pages.get(HTTPFixtures.url).wait()
    XCTAssertEqual(statistics.snapshot["http"]?.staleHits, 1)
    XCTAssertEqual(statistics.snapshot["http"]?.hits, 3)
  }

  func testARequestThatWaitedForAnotherHasJoined() throws {
    let origin = FakeOrigin { _ in (200, ["Cache-Control": "max-age=60"], "body") }
    let level: Fetcher<URL, Stamped<Data>> = .http(
      storedIn: Cache<String, Data>.dictionary().named("disk"),
      from: origin.fetcher.named("origin"), clock: origin.time)
    origin.hold()
    let (first, second) = (
      level.getWithProvenance(HTTPFixtures.url), level.getWithProvenance(HTTPFixtures.url)
    )
    origin.release()
    XCTAssertEqual("\(try first.wait().provenance)", "origin, loaded")
    XCTAssertEqual(try second.wait().provenance.isJoined, true)
  }

  func testObserversReachTheVerbsBelow() throws {
    let origin = FakeOrigin { _ in throw FakeOrigin.Down() }
    let level: Fetcher<URL, Stamped<Data>> = .http(
      storedIn: .dictionary(),
      from: origin.fetcher.breakingCircuit(after: .failures(1), retryAfter: .seconds(60)),
      clock: origin.time)
    XCTAssertEqual(
      "\(level.plan)",
      "http(storedIn: dictionary, "
        + "from: fetcher.breakingCircuit(after: 1, retryAfter: 60 s))")
    let operations = Lock<[String]>([])
    let seen = level.observed { event in
      operations.withLock { $0.append(event.operation.rawValue) }
    }
    XCTAssertThrowsError(try seen.get(HTTPFixtures.url).wait())
    XCTAssertTrue(operations.withLock { $0.contains("circuit") })
    // The observed level and the original level share the flights and the invalidations.
    let responses = HTTPCache(storedIn: .dictionary(), from: origin.fetcher, clock: origin.time)
    XCTAssertThrowsError(
      try responses.responses.named("all").observed { _ in }
        .get(URLRequest(url: HTTPFixtures.url)).wait())
  }
}
