import Foundation
import XCTest

@testable import StrataCore
@testable import StrataRedis
@testable import StrataVerbs

/// Tests stale values. The Redis level returns stale values, but a verb above the level rejects
/// them.
final class RedisRefreshingTests: RedisCase {
  private let manual = TimeSource.manual()

  private func level(_ patience: Duration? = nil) -> Cache<String, Stamped<Data>> {
    .redis(server(), prefix: prefix, waitingForLoads: patience, clock: manual.clock)
  }

  private func set(_ text: String, by writer: Cache<String, Stamped<Data>>) throws {
    let stamped = Stamped(Data(text.utf8), storedAt: manual.clock.now(), lasting: .seconds(600))
    try writer.set("k", stamped).settled()
  }

  private let freshness = Freshness(
    for: .seconds(60), staleWhileRevalidate: .seconds(300), staleIfError: .seconds(500),
    pause: .zero)

  /// A pipeline that loads a value from the origin if the stored value is older than a minute.
  private func bounded(by origin: HeldOrigin) -> Cache<String, Data> {
    level(.seconds(300)).aged(atMost: .seconds(60)).expiring(after: .seconds(600)) + origin.fetcher
  }

  /// Stores a value, advances the clock until the value is stale, and begins to load a new value.
  /// Returns two services, each with its own origin, and the pending get of the first service.
  private func beginLoad(
    after age: Duration = .seconds(61)
  ) throws -> (origins: [HeldOrigin], caches: [Cache<String, Data>], first: Promise<Data>) {
    let origins = [HeldOrigin(), HeldOrigin()]
    let caches = origins.map { bounded(by: $0) }
    try set("old", by: level())
    manual.time.advance(by: age)
    let first = caches[0].get("k")
    Self.wait { origins[0].count == 1 }
    return (origins, caches, first)
  }

  /// Stores a value, advances the clock until the value is stale, and begins a refresh.
  private func beginRefresh() throws -> (origin: HeldOrigin, cache: Cache<String, Data>) {
    let origin = HeldOrigin()
    try set("old", by: level())
    let cache = level().refreshing(freshness, from: origin.fetcher)
    manual.time.advance(by: .seconds(61))
    XCTAssertEqual(try text(cache.get("k")), "old")
    Self.wait { origin.count == 1 }
    return (origin, cache)
  }

  private func text(_ promise: Promise<Data>) throws -> String {
    String(decoding: try promise.settled(), as: UTF8.self)
  }

  /// Waits until the server stores the given text.
  private func wait(for text: String) throws {
    let reader = level()
    Self.wait { (try? reader.get("k").settled())?.value == Data(text.utf8) }
    XCTAssertEqual(try reader.get("k").settled().value, Data(text.utf8))
  }

  func testARefreshReplacesAStaleValue() throws {
    let (origin, cache) = try beginRefresh()
    XCTAssertEqual(try text(cache.get("k")), "old")
    XCTAssertEqual(try level().get("k").settled().value, Data("old".utf8))
    origin.end("new")
    try wait(for: "new")
    XCTAssertEqual(try text(cache.get("k")), "new")
    XCTAssertEqual(origin.count, 1)
  }

  func testOneProcessRefreshesForAll() throws {
    let origins = (0..<2).map { _ in HeldOrigin() }
    let services = origins.map { level(.seconds(300)).refreshing(freshness, from: $0.fetcher) }
    try set("old", by: level())
    manual.time.advance(by: .seconds(61))
    XCTAssertEqual(try text(services[0].get("k")), "old")
    Self.wait { origins[0].count == 1 }
    XCTAssertEqual(try beginWaiting { try text(services[1].get("k")) }, "old")
    origins[0].end("new")
    try wait(for: "new")
    for service in services { XCTAssertEqual(try text(service.get("k")), "new") }
    XCTAssertEqual(origins.map(\.count), [1, 0])
  }

  /// After the window of `staleWhileRevalidate`, a get waits for a load, but only `waitingAtMost`, even
  /// if another process is loading, and the level would wait longer.
  func testAStaleValueIsServedWhileAnotherProcessLoads() throws {
    let origins = (0..<2).map { _ in HeldOrigin() }
    let services = origins.map { level(.seconds(300)).refreshing(freshness, from: $0.fetcher) }
    try set("old", by: level())
    manual.time.advance(by: .seconds(400))
    let first = services[0].get("k")
    Self.wait { origins[0].count == 1 }
    let second = try beginWaiting { services[1].get("k") }
    XCTAssertNil(second.outcome)
    manual.time.advance(by: .seconds(1))
    XCTAssertEqual(try text(second), "old")
    XCTAssertEqual(try text(first), "old")
    origins[0].end("new")
    try wait(for: "new")
    XCTAssertEqual(origins.map(\.count), [1, 0])
  }

  func testAStaleValueOutlivesAFailedRefresh() throws {
    let origin = HeldOrigin()
    let cache = level().refreshing(freshness, from: origin.fetcher)
    try set("old", by: level())
    manual.time.advance(by: .seconds(400))
    for number in 1...2 {
      let get = cache.get("k")
      Self.wait { origin.count == number }
      origin.fail()
      XCTAssertEqual(try text(get), "old")
      manual.time.advance(by: .seconds(11))
    }
  }

