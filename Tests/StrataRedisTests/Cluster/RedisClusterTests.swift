import Foundation
import XCTest

@testable import StrataCore
@testable import StrataRedis
@testable import StrataVerbs

/// Tests a level in a cluster whose slots move between servers and whose servers fail.
final class RedisClusterTests: XCTestCase {
  private var cluster: RedisClusterProcess!
  private let prefix = UUID().uuidString + ":"

  override func setUpWithError() throws { cluster = try .shared() }

  private func server(readsReplicas: Bool = false) -> RedisServer {
    try! RedisServer(
      cluster: cluster.addresses, readsReplicas: readsReplicas, deadline: .seconds(300))
  }

  private func level(_ server: RedisServer? = nil) -> Cache<String, Data> {
    .redis(server ?? self.server(), prefix: prefix)
  }

  /// Returns a key that belongs to the primary server with the given index.
  private func key(on owner: Int) -> String {
    (0...).lazy.map { "k\($0)" }.first { key in
      RedisClusterProcess.owner(self.prefix + key) == owner
    }!
  }

  private func slot(_ key: String) -> Int { RedisSlot.of(Array((prefix + key).utf8)) }

  private func text(_ promise: Promise<Data>) throws -> String {
    String(decoding: try promise.settled(), as: UTF8.self)
  }

  func testKeysSpreadOverAllServers() throws {
    let (one, other) = (level(), level())
    let keys = (0..<60).map { "k\($0)" }
    for key in keys { try one.set(key, Data(key.utf8)).settled() }
    XCTAssertEqual(try other.values(of: keys).settled(), keys.map { Data($0.utf8) })
    XCTAssertEqual(try other.batched().get(keys).settled().count, 60)
    for index in 0..<3 {
      let key = prefix + key(on: index)
      XCTAssertTrue(
        try cluster.raw(index).send("GET", key).hasPrefix("$"),
        "Each primary should store its keys.")
    }
    try other.clear().settled()
    for key in keys {
      XCTAssertThrowsError(try one.get(key).settled()) { XCTAssertTrue($0.isMiss) }
    }
  }

  func testAHashTagMakesOneRequest() throws {
    let level = Cache<String, Data>.redis(server(), prefix: "{\(prefix)}")
    let keys = (0..<100).map { "k\($0)" }
    for key in keys { _ = level.set(key, Data(key.utf8)) }
    XCTAssertEqual(try level.values(of: keys).settled(), keys.map { Data($0.utf8) })
    let raw = try cluster.raw(RedisClusterProcess.owner("{\(prefix)}"))
    RedisCase.wait {
      raw.send("CONFIG", "RESETSTAT")
      return (try? level.values(of: keys).settled()) == keys.map { Data($0.utf8) }
        && raw.calls(of: "mget") ?? .max <= 2
    }
    XCTAssertLessThanOrEqual(
      raw.calls(of: "mget") ?? .max, 2, "One request should read the keys, and one the epoch.")
  }

  func testAMovedSlotIsFound() throws {
    let (one, other) = (level(), level())
    let key = key(on: 0)
    try one.set(key, Data("1".utf8)).settled()
    XCTAssertEqual(try text(other.get(key)), "1")
    try cluster.beginMove(slot(key), from: 0, to: 1)
    try cluster.moveKeys([prefix + key], from: 0, to: 1)
    try cluster.endMove(slot(key), to: 1)
    XCTAssertEqual(try text(other.get(key)), "1")
    try one.set(key, Data("2".utf8)).settled()
    XCTAssertEqual(try text(other.get(key)), "2")
    try one.remove(key).settled()
    XCTAssertThrowsError(try other.get(key).settled()) { XCTAssertTrue($0.isMiss) }
  }

