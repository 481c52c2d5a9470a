import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataRedis
@testable import StrataVerbs

/// Runs random programs to check a law of shared levels. After any process has written a key, a
/// value that was loaded before the write is never stored.
final class RedisSharedLaws: RedisCase {
  /// Two clients of one level, and a function that waits for all requests of both clients.
  private struct Clients {
    let levels: [Cache<String, Data>]
    var settle: () throws -> Void = {}
  }

  private final class Origin: Sendable {
    private struct State {
      var version = 0
      var loads: [(version: Int, continuation: Promise<Data>.Continuation)] = []
    }

    private let state = Lock(State())

    var fetcher: Fetcher<String, Data> {
      Fetcher { _ in
        Promise { continuation in
          self.state.withLock { $0.loads.append(($0.version, continuation)) }
        }
      }
    }

    var version: Int { state.withLock { $0.version } }
    var loads: Int { state.withLock { $0.loads.count } }

    func change() -> Int {
      state.withLock { state in
        state.version += 1
        return state.version
      }
    }

    func endLoad(_ index: Int) {
      let load = state.withLock { $0.loads.remove(at: index) }
      load.continuation.succeed(Data("\(load.version)".utf8))
    }
  }

  /// Runs one program, and returns its violation of the law, or `nil` if the law holds.
  private func violation(_ clients: Clients, seed: UInt64) throws -> String? {
    var generator = SeededGenerator(seed: seed)
    let origin = Origin()
    let services = clients.levels.map { $0 + origin.fetcher }
    var (gets, program): ([Promise<Data>], [String]) = ([], [])
    for _ in 0..<10 {
      let client = Int.random(in: 0..<services.count, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0, 1:
        let before = origin.loads
        gets.append(services[client].get("k"))
        program.append("\(client): get")
        // Waits until the get has called the origin or has found a value.
        let end = ContinuousClock.now + .seconds(300)
        while origin.loads == before, gets.last?.outcome == nil, ContinuousClock.now < end {
          usleep(200)
        }
      case 2, 3:
        guard origin.loads > 0 else { continue }
        let index = Int.random(in: 0..<origin.loads, using: &generator)
        program.append("end load \(index)")
        origin.endLoad(index)
      case 4:
        let version = origin.change()
        program.append("\(client): set \(version)")
        try services[client].set("k", Data("\(version)".utf8)).settled()
      default:
        let version = origin.change()
        let isRemove = Bool.random(using: &generator)
        program.append("\(client): \(isRemove ? "remove" : "clear") \(version)")
        try (isRemove ? services[client].remove("k") : services[client].clear()).settled()
      }
    }
    while origin.loads > 0 { origin.endLoad(0) }
    for get in gets { _ = try get.settled() }
    try clients.settle()
    for level in clients.levels + clients.levels {  // `rejecting` rejects one of two gets.
      let found = (try? level.get("k").settled()).map { String(decoding: $0, as: UTF8.self) }
      if let found, found != "\(origin.version)" {
        return "\(found) instead of \(origin.version), after \(program)"
      }
    }
    return nil
  }

  private func violation(cases: Int = 100, _ make: () throws -> Clients) throws -> String? {
    for seed in 0..<UInt64(Self.cases(cases)) {
      if let violation = try violation(try make(), seed: seed) {
        return "seed \(seed): \(violation)"
      }
    }
    return nil
  }

  private func clients(
    of servers: [RedisServer]? = nil,
    _ wrap: (RedisServer, Cache<String, Data>) -> Cache<String, Data>
  ) throws -> Clients {
    let servers = servers ?? [server(), server()]
    let prefix = UUID().uuidString + ":"
    return Clients(
      levels: servers.map { wrap($0, .redis($0, prefix: prefix)) },
      settle: {
        for server in servers {
          // A `PING` ends after all requests that the client sent before the `PING`. If the server
          // doesn't have the script of a request yet, the client sends the request again, with the
          // text of the script. The second `PING` ends after these repeated requests.
          for _ in 0..<2 {
            _ = try server.client.command(
              [Array("PING".utf8)], key: Array("\(prefix)k".utf8), isRepeatable: true
            ).settled()
          }
        }
      })
  }

  func testALaterWriteOfAnyProcessWins() throws {
    XCTAssertNil(try violation { try clients { _, level in level } })
  }

  func testALaterWriteWinsInACluster() throws {
    let cluster = try RedisClusterProcess.shared()
    XCTAssertNil(
      try violation(cases: 40) {
        let servers = try (0..<2).map { _ in
          try RedisServer(cluster: cluster.addresses, deadline: .seconds(300))
        }
        return try clients(of: servers) { _, level in level }
      })
  }

  func testALaterWriteWinsThroughVerbs() throws {
    XCTAssertNil(try violation { try clients { _, level in level.pooled().named("redis") } })
  }

  /// Returns a level with a verb that rejects the value of every second get. Each such value must
  /// be replaced by a back-fill with a lease.
  private func rejecting(_ level: Cache<String, Data>) -> Cache<String, Data> {
    let gets = Lock(0)
    return level.transformingGet("rejecting") { get in
      { key in
        get(key).flatMap { value in
          let isAccepted = gets.withLock { gets in
            gets += 1
            return gets % 2 == 0
          }
          return isAccepted ? Promise(value) : .miss
        }
      }
    }
  }

  func testALaterWriteWinsOverTheReplacementOfARejectedValue() throws {
    XCTAssertNil(try violation { try clients { _, level in rejecting(level) } })
  }

  func testALaterWriteWinsOverTheReplacementOfARejectedValueInACluster() throws {
    let cluster = try RedisClusterProcess.shared()
    XCTAssertNil(
      try violation(cases: 40) {
        let servers = try (0..<2).map { _ in
          try RedisServer(cluster: cluster.addresses, deadline: .seconds(300))
        }
        return try clients(of: servers) { _, level in rejecting(level) }
      })
  }

  /// Checks that the law finds a planted fault: a Redis level that replaces a rejected value
  /// without a lease.
  func testARejectedValueThatIsReplacedWithoutALeaseIsFound() throws {
    XCTAssertNotNil(
      try violation {
        try clients { _, level in
          return rejecting(
            level.filledByTicket(
              take: { _, _ in Promise("any") }, set: { key, value, _ in level.set(key, value) }))
        }
      })
  }

  /// Checks that the law finds a planted fault: a level that doesn't distinguish a back-fill from a
  /// `set`.
  func testALevelWithoutLeasesIsFound() throws {
    let found = try violation {
      let held = Lock<[String: Data]>([:])
      let level = Cache<String, Data>(
        get: { key in
          guard let value = held.withLock({ $0[key] }) else { throw CacheError.notFound }
          return value
        },
        set: { key, value in held.withLock { $0[key] = value } },
        remove: { key in held.withLock { $0[key] = nil } },
        clear: { held.withLock { $0 = [:] } })
      return Clients(levels: [level, level])
    }
    XCTAssertNotNil(found)
  }

  /// Checks that the law finds a planted fault: the Redis level without its leases.
  func testRedisWithoutLeasesIsFound() throws {
    XCTAssertNotNil(
      try violation {
        try clients { _, level in
          let operations = level.operations
          return Cache(
            get: operations.get, set: operations.set, remove: operations.remove,
            clear: operations.clear)
        }
      })
  }
}
