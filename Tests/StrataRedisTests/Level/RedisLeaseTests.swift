import Foundation
import XCTest

@testable import StrataCore
@testable import StrataRedis
@testable import StrataVerbs

/// Tests two services that share a level. Each test controls when the origin's loads end.
final class RedisLeaseTests: RedisCase {
  /// An origin whose loads end when the test calls `endFirst`.
  private final class SlowOrigin: Sendable {
    private let loads = Lock<[Promise<Data>.Continuation]>([])

    var fetcher: Fetcher<String, Data> {
      Fetcher { _ in Promise { continuation in self.loads.withLock { $0.append(continuation) } } }
    }

    var count: Int { loads.withLock { $0.count } }

    /// Waits until the origin has at least the given number of unfinished loads.
    func waitForLoads(_ number: Int) {
      RedisCase.wait { count >= number }
    }

    func failFirst() {
      let first = loads.withLock { $0.removeFirst() }
      first.fail(CacheError.notFound)
    }

    func endFirst(_ text: String) {
      let first = loads.withLock { $0.removeFirst() }
      first.succeed(Data(text.utf8))
    }
  }

  private func level(_ patience: Duration? = nil) -> Cache<String, Data> {
    .redis(server(), prefix: prefix, waitingForLoads: patience)
  }

  private func text(_ promise: Promise<Data>) throws -> String {
    String(decoding: try promise.settled(), as: UTF8.self)
  }

  /// Gets a value. Before this get, the server executes all earlier back-fills, because the client
  /// sent those back-fills first on the same connection. Repeats the get while the result is
  /// `value`, for up to 30 attempts in total.
  private func found(in level: Cache<String, Data>, unless value: String = "") throws -> String? {
    var found: String?
    for _ in 0..<30 {
      found = (try? level.get("k").settled()).map { String(decoding: $0, as: UTF8.self) }
      if found != value { return found }
      usleep(10_000)
    }
    return found
  }

  func testACancelledGetLeavesNoLease() throws {
    let store = RedisStore(server(), prefix: prefix, valueLimit: 100)
    let leasing = RedisLeasing(duration: 3_600_000, patience: .seconds(1))
    let keys = (0..<200).map { "k\($0)" }
    // Without an epoch, the first lease begins one, and the other gets don't know its number yet.
    try store.set("other", Data(), .bytes).settled()
    for key in keys {
      let get = store.lease(key, rejects: false, leasing, .bytes)
      usleep(.random(in: 0..<500))
      get.cancel()
    }
    let raw = try raw()
    Self.wait { keys.allSatisfy { raw.send("EXISTS", prefix + $0) == ":0\r\n" } }
  }

  func testABackFillStoresTheValue() throws {
    let (one, other) = (level(), level())
    let sum = one + Fetcher(offMainThread: false) { _ in Data("loaded".utf8) }
    XCTAssertEqual(try text(sum.get("k")), "loaded")
    Self.wait { (try? other.get("k").settled()) != nil }
    XCTAssertEqual(try text(other.get("k")), "loaded")
  }

  private func check(
    _ write: (Cache<String, Data>) -> Promise<Void>, leaves expected: String?,
    through wrap: (Cache<String, Data>) -> Cache<String, Data> = { $0 }
  ) throws {
    let (origin, errors) = (SlowOrigin(), Lock<[any Error]>([]))
    let (one, other) = (level(), level())
    let service = (wrap(one) + origin.fetcher).observed { event in
      if event.operation == .backFill, case .failure(let error) = event.outcome {
        errors.withLock { $0.append(error) }
      }
    }
    let get = service.get("k")
    origin.waitForLoads(1)
    try write(other).settled()
    origin.endFirst("old")
    XCTAssertEqual(try text(get), "old")
    Self.wait { errors.withLock { !$0.isEmpty } }
    XCTAssertEqual(errors.withLock { $0.first as? RedisError }, .overtaken)
    XCTAssertEqual(try found(in: other, unless: expected ?? ""), expected)
  }

  func testALaterSetOfAnotherProcessWins() throws {
    try check({ $0.set("k", Data("new".utf8)) }, leaves: "new")
  }

  func testALaterRemoveOfAnotherProcessWins() throws {
    try check({ $0.remove("k") }, leaves: nil)
  }

  func testALaterClearOfAnotherProcessWins() throws {
    try check({ $0.clear() }, leaves: nil)
  }

  func testLeasesPassThroughVerbsAndMaps() throws {
    try check({ $0.remove("k") }, leaves: nil) { level in
      ({ (key: String) in key } <^> level <*> .identity).pooled().named("redis")
        .conditioned { _ in true }
    }
  }

  func testLeasesPassThroughASumInAVerb() throws {
    try check({ $0.remove("k") }, leaves: nil) { level in
      (Cache<String, Data>.memory(capacity: 0) + level).pooled()
    }
  }