  func testEveryOperationWorksWhileASlotMoves() throws {
    let (one, other) = (level(), level())
    let key = key(on: 1)
    let slot = slot(key)
    // The test also uses other keys of this slot: keys that stay, keys that move, and a new key.
    let stays = "{\(prefix)\(key)}stays"
    let names = [prefix + key, prefix + stays]
    let tagged = Cache<String, Data>.redis(server(), prefix: "{\(prefix)\(key)}")
    try one.set(key, Data("1".utf8)).settled()
    try tagged.set("moves", Data("1".utf8)).settled()
    try tagged.set("stays", Data("1".utf8)).settled()
    try cluster.beginMove(slot, from: 1, to: 2)
    try cluster.moveKeys(
      [names[0], "{\(prefix)\(key)}moves", "{\(prefix)\(key)}\u{1}epoch"], from: 1, to: 2)
    XCTAssertEqual(try text(other.get(key)), "1")
    let found = try tagged.values(of: ["moves", "stays"]).settled()
    XCTAssertEqual(found, [Data("1".utf8), Data("1".utf8)])
    for (cache, key) in [(one, key), (tagged, "moves"), (tagged, "stays"), (tagged, "new")] {
      try cache.set(key, Data("2".utf8)).settled()
      XCTAssertEqual(try text(cache.get(key)), "2", key)
      try cache.remove(key).settled()
      XCTAssertThrowsError(try cache.get(key).settled()) { XCTAssertTrue($0.isMiss, "\($0)") }
      // A miss takes a lease, and the back-fill uses the lease.
      let sum = cache + Fetcher(offMainThread: false) { _ in Data("3".utf8) }
      XCTAssertEqual(try text(sum.get(key)), "3")
      RedisCase.wait { (try? cache.get(key).settled()) != nil }
      XCTAssertEqual(try text(cache.get(key)), "3", key)
    }
    try tagged.clear().settled()
    XCTAssertThrowsError(try tagged.get("stays").settled()) { XCTAssertTrue($0.isMiss, "\($0)") }
    try cluster.endMove(slot, to: 2)
  }

  func testReplicasAnswerGetsOnRequest() throws {
    let level = level(server(readsReplicas: true))
    let keys = (0..<3).map { key(on: $0) }
    for key in keys { try level.set(key, Data(key.utf8)).settled() }
    // The values reach the replicas after a short delay. The client also gets the replicas'
    // addresses after a short delay.
    let raws = try (3..<6).map { try cluster.raw($0) }
    for raw in raws { raw.send("CONFIG", "RESETSTAT") }
    RedisCase.wait {
      let found = try? level.values(of: keys).settled()
      return found == keys.map { Data($0.utf8) }
        && raws.allSatisfy { $0.send("INFO", "commandstats").contains("cmdstat_mget") }
    }
    XCTAssertEqual(try level.values(of: keys).settled(), keys.map { Data($0.utf8) })
    try level.clear().settled()
    for key in keys {
      XCTAssertThrowsError(try level.get(key).settled(), "After a clear, each get should miss.")
    }
  }

  func testMemoryHearsOfTheWritesOnEachServer() throws {
    let (one, other) = (server(), server())
    let memory = Cache<String, Data>.memory().following(one, prefix: prefix)
    let service = memory + .redis(one, prefix: prefix)
    let level = level(other)
    for key in (0..<3).map({ key(on: $0) }) {
      try level.set(key, Data("1".utf8)).settled()
      RedisCase.wait {
        _ = try? service.get(key).settled()
        return memory.get(key).outcome?.value != nil
      }
      XCTAssertNotNil(memory.get(key).outcome?.value)
      try level.set(key, Data("2".utf8)).settled()
      RedisCase.wait { memory.get(key).outcome?.value == nil }
      XCTAssertNil(memory.get(key).outcome?.value)
    }
  }

  func testAnInvalidAddressIsRefusedAtTheStart() {
    for addresses in [[], ["x"], ["redis://a/1"], ["redis://a", "redis://b:0"]] {
      XCTAssertThrowsError(try RedisServer(cluster: addresses)) { error in
        guard case RedisError.invalidAddress = error else { return XCTFail("\(error)") }
      }
    }
  }

