import Foundation
import Strata
import XCTest

@testable import StrataRedis

/// Tests that a successful write was visible, and that a failed one doesn't leave the old value.
final class RedisStoreWriteTests: RedisCase {
  private func level(_ server: RedisServer? = nil, valueLimit: Int = 8 << 20) -> Cache<String, Data>
  {
    .redis(server ?? self.server(), prefix: prefix, valueLimit: valueLimit)
  }

  private func clusterLevel() throws -> Cache<String, Data> {
    let cluster = try RedisClusterProcess.shared()
    return .redis(
      try RedisServer(cluster: cluster.addresses, deadline: .seconds(60)), prefix: prefix)
  }

  private let (one, two) = (Data("1".utf8), Data("2".utf8))

  func testASetAfterAnotherClearIsVisible() throws {
    for pair in [[level(), level()], [try clusterLevel(), try clusterLevel()]] {
      let (writer, other) = (pair[0], pair[1])
      for round in 0..<50 {
        try other.clear().settled()
        let sets = (0..<3).map { writer.set("k\(round) \($0)", one) }
        for set in sets { try set.settled() }
        for number in 0..<3 {
          XCTAssertEqual(try? other.get("k\(round) \(number)").settled(), one)
        }
      }
    }
  }

  func testASetAfterTheServerHasLostTheEpochIsVisible() throws {
    let process = try RedisProcess()
    defer { process.remove() }
    let server = try RedisServer(process.address, deadline: .seconds(60))
    let (writer, other) = (level(server), level(try RedisServer(process.address)))
    let raw = try XCTUnwrap(RawClient(port: process.port))
    for round in 0..<20 {
      raw.send("FLUSHALL")
      try writer.set("k\(round)", one).settled()
      XCTAssertEqual(try? other.get("k\(round)").settled(), one)
    }
  }

  /// The first of two writes is not sent again after the second one.
  func testTheLastOwnWriteStaysTheLast() throws {
    let (writer, other) = (level(), level())
    for _ in 0..<50 {
      try other.clear().settled()
      let writes = [
        writer.set("replaced", one), writer.set("replaced", two),
        writer.set("removed", one), writer.remove("removed"),
      ]
      for write in writes { try write.settled() }
      XCTAssertEqual(try other.get("replaced").settled(), two)
      XCTAssertNil(try? other.get("removed").settled())
      try other.clear().settled()
      let (set, clear) = (writer.set("cleared", one), writer.clear())
      try set.settled()
      try clear.settled()
      XCTAssertNil(try? other.get("cleared").settled())
    }
  }

  func testAFailedWriteRemovesTheOldValue() throws {
    let process = try RedisProcess()
    defer { process.remove() }
    let raw = try XCTUnwrap(RawClient(port: process.port))
    let writer = level(try RedisServer(process.address, deadline: .seconds(60)), valueLimit: 10)
    let other = level(try RedisServer(process.address, deadline: .seconds(60)))
    for value in [two, Data(count: 11)] {
      raw.send("CONFIG", "SET", "maxmemory", "0")
      try writer.set("k", one).settled()
      try writer.set("l", one).settled()
      raw.send("CONFIG", "SET", "maxmemory", "1")
      XCTAssertThrowsError(try writer.set("k", value).settled())
      XCTAssertNil(writer.get("k").outcome?.value)
      Self.wait { (try? other.get("k").settled()) == nil }
      XCTAssertEqual(try other.get("l").settled(), one)
    }
    XCTAssertThrowsError(try writer.clear().settled())
    Self.wait { (try? other.get("l").settled()) == nil }
    raw.send("CONFIG", "SET", "maxmemory", "0")
    try writer.set("k", two).settled()
    XCTAssertEqual(try writer.get("k").settled(), two)
  }

