import Foundation
import Strata
import XCTest

@testable import StrataRedis

/// Tests a cluster whose servers have all restarted without their data.
final class RedisClusterRestartTests: XCTestCase {
  func testAClusterThatBeginsFromNothingServesBothOfItsClients() throws {
    let cluster = try RedisClusterProcess()
    defer { cluster.remove() }
    let levels = try (0..<2).map { _ in
      Cache<String, Data>.redis(
        try RedisServer(cluster: cluster.addresses, deadline: .seconds(300)), prefix: "p:")
    }
    let keys = (0..<3).map { owner in
      (0...).lazy.map { "k\($0)" }.first { RedisClusterProcess.owner("p:" + $0) == owner }!
    }
    for key in keys {
      try levels[0].set(key, Data("old".utf8)).settled()
      XCTAssertEqual(try levels[1].get(key).settled(), Data("old".utf8))
    }
    for server in cluster.servers { server.stop() }
    for index in cluster.servers.indices { try cluster.restart(index) }
    RedisCase.wait { cluster.isHealthy }

    // Both clients notice the restart, and then agree on an epoch.
    for level in levels {
      for key in keys { RedisCase.wait { Self.isAbsent(level, key) } }
    }
    for (one, other) in [(levels[0], levels[1]), (levels[1], levels[0])] {
      for key in keys {
        let value = Data(UUID().uuidString.utf8)
        RedisCase.wait {
          (try? one.set(key, value).settled()) != nil
            && (try? other.get(key).settled()) == value
        }
        XCTAssertEqual(try one.get(key).settled(), value)
      }
    }
  }

  /// Another level with the same prefix would miss the key forever.
  func testTheRepairOfAFailedWriteOutlivesItsLevel() throws {
    let cluster = try RedisClusterProcess()
    defer { cluster.remove() }
    let server = try RedisServer(cluster: cluster.addresses, deadline: .milliseconds(300))
    var level: Cache<String, Data>? = .redis(server, prefix: "p:")
    let key = try XCTUnwrap(
      (0...).lazy.map { "k\($0)" }.first { RedisClusterProcess.owner("p:" + $0) == 0 })
    RedisCase.wait { (try? level?.set(key, Data("old".utf8)).settled()) != nil }
    cluster.servers[0].stop()
    RedisCase.wait { !server.client.journal.isEmpty || (try? level?.remove(key).settled()) == nil }
    XCTAssertFalse(server.client.journal.isEmpty)
    level = nil
    try cluster.restart(0)
    RedisCase.wait { server.client.journal.isEmpty }
  }

  func testAReleasedLevelLeavesNothing() throws {
    let server = try RedisServer(cluster: ["redis://127.0.0.1:1"])
    let cluster = try XCTUnwrap(server.client as? RedisCluster)
    for _ in 0..<100 { _ = Cache<String, Data>.redis(server, prefix: "a") }
    XCTAssertLessThan(cluster.state.withLock { $0.levels.count }, 10)
  }

  /// Whether a get of a key is a miss, and not a failure of the connection.
  private static func isAbsent(_ level: Cache<String, Data>, _ key: String) -> Bool {
    do {
      _ = try level.get(key).settled()
      return false
    } catch { return error.isMiss }
  }
}