  func testADeadSeedIsSkipped() throws {
    let dead = try RedisProcess.freePort()
    let server = try RedisServer(
      cluster: [cluster.servers[0].address(port: dead)] + cluster.addresses, deadline: .seconds(300)
    )
    let level = level(server)
    try level.set("k", Data("1".utf8)).settled()
    XCTAssertEqual(try text(level.get("k")), "1")
  }

  func testASilentSeedLeavesTimeForTheOthers() async throws {
    let silent = try ListeningSocket()
    let addresses = [cluster.servers[0].address(port: silent.port)] + cluster.addresses
    func server() throws -> RedisServer {
      try RedisServer(cluster: addresses, deadline: .seconds(4))
    }
    try await server().ping()
    let level = level(try server())
    try level.set("k", Data("1".utf8)).settled()
    XCTAssertEqual(try text(level.get("k")), "1")
  }

  func testAKilledPrimaryFailsOnlyItsSlotsUntilAReplicaTakesOver() throws {
    let cluster = try RedisClusterProcess()
    defer { cluster.remove() }
    let server = try RedisServer(cluster: cluster.addresses, deadline: .seconds(300))
    // With this prefix, the key that stores the epoch belongs to the first primary.
    let prefix = (0...).lazy.map { "p\($0):" }
      .first { RedisClusterProcess.owner($0 + "\u{1}epoch") == 0 }!
    let keys = (0..<3).map { owner in
      (0...).lazy.map { "k\($0)" }.first { RedisClusterProcess.owner(prefix + $0) == owner }!
    }
    let level = Cache<String, Data>.redis(server, prefix: prefix)
    let memory = Cache<String, Data>.memory().following(server, prefix: prefix)
    let service = memory + level + Fetcher(offMainThread: false) { _ in Data("origin".utf8) }
    let replica = try cluster.raw(4)
    replica.send("READONLY")
    for key in keys { try level.set(key, Data("1".utf8)).settled() }
    RedisCase.wait { replica.send("GET", prefix + keys[1]).contains("1") }
    RedisCase.wait {
      _ = try? service.get(keys[1]).settled()
      return memory.get(keys[1]).outcome?.value != nil
    }

    cluster.servers[1].stop()
    RedisCase.wait { (try? level.get(keys[1]).settled()) == nil }
    XCTAssertThrowsError(try level.get(keys[1]).settled()) { error in
      XCTAssertTrue(error is RedisError, "\(error)")
    }
    XCTAssertEqual(try text(service.get(keys[1])), "origin")
    RedisCase.wait { memory.get(keys[1]).outcome?.value == nil }
    XCTAssertNil(
      memory.get(keys[1]).outcome?.value, "Memory should forget keys whose primary is down.")
    for key in [keys[0], keys[2]] { XCTAssertEqual(try text(level.get(key)), "1") }

    replica.send("CLUSTER", "FAILOVER", "TAKEOVER")
    RedisCase.wait { (try? level.get(keys[1]).settled()) != nil }
    XCTAssertEqual(try text(level.get(keys[1])), "1")
    RedisCase.wait {
      _ = try? service.get(keys[1]).settled()
      return memory.get(keys[1]).outcome?.value != nil
    }
    XCTAssertEqual(memory.get(keys[1]).outcome?.value, Data("1".utf8))
  }

  func testAClientOfOneServerLearnsThatItIsACluster() throws {
    let level = Cache<String, Data>.redis(
      try RedisServer(cluster.addresses[0], deadline: .seconds(300)), prefix: prefix)
    for key in (0..<3).map({ key(on: $0) }) {
      XCTAssertThrowsError(try level.get(key).settled()) { error in
        XCTAssertTrue("\(error)".contains("RedisServer(cluster:)"), "\(error)")
      }
    }
  }
}
