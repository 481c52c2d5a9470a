import Foundation
import XCTest

@testable import StrataRedis

/// A cluster for tests, with three primaries and three replicas on the loopback interface.
///
/// By default, a replica takes over only if a test requests it. With automatic failover, replicas
/// on a loaded machine could take over from primaries that are still running.
final class RedisClusterProcess {
  /// Returns a cluster that all tests share. Each test uses a different key prefix.
  static func shared() throws -> RedisClusterProcess { try sharedProcess.get() }

  nonisolated(unsafe) private static let sharedProcess = Result {
    let cluster = try RedisClusterProcess()
    atexit { try? RedisClusterProcess.shared().remove() }
    return cluster
  }

  /// The three primaries, followed by their replicas in the same order.
  let servers: [RedisProcess]
  private let ids: [String]
  private let timeout: Int
  private let isFailingOver: Bool

  /// - Parameters:
  ///   - timeout: The time, in milliseconds, after which the cluster treats an unresponsive server
  ///     as failed.
  ///   - isFailingOver: Whether the replica of a failed primary takes over.
  /// - Throws: `XCTSkip` if no server is installed.
  init(
    timeout: Int = 600_000, isFailingOver: Bool = false, tls: Certificates.Pair? = nil
  ) throws {
    (self.timeout, self.isFailingOver) = (timeout, isFailingOver)
    let buses = try (0..<6).map { _ in try RedisProcess.freePort() }
    servers = try buses.map { bus in
      try RedisProcess(
        options: [
          "--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf", "--cluster-port",
          "\(bus)", "--cluster-node-timeout", "500", "--repl-diskless-sync-delay", "0",
          "--cluster-replica-validity-factor", "0", "--cluster-replica-no-failover", "yes",
          "--repl-ping-replica-period", "1",
        ], tls: tls)
    }
    ids = (0..<6).map { String(repeating: "\($0 + 1)", count: 40) }
    for own in 0..<6 {
      let text = (0..<6).map { line($0, own: own, bus: buses[$0]) }.joined()
      let file = servers[own].folder.appendingPathComponent("nodes.conf")
      try (text + "vars currentEpoch 3 lastVoteEpoch 0\n")
        .write(to: file, atomically: true, encoding: .utf8)
    }
    for server in servers { try server.launch() }
    RedisCase.wait { isHealthy }
    for index in 0..<6 { try configure(index) }
    RedisCase.wait { isHealthy }
    guard isHealthy else { throw CocoaError(.executableLoad) }
  }

  private func line(_ index: Int, own: Int, bus: UInt16) -> String {
    let role = index < 3 ? "master -" : "slave \(ids[index - 3])"
    let slots = index < 3 ? " \(Self.slots[index].lowerBound)-\(Self.slots[index].upperBound)" : ""
    let port = servers[index].securePort ?? servers[index].port
    return "\(ids[index]) 127.0.0.1:\(port)@\(bus) "
      + "\(own == index ? "myself," : "")\(role) 0 0 \(index % 3 + 1) connected\(slots)\n"
  }

  /// The slots of each primary.
  static let slots = [0...5460, 5461...10922, 10923...16383]

  /// Whether a server serves its slots, and knows the other five servers.
  private func isReady(_ server: RedisProcess) -> Bool {
    guard let client = RawClient(port: server.port) else { return false }
    guard client.send("CLUSTER", "INFO").contains("cluster_state:ok") else { return false }
    let known = client.send("CLUSTER", "SLOTS")
    guard servers.allSatisfy({ known.contains(":\($0.port)\r\n") }) else { return false }
    let role = client.send("INFO", "replication")
    return role.contains("role:master")
      ? role.contains("state=online") : role.contains("master_link_status:up")
  }

  /// Starts a server that was stopped.
  func restart(_ index: Int) throws {
    try servers[index].start()
    try configure(index)
  }

  /// Sets the final timeout and the failover setting of a server. The servers start with a short
  /// timeout to find each other quickly, but a loaded machine needs a long timeout.
  private func configure(_ index: Int) throws {
    let raw = try raw(index)
    raw.send("CONFIG", "SET", "cluster-node-timeout", "\(timeout)")
    if isFailingOver { raw.send("CONFIG", "SET", "cluster-replica-no-failover", "no") }
  }

  func isPrimary(_ index: Int) -> Bool {
    RawClient(port: servers[index].port)?.send("INFO", "replication").contains("role:master")
      ?? false
  }

  /// Whether all six servers answer, and every server knows the other servers.
  var isHealthy: Bool { servers.allSatisfy(isReady) }

  /// Whether each of the three initial slot ranges is served by a primary. A range is served if a
  /// primary answers a request for one key in the range.
  var answersForAllSlots: Bool {
    let keys = Self.slots.indices.map { owner in
      (0...).lazy.map { "\($0)" }.first { Self.owner($0) == owner }!
    }
    return keys.allSatisfy { key in
      servers.contains { RawClient(port: $0.port)?.send("GET", key) == "$-1\r\n" }
    }
  }

  /// The address of the first primary. From the first primary, a client discovers the other
  /// servers.
  var addresses: [String] { [servers[0].address] }

  func raw(_ index: Int) throws -> RawClient {
    try XCTUnwrap(RawClient(port: servers[index].port))
  }

  /// The index of the primary that initially owned the slot of a key.
  static func owner(_ key: String) -> Int {
    let slot = RedisSlot.of(Array(key.utf8))
    return slots.firstIndex { $0.contains(slot) } ?? 0
  }

  /// Starts moving a slot between two servers.
  func beginMove(_ slot: Int, from source: Int, to target: Int) throws {
    try raw(target).send("CLUSTER", "SETSLOT", "\(slot)", "IMPORTING", ids[source])
    try raw(source).send("CLUSTER", "SETSLOT", "\(slot)", "MIGRATING", ids[target])
  }

  /// Moves keys from one server to another. Call this function between `beginMove` and `endMove`.
  func moveKeys(_ keys: [String], from source: Int, to target: Int) throws {
    let port = servers[target].securePort ?? servers[target].port
    for key in keys {
      try raw(source).send("MIGRATE", "127.0.0.1", "\(port)", key, "0", "60000")
    }
  }

  /// Ends the move of a slot.
  func endMove(_ slot: Int, to target: Int) throws {
    for index in [target] + (0..<3).filter({ $0 != target }) {
      try raw(index).send("CLUSTER", "SETSLOT", "\(slot)", "NODE", ids[target])
    }
  }

  func remove() { for server in servers { server.remove() } }
}