  func testAFailedRefreshEndsItsLease() throws {
    let origin = HeldOrigin()
    let cache = level(.seconds(300)).refreshing(freshness, from: origin.fetcher)
    try set("old", by: level())
    manual.time.advance(by: .seconds(400))
    for number in 1...3 {
      let get = cache.get("k")
      Self.wait { origin.count == number }
      origin.fail()
      XCTAssertEqual(try text(get), "old")
    }
  }

  private func checkRefresh(
    overtakenBy write: (Cache<String, Stamped<Data>>) throws -> Void, leaves expected: String?
  ) throws {
    let (errors, origin, other) = (Lock<[any Error]>([]), HeldOrigin(), level())
    try set("old", by: other)
    let cache = (level().aged(atMost: .seconds(60)).expiring(after: .seconds(600)) + origin.fetcher)
      .observed { event in
        if event.operation == .backFill, case .failure(let error) = event.outcome {
          errors.withLock { $0.append(error) }
        }
      }
    manual.time.advance(by: .seconds(61))
    let get = cache.get("k")
    Self.wait { origin.count == 1 }
    try write(other)
    origin.end("outdated")
    XCTAssertEqual(try text(get), "outdated")
    Self.wait { errors.withLock { !$0.isEmpty } }
    XCTAssertEqual(errors.withLock { $0.first as? RedisError }, .overtaken)
    let found = try? other.get("k").settled().value
    XCTAssertEqual(found, expected.map { Data($0.utf8) })
  }

  func testASetOvertakesARefresh() throws {
    try checkRefresh(overtakenBy: { try self.set("set", by: $0) }, leaves: "set")
  }

  func testARemoveOvertakesARefresh() throws {
    try checkRefresh(overtakenBy: { try $0.remove("k").settled() }, leaves: nil)
  }

  func testAClearOvertakesARefresh() throws {
    try checkRefresh(overtakenBy: { try $0.clear().settled() }, leaves: nil)
  }

  func testAnExpiredLeaseIsReplaced() throws {
    let (origins, caches, first) = try beginLoad()
    manual.time.advance(by: .seconds(11))
    let second = caches[1].get("k")
    Self.wait { origins[1].count == 1 }
    origins[1].end("new")
    XCTAssertEqual(try text(second), "new")
    try wait(for: "new")
    origins[0].end("outdated")
    XCTAssertEqual(try text(first), "outdated")
    XCTAssertEqual(try text(caches[1].get("k")), "new")
  }

  func testARenewedRecordKeepsItsLifetime() throws {
    let refresh = try beginRefresh()
    let reply = try raw().send("PTTL", prefix + "k").dropFirst().prefix { $0.isNumber }
    XCTAssertTrue((1...600_000).contains(Int(reply) ?? 0), "\(reply)")
    withExtendedLifetime(refresh) {}
  }

  func testADamagedRecordWithALeaseIsDetected() throws {
    let refresh = try beginRefresh()
    try raw().send("SETRANGE", prefix + "k", "5", "x")
    XCTAssertThrowsError(try level().get("k").settled()) {
      XCTAssertEqual($0 as? RedisError, .damaged)
    }
    withExtendedLifetime(refresh) {}
  }

  func testAWaitingGetLoadsAfterAFailedRefresh() throws {
    let (origins, caches, first) = try beginLoad()
    let second = try beginWaiting { caches[1].get("k") }
    origins[0].fail()
    XCTAssertThrowsError(try first.settled())
    Self.wait { origins[1].count == 1 }
    origins[1].end("new")
    XCTAssertEqual(try text(second), "new")
    try wait(for: "new")
  }

  func testALeaseOutlivesTheDeadlineOfItsValue() throws {
    let (origins, caches, first) = try beginLoad(after: .seconds(595))
    manual.time.advance(by: .seconds(6))
    let second = try beginWaiting { caches[1].get("k") }
    origins[0].end("new")
    XCTAssertEqual(try text(first), "new")
    XCTAssertEqual(try text(second), "new")
    XCTAssertEqual(origins[1].count, 0)
  }

  func testAClockMayBeNineSecondsBehind() throws {
    let (other, otherClock) = TimeSource.manual(startingAt: manual.clock.now())
    otherClock.advance(by: .seconds(9))
    let origins = (HeldOrigin(), HeldOrigin())
    let slow = level(.seconds(300)).refreshing(freshness, from: origins.0.fetcher)
    let fast = Cache<String, Stamped<Data>>
      .redis(server(), prefix: prefix, waitingForLoads: .seconds(300), clock: other)
      .refreshing(freshness, from: origins.1.fetcher)
    try set("old", by: level())
    manual.time.advance(by: .seconds(61))
    otherClock.advance(by: .seconds(61))
    XCTAssertEqual(try text(fast.get("k")), "old")
    Self.wait { origins.1.count == 1 }
    XCTAssertEqual(try beginWaiting { try text(slow.get("k")) }, "old")
    origins.1.end("new")
    try wait(for: "new")
    XCTAssertEqual(try text(slow.get("k")), "new")
    XCTAssertEqual(origins.0.count, 0)
  }
}
