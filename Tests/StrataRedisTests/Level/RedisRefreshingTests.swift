import Foundation
import XCTest

@testable import Strata
@testable import StrataRedis

/// Tests values that the level returns and a verb above the level rejects because they are stale.
final class RedisRefreshingTests: RedisCase {
  private let time = TimeSource.manual()

  private func level(_ patience: Duration? = nil) -> Cache<String, Stamped<Data>> {
    .redis(server(), prefix: prefix, waitingForLoads: patience, clock: time.time)
  }

  private func set(_ text: String, by writer: Cache<String, Stamped<Data>>) throws {
    let stamped = Stamped(Data(text.utf8), storedAt: time.time.now(), lasting: .seconds(600))
    try writer.set(stamped, for: "k").settled()
  }

  /// An origin whose loads end when the test calls `end`.
  private final class Origin: Sendable {
    private let state = Lock<(count: Int, loads: [Promise<Data>.Continuation])>((0, []))

    var fetcher: Fetcher<String, Data> {
      Fetcher { _ in
        Promise { continuation in
          self.state.withLock { state in
            state.count += 1
            state.loads.append(continuation)
          }
        }
      }
    }

    var count: Int { state.withLock { $0.count } }

    func end(_ text: String) {
      let load = state.withLock { $0.loads.isEmpty ? nil : $0.loads.removeFirst() }
      load?.succeed(Data(text.utf8))
    }

    func fail() {
      let load = state.withLock { $0.loads.isEmpty ? nil : $0.loads.removeFirst() }
      load?.fail(RedisError.damaged)
    }
  }

  private let freshness = Freshness(
    for: .seconds(60), staleWhileRevalidate: .seconds(300), staleIfError: .seconds(500))

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
    let (writer, origin) = (level(), Origin())
    try set("old", by: writer)
    let cache = level().refreshing(freshness, from: origin.fetcher)
    time.clock.advance(by: .seconds(61))
    XCTAssertEqual(try text(cache.get("k")), "old")
    Self.wait { origin.count == 1 }
    XCTAssertEqual(try text(cache.get("k")), "old")
    XCTAssertEqual(try writer.get("k").settled().value, Data("old".utf8))
    origin.end("new")
    try wait(for: "new")
    XCTAssertEqual(try text(cache.get("k")), "new")
    XCTAssertEqual(origin.count, 1)
  }

  func testOneProcessRefreshesForAll() throws {
    let origins = (0..<5).map { _ in Origin() }
    let services = origins.map {
      level(.seconds(300)).refreshing(freshness, from: $0.fetcher)
    }
    try set("old", by: level())
    time.clock.advance(by: .seconds(61))
    var loads: Int { origins.map(\.count).reduce(0, +) }
    for service in services { XCTAssertEqual(try text(service.get("k")), "old") }
    Self.wait { loads == 1 }
    for service in services { XCTAssertEqual(try text(service.get("k")), "old") }
    for origin in origins { origin.end("new") }
    try wait(for: "new")
    for service in services { XCTAssertEqual(try text(service.get("k")), "new") }
    XCTAssertEqual(loads, 1)
  }

  func testAStaleValueOutlivesAFailedRefresh() throws {
    let origin = Origin()
    let cache = level().refreshing(freshness, from: origin.fetcher)
    try set("old", by: level())
    time.clock.advance(by: .seconds(400))
    for number in 1...2 {
      let get = cache.get("k")
      Self.wait { origin.count == number }
      origin.fail()
      XCTAssertEqual(try text(get), "old")
      time.clock.advance(by: .seconds(11))
    }
  }

  func testAFailedRefreshEndsItsLease() throws {
    let origin = Origin()
    let cache = level(.seconds(300)).refreshing(freshness, from: origin.fetcher)
    try set("old", by: level())
    time.clock.advance(by: .seconds(400))
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
    let (errors, origin, other) = (Lock<[any Error]>([]), Origin(), level())
    try set("old", by: other)
    let cache = (level().maxAge(.seconds(60)).expiring(after: .seconds(600)) + origin.fetcher)
      .observed { event in
        if event.operation == .backFill, case .failure(let error) = event.outcome {
          errors.withLock { $0.append(error) }
        }
      }
    time.clock.advance(by: .seconds(61))
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
    let (first, second) = (Origin(), Origin())
    let caches = [first, second].map {
      level(.seconds(300)).maxAge(.seconds(60)).expiring(after: .seconds(600)) + $0.fetcher
    }
    try set("old", by: level())
    time.clock.advance(by: .seconds(61))
    let early = caches[0].get("k")
    Self.wait { first.count == 1 }
    time.clock.advance(by: .seconds(11))
    let late = caches[1].get("k")
    Self.wait { second.count == 1 }
    second.end("new")
    XCTAssertEqual(try text(late), "new")
    try wait(for: "new")
    first.end("outdated")
    XCTAssertEqual(try text(early), "outdated")
    XCTAssertEqual(try text(caches[1].get("k")), "new")
  }

  func testARenewedRecordKeepsItsLifetime() throws {
    let origin = Origin()
    try set("old", by: level())
    time.clock.advance(by: .seconds(61))
    let cache = level().refreshing(freshness, from: origin.fetcher)
    XCTAssertEqual(try text(cache.get("k")), "old")
    Self.wait { origin.count == 1 }
    let reply = try raw().send("PTTL", prefix + "k").dropFirst().prefix { $0.isNumber }
    XCTAssertTrue((1...600_000).contains(Int(reply) ?? 0), "\(reply)")
  }

  func testADamagedRecordWithALeaseIsDetected() throws {
    let origin = Origin()
    try set("old", by: level())
    time.clock.advance(by: .seconds(61))
    let cache = level().refreshing(freshness, from: origin.fetcher)
    XCTAssertEqual(try text(cache.get("k")), "old")
    Self.wait { origin.count == 1 }
    try raw().send("SETRANGE", prefix + "k", "5", "x")
    XCTAssertThrowsError(try level().get("k").settled()) {
      XCTAssertEqual($0 as? RedisError, .damaged)
    }
  }

  func testAValueThatANestedSumRejectsIsReplaced() throws {
    let origin = Origin()
    let near = Cache<String, Stamped<Data>>.memory(clock: time.time)
    let storage = (near + level()).named("storage").maxAge(.seconds(60))
    let cache = storage.expiring(after: .seconds(600)) + origin.fetcher
    try set("old", by: level())
    XCTAssertEqual(try text(cache.get("k")), "old")
    time.clock.advance(by: .seconds(61))
    let get = cache.get("k")
    Self.wait { origin.count == 1 }
    origin.end("new")
    XCTAssertEqual(try text(get), "new")
    try wait(for: "new")
    XCTAssertEqual(try text(cache.get("k")), "new")
    XCTAssertEqual(try near.get("k").settled().value, Data("new".utf8))
  }
}
