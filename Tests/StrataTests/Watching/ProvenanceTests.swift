import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class ProvenanceTests: XCTestCase {
  private let (clock, time) = TimeSource.manual()

  private func level(_ cache: Cache<String, Int>, _ key: String = "a") -> Provenance? {
    cache.getWithProvenance(key).outcome?.value?.provenance
  }

  private func pending() -> (Promise<Int>, Promise<Int>.Continuation) {
    let kept = Lock<Promise<Int>.Continuation?>(nil)
    let promise = Promise<Int> { continuation in kept.withLock { $0 = continuation } }
    return (promise, kept.withLock { $0! })
  }

  func testEachLevelAnswersInTurn() {
    let origin = Fetcher<String, Int>(offMainThread: false) { $0.count }
    let cache: Cache<String, Int> =
      .memory().named("memory") + Cache.dictionary().named("disk") + origin.named("network")
    XCTAssertEqual(
      level(cache), Provenance("network", age: .zero, isLoaded: true))
    XCTAssertEqual(level(cache), Provenance("memory"))
    cache.memoryWarning()
    XCTAssertEqual(level(cache), Provenance("disk"))
  }

  func testALevelWithoutANameHasItsPlan() {
    XCTAssertEqual(level(.memory(capacity: 5) + .constant(1))?.level, "constant")
  }

  func testANameOutsideOfMapsIsTheNameOfTheLevel() {
    let bytes: Cache<Int, String> = .constant("12")
    let disk =
      ({ @Sendable (key: String) in key.count } <^> bytes
      <*> .init(
        decode: { Int($0) ?? 0 }, encode: { "\($0)" })).named("disk")
    XCTAssertEqual(level(.memory() + disk)?.level, "disk")
  }

  func testAStampedValueHasItsAge() {
    let stamped: Cache<String, Stamped<Int>> = .memory(clock: clock)
    let origin = Fetcher<String, Int>(offMainThread: false) { $0.count }
    let cache = stamped.refreshing(
      Freshness(for: .seconds(60), staleWhileRevalidate: .seconds(60)), from: origin)
    XCTAssertEqual(level(cache)?.isLoaded, true)
    time.advance(by: .seconds(20))
    XCTAssertEqual(level(cache)?.age, .seconds(20))
    XCTAssertEqual(level(cache)?.isStale, false)
    time.advance(by: .seconds(50))
    // The refresh settles during the get, but the get returns the stored value.
    XCTAssertEqual(
      level(cache), Provenance("memory(1000)", age: .seconds(70), isStale: true))
    XCTAssertEqual(level(cache), Provenance("memory(1000)", age: .zero))
  }

  func testAFailedRefreshReturnsAStaleValue() {
    let stamped: Cache<String, Stamped<Int>> = .memory(clock: clock)
    let fails = Lock(false)
    let origin = Fetcher<String, Int>(offMainThread: false) { key in
      if fails.withLock({ $0 }) { throw URLError(.timedOut) }
      return key.count
    }
    let cache = stamped.refreshing(
      Freshness(for: .seconds(60), staleIfError: .seconds(600)), from: origin)
    XCTAssertEqual(level(cache)?.isLoaded, true)
    time.advance(by: .seconds(70))
    fails.withLock { $0 = true }
    XCTAssertEqual(
      level(cache), Provenance("memory(1000)", age: .seconds(70), isStale: true))
    fails.withLock { $0 = false }
    time.advance(by: .seconds(500))
    XCTAssertEqual(level(cache)?.isStale, false)
  }

  func testAReloadSaysWhichLevelHasLoaded() {
    let stamped: Cache<String, Stamped<Int>> = .memory(clock: clock)
    let origin = Fetcher<String, Int>(offMainThread: false) { $0.count }.named("origin")
    let cache = stamped.refreshing(Freshness(for: .seconds(60)), from: origin)
    let loaded = level(cache)
    XCTAssertEqual(loaded?.isLoaded, true)
    XCTAssertEqual(level(cache.reloading), loaded)
  }

  func testStaleHitsAreCountedApart() {
    let statistics = CacheStatistics()
    let stamped: Cache<String, Stamped<Int>> = .memory(clock: clock)
    let origin = Fetcher<String, Int>(offMainThread: false) { $0.count }
    let cache = stamped.refreshing(
      Freshness(for: .seconds(60), staleWhileRevalidate: .seconds(60)), from: origin
    ).named("pages").observed(by: statistics)
    for wait in [0, 10, 60, 10] {
      time.advance(by: .seconds(wait))
      _ = cache.get("a")
    }
    XCTAssertEqual(statistics.snapshot["pages"]?.hits, 4)
    XCTAssertEqual(statistics.snapshot["pages"]?.staleHits, 1)
  }

  func testAStoredReadOfAStaleValueSaysSo() {
    let statistics = CacheStatistics()
    let stamped: Cache<String, Stamped<Int>> = .memory(clock: clock)
    let origin = Fetcher<String, Int>(offMainThread: false) { $0.count }
    let cache = stamped.refreshing(
      Freshness(for: .seconds(60), staleWhileRevalidate: .seconds(60)), from: origin
    ).named("pages").observed(by: statistics)
    _ = cache.get("a")
    XCTAssertEqual(level(cache.stored)?.isStale, false)
    time.advance(by: .seconds(70))
    XCTAssertEqual(
      level(cache.stored), Provenance("memory(1000)", age: .seconds(70), isStale: true))
    XCTAssertEqual(cache.peeking.get("a").outcome?.value, 1)
    XCTAssertEqual(statistics.snapshot["pages"]?.staleHits, 1, "A peek isn't counted.")
  }

  func testAFallbackAfterAnExpiryIsStale() async throws {
    let stamped: Cache<String, Stamped<Int>> = .memory(clock: clock)
    let fails = Lock(false)
    let origin = Fetcher<String, Int>(offMainThread: false) { key in
      if fails.withLock({ $0 }) { throw URLError(.timedOut) }
      return key.count
    }
    let cache = stamped.refreshing(
      Freshness(for: .seconds(60), staleIfError: .seconds(600)), from: origin)
    _ = cache.get("a")
    time.advance(by: .seconds(1))
    try await cache.expireAll()
    fails.withLock { $0 = true }
    XCTAssertEqual(level(cache)?.isStale, true)
    XCTAssertEqual(level(cache.stored)?.isStale, true)
  }

  func testAGetThatJoinsALoadSaysSo() {
    let (promise, continuation) = pending()
    let origin = Fetcher<String, Int> { _ in promise }.named("origin")
    let pages = (Cache<String, Int>.memory() + origin).pooled()
    let answers = (0..<3).map { _ in pages.getWithProvenance("a") }
    continuation.succeed(7)
    XCTAssertEqual(
      answers.map { $0.outcome?.value?.provenance },
      [false, true, true].map {
        Provenance("origin", age: .zero, isJoined: $0, isLoaded: true)
      })
  }

  func testAGetThatJoinsALoadWithoutProvenanceKnowsNoLevel() {
    let (promise, continuation) = pending()
    let pages = Fetcher<String, Int> { _ in promise }.pooled()
    let first = pages.get("a")
    let second = pages.getWithProvenance("a")
    continuation.succeed(7)
    XCTAssertEqual(first.outcome?.value, 7)
    XCTAssertEqual(second.outcome?.value?.provenance, Provenance(nil, isJoined: true))
  }

  func testALevelThatAnswersTooLateHasNotAnswered() {
    let (slow, continuation) = pending()
    let disk = Cache<String, Int>(
      get: { _ in slow }, set: { _, _ in Promise() }, remove: { _ in Promise() }
    ).named("disk").awaitedInSum(atMost: .seconds(1))
    let (answer, origin) = pending()
    let network = Fetcher<String, Int> { _ in answer }.named("network")
    let cache = (Cache<String, Int>.dictionary() + disk + network).clocked(by: clock)
    let get = cache.getWithProvenance("a")
    time.advance(by: .seconds(2))
    origin.succeed(2)
    continuation.succeed(1)
    XCTAssertEqual(get.outcome?.value?.value, 2)
    XCTAssertEqual(get.outcome?.value?.provenance.level, "network")
  }

  func testObserversStillSeeTheGet() {
    let statistics = CacheStatistics()
    let cache = Cache<String, Int>.constant(1).named("one").observed(by: statistics)
    XCTAssertEqual(level(cache)?.level, "one")
    XCTAssertEqual(statistics.snapshot["one"]?.hits, 1)
  }

  private enum Request {
    @TaskLocal static var id = 0
  }

  func testObserversOfHitsAndAsyncLoadsSeeTheCallersTaskLocalValues() async throws {
    let (seen, loaded) = (Lock<[Int]>([]), Lock<[Int]>([]))
    let origin = Fetcher<String, Int> { (key: String) async throws in
      await Task.yield()
      loaded.withLock { $0.append(Request.id) }
      return key.count
    }
    let pages = (Cache<String, Int>.memory().named("memory") + origin.pooled()).observed { event in
      if event.stage == "memory", case .success = event.outcome, event.operation == .get {
        seen.withLock { $0.append(Request.id) }
      }
    }
    for id in 1...2 {
      try await Request.$id.withValue(id) { _ = try await pages.value(for: "a") }
    }
    XCTAssertEqual(loaded.withLock { $0 }, [1])
    XCTAssertEqual(seen.withLock { $0 }, [2])
  }

  func testTheDescriptionNamesWhatIsKnown() {
    XCTAssertEqual(
      Provenance("disk", age: .seconds(12), isStale: true).description,
      "disk, 12.0 s old, stale")
    XCTAssertEqual(
      Provenance("network", age: .zero, isJoined: true, isLoaded: true).description,
      "network, loaded, joined")
    XCTAssertEqual(Provenance(nil).description, "unknown level")
  }
}

extension Provenance {
  fileprivate init(
    _ level: String?, age: Duration? = nil, isStale: Bool = false, isJoined: Bool = false,
    isLoaded: Bool = false
  ) {
    self.init(level: level, age: age, isStale: isStale, isJoined: isJoined, isLoaded: isLoaded)
  }
}