  func testALaterMissHasANewLease() throws {
    let origin = SlowOrigin()
    let (one, other) = (level(), level())
    let (first, second) = (one + origin.fetcher, other + origin.fetcher)
    let early = first.get("k")
    origin.waitForLoads(1)
    try other.remove("k").settled()
    let late = second.get("k")
    origin.waitForLoads(2)
    origin.endFirst("old")
    XCTAssertEqual(try text(early), "old")
    XCTAssertNil(try found(in: one), "The early back-fill should have no lease.")
    origin.endFirst("new")
    XCTAssertEqual(try text(late), "new")
    Self.wait { (try? one.get("k").settled()) != nil }
    XCTAssertEqual(try text(one.get("k")), "new")
  }

  func testAMissOfASumIsAPlainMiss() throws {
    let sum = Cache<String, Data>.memory() + level()
    XCTAssertThrowsError(try sum.get("k").settled()) {
      XCTAssertEqual($0 as? CacheError, .notFound)
    }
    XCTAssertThrowsError(try (level() + level()).get("l").settled()) {
      XCTAssertEqual($0 as? CacheError, .notFound)
    }
  }

  func testOneProcessLoadsForAll() throws {
    let origin = SlowOrigin()
    let services = (0..<5).map { _ in level(.seconds(300)) + origin.fetcher }
    let gets = services.map { $0.get("k") }
    origin.waitForLoads(1)
    origin.endFirst("loaded")
    for get in gets { XCTAssertEqual(try text(get), "loaded") }
    XCTAssertEqual(origin.count, 0)
  }

  func testPatienceEnds() throws {
    let origin = SlowOrigin()
    let gets = (0..<2).map { _ in (level(.milliseconds(30)) + origin.fetcher).get("k") }
    origin.waitForLoads(2)
    origin.endFirst("a")
    origin.endFirst("b")
    for get in gets { XCTAssertNoThrow(try get.settled()) }
  }

  func testAFailedLoadEndsItsLease() throws {
    let origin = SlowOrigin()
    let services = (0..<2).map { _ in level(.seconds(300)) + origin.fetcher }
    let first = services[0].get("k")
    origin.waitForLoads(1)
    try raw().send("PERSIST", prefix + "k")  // The lease no longer ends by itself.
    let second = services[1].get("k")
    origin.failFirst()
    XCTAssertThrowsError(try first.settled()) { XCTAssertTrue($0.isMiss) }
    origin.waitForLoads(1)
    origin.endFirst("loaded")
    XCTAssertEqual(try text(second), "loaded")
  }

  func testAFailedLoadOfAGetThatSharesALeaseDoesNotEndTheLease() throws {
    let (one, other) = (SlowOrigin(), SlowOrigin())
    let first = (level(.milliseconds(30)) + one.fetcher).get("k")
    one.waitForLoads(1)
    let second = (level(.milliseconds(30)) + other.fetcher).get("k")
    other.waitForLoads(1)
    other.failFirst()
    XCTAssertThrowsError(try second.settled())
    one.endFirst("loaded")
    XCTAssertEqual(try text(first), "loaded")
    Self.wait { (try? level().get("k").settled()) != nil }
    XCTAssertEqual(try text(level().get("k")), "loaded")
  }

  func testADamagedRecordIsReplacedByTheBackFill() throws {
    let level = level()
    try level.set("k", Data("value".utf8)).settled()
    try raw().send("SETRANGE", prefix + "k", "0", "V")
    let sum = level + Fetcher(offMainThread: false) { _ in Data("new".utf8) }
    XCTAssertEqual(try text(sum.get("k")), "new")
    Self.wait { (try? level.get("k").settled()) != nil }
    XCTAssertEqual(try text(level.get("k")), "new")
  }

  func testAGetFailsIfAnotherProgramHasWrittenTheEpoch() throws {
    try raw().send("SET", prefix + "\u{1}epoch", "foreign")
    let sum = level() + Fetcher(offMainThread: false) { _ in Data("loaded".utf8) }
    XCTAssertEqual(try text(sum.get("k")), "loaded")
    let store = RedisStore(server(), prefix: prefix, valueLimit: 100)
    let get = store.lease("k", rejects: false, RedisLeasing(), .bytes)
    XCTAssertThrowsError(try get.settled()) { XCTAssertEqual($0 as? RedisError, .damaged) }
  }

  func testTheDigestsAreThoseOfTheTexts() throws {
    for script in [RedisScript.lease, .replaceEnding, .fill] {
      let reply = try server().client.command(
        ["SCRIPT", "LOAD", script.text].map { Array($0.utf8) }, isRepeatable: true
      ).settled()
      XCTAssertEqual(reply.string, script.digest)
    }
  }

  func testALeaseProlongsTheLifetimeOfItsRecord() throws {
    let raw = try raw()
    raw.send("SET", prefix + "k", "value ends", "PX", "300000")
    let arguments = [" ends", " with a lease", "600000"].map { Array($0.utf8) }
    let key = Array((prefix + "k").utf8)
    let client = server().client
    let run = client.run(.replaceEnding, keys: [key], arguments, by: client.deadline)
    XCTAssertEqual(try run.settled(), .integer(1))
    XCTAssertTrue(raw.send("GET", prefix + "k").contains("value with a lease"))
    let reply = raw.send("PTTL", prefix + "k").dropFirst().prefix { $0.isNumber }
    XCTAssertTrue((300_001...600_000).contains(Int(reply) ?? 0), "\(reply)")
  }
}