  /// Otherwise, the key would stay hidden, and the old value would stay on the server.
  func testARemovalThatTheServerRefusesIsRepeated() throws {
    for (refusal, refused) in [
      ("-ERR unknown command", ["UNLINK"]), ("-LOADING x", ["UNLINK", "DEL", "UNLINK"]),
    ] {
      let removals = Lock(0)
      let fake = try FakeRedis { request, _ in
        if let greeting = FakeRedis.greeting(request) { return greeting }
        switch request[0] {
        case "GET": return .bytes("$8\r\nAAAAAAAA\r\n")
        case "SET": return .bytes(request.last == "NX" ? "+OK\r\n" : "-OOM full\r\n")
        case "UNLINK", "DEL":
          let isRefused = removals.withLock { removals in
            removals += 1
            return removals <= refused.count
          }
          return .bytes(isRefused ? "\(refusal)\r\n" : ":1\r\n")
        default: return .bytes("+OK\r\n")
        }
      }
      let server = try RedisServer("redis://127.0.0.1:\(fake.port)", deadline: .seconds(300))
      XCTAssertThrowsError(try level(server).set("k", one).settled())
      Self.wait { server.client.journal.isEmpty }
      let sent = fake.received.filter { ["UNLINK", "DEL"].contains($0[0]) }
      XCTAssertEqual(
        sent.map { $0[0] }, refused + [refused.count % 2 == 0 ? "UNLINK" : "DEL"], refusal)
    }
  }

  func testAWriteThatFailsWithItsConnectionRemovesTheOldValue() throws {
    let process = try RedisProcess()
    defer { process.remove() }
    let writer = level(try RedisServer(process.address, deadline: .milliseconds(300)))
    let other = level(try RedisServer(process.address, deadline: .seconds(60)))
    let keys = (0..<20).map { "k\($0)" }
    for key in keys { Self.wait { (try? writer.set(key, one).settled()) != nil } }
    kill(process.processID, SIGSTOP)
    for set in keys.map({ writer.set($0, two) }) { XCTAssertThrowsError(try set.settled()) }
    for key in keys { XCTAssertTrue(writer.get(key).outcome?.error?.isMiss == true) }
    kill(process.processID, SIGCONT)
    Self.wait { keys.allSatisfy { (try? other.get($0).settled()) != one } }
    for key in keys { Self.wait { (try? writer.set(key, two).settled()) != nil } }
    for key in keys { XCTAssertEqual(try other.get(key).settled(), two) }
  }

  func testAWriteThatAClusterRefusesRemovesTheOldValue() throws {
    let cluster = try RedisClusterProcess.shared()
    let (writer, other) = (try clusterLevel(), try clusterLevel())
    try writer.set("k", one).settled()
    let raws = cluster.servers.compactMap { RawClient(port: $0.port) }
    for raw in raws { raw.send("CONFIG", "SET", "maxmemory", "1") }
    defer { for raw in raws { raw.send("CONFIG", "SET", "maxmemory", "0") } }
    XCTAssertThrowsError(try writer.set("k", two).settled())
    Self.wait { (try? other.get("k").settled()) == nil }
  }

  /// The server restarts with the values of its last snapshot.
  func testARestartBringsNothingBack() throws {
    for persistsWrites in [false, true] {
      let process = try RedisProcess()
      defer { process.remove() }
      func client() -> Cache<String, Data> {
        level(
          try! RedisServer(
            process.address, deadline: .seconds(60), persistsWrites: persistsWrites))
      }
      let levels = [client(), client()]
      for key in ["replaced", "removed", "old"] { try levels[0].set(key, one).settled() }
      for level in levels { XCTAssertEqual(try level.get("old").settled(), one) }
      RawClient(port: process.port)?.send("SAVE")
      try levels[0].set("replaced", two).settled()
      try levels[0].remove("removed").settled()
      process.stop()
      try process.start()
      for level in levels + [client()] {
        for key in ["replaced", "removed", "old"] {
          XCTAssertEqual(try found(key, in: level), persistsWrites ? one : nil, key)
        }
      }
      if persistsWrites { continue }
      // Only the first client that notices the restart drops the values.
      let late = client()
      try levels[0].set("new", two).settled()
      for level in levels + [late] { XCTAssertEqual(try found("new", in: level), two) }
    }
  }

  /// Returns the value of a key, or `nil` for a miss. Tries again while the server can't be
  /// reached.
  private func found(_ key: String, in level: Cache<String, Data>) throws -> Data? {
    var found: Data?
    Self.wait {
      let outcome = Result { try level.get(key).settled() }
      found = try? outcome.get()
      if case .failure(let error) = outcome { return error.isMiss }
      return true
    }
    return found
  }
}
