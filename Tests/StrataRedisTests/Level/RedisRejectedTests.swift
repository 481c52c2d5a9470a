import Foundation
import XCTest

@testable import StrataCore
@testable import StrataRedis
@testable import StrataVerbs

/// Tests values that a codec or a verb rejects, although they aren't stale.
final class RedisRejectedTests: RedisCase {
  private let manual = TimeSource.manual()

  func testAValueOfAnotherModelIsReplaced() throws {
    let loads = Lock(0)
    let bytes = Cache<String, Data>.redis(server(), prefix: prefix)
    try bytes.set("k", Data("no number".utf8)).settled()
    let numbers: Cache<String, Int> = .redis(server(), prefix: prefix) <*> .json()
    let origin = Fetcher<String, Int>(offMainThread: false) { _ in
      loads.withLock { $0 += 1 }
      return 7
    }
    let cache = Cache<String, Int>.memory().named("near") + numbers + origin
    XCTAssertEqual(try cache.get("k").settled(), 7)
    Self.wait { (try? numbers.get("k").settled()) == 7 }
    XCTAssertEqual(try numbers.get("k").settled(), 7)
    XCTAssertEqual(loads.withLock { $0 }, 1)
  }

  /// The value in memory and the value in Redis are both too old, so the sum loads a new one. Redis
  /// stores it, and the memory level must follow.
  func testAMemoryThatFollowsReplacesAnOldValue() throws {
    let (server, clock) = (server(), manual.clock)
    let memory = Cache<String, Stamped<Data>>.memory(clock: clock)
    let shared: Cache<String, Stamped<Data>> = .redis(server, prefix: prefix, clock: clock)
    let origin = Fetcher<String, Stamped<Data>>(offMainThread: false) { _ in
      Stamped(Data("far".utf8), storedAt: clock.now(), lasting: .seconds(600))
    }
    let storage = memory.following(server, prefix: prefix) + shared
    let cache = storage.aged(atMost: .seconds(5)) + origin
    func wait(for isDue: (TimeSource.Instant) -> Bool) throws -> TimeSource.Instant {
      Self.wait {
        _ = try? cache.get("k").settled()
        return (try? memory.get("k").settled()).map { isDue($0.storedAt) } ?? false
      }
      return try memory.get("k").settled().storedAt
    }
    let first = try wait { _ in true }
    manual.time.advance(by: .seconds(6))
    XCTAssertGreaterThan(try wait { $0 > first }, first)
    XCTAssertGreaterThan(try shared.get("k").settled().storedAt, first)
  }

  func testAValueThatANestedSumRejectsIsReplaced() throws {
    let near = Cache<String, Stamped<Data>>.memory(clock: manual.clock)
    let far: Cache<String, Stamped<Data>> = .redis(server(), prefix: prefix, clock: manual.clock)
    let storage = (near + far).named("storage").aged(atMost: .seconds(60))
    let cache =
      storage.expiring(after: .seconds(600))
      + Fetcher(offMainThread: false) { _ in Data("new".utf8) }
    let old = Stamped(Data("old".utf8), storedAt: manual.clock.now(), lasting: .seconds(600))
    try far.set("k", old).settled()
    XCTAssertEqual(try cache.get("k").settled(), Data("old".utf8))
    manual.time.advance(by: .seconds(61))
    XCTAssertEqual(try cache.get("k").settled(), Data("new".utf8))
    Self.wait { (try? far.get("k").settled())?.value == Data("new".utf8) }
    XCTAssertEqual(try far.get("k").settled().value, Data("new".utf8))
    XCTAssertEqual(try near.get("k").settled().value, Data("new".utf8))
  }

  /// Simulates a replica that lags and a primary whose record has changed. The replica always
  /// returns the rejected value, and the primary refuses the get's lease.
  func testAReplicaThatLagsDoesNotCauseALoop() throws {
    let name = Array((prefix + "k").utf8)
    let record = RedisRecord(contents: Data("old".utf8), created: 0)
    let bytes = record.value + record.ending(for: name, epoch: 9)
    let values = [Data(RedisEpoch.bytes(9)), bytes].map { value in
      Data("$\(value.count)\r\n".utf8) + value + Data("\r\n".utf8)
    }
    let fake = try FakeRedis { request, _ in
      if let greeting = FakeRedis.greeting(request) { return greeting }
      return request[0] == "MGET"
        ? .data(Data("*2\r\n".utf8) + values[0] + values[1]) : .bytes(":0\r\n")
    }
    defer { fake.stop() }
    let server = try RedisServer("redis://127.0.0.1:\(fake.port)", deadline: .seconds(60))
    let numbers: Cache<String, Int> = .redis(server, prefix: prefix) <*> .json()
    XCTAssertEqual(try (numbers + Fetcher(offMainThread: false) { _ in 7 }).get("k").settled(), 7)
    let commands = fake.received.map { $0[0] }
    XCTAssertEqual(commands, ["MGET", "MGET", "EVALSHA", "MGET"])
  }
}
