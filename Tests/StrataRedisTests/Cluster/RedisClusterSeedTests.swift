import Foundation
import XCTest

@testable import StrataCore
@testable import StrataRedis

/// Tests requests to the initial servers of a cluster, before its topology is known.
final class RedisClusterSeedTests: XCTestCase {
  private func cluster(_ ports: [UInt16], _ deadline: Duration) throws -> RedisServer {
    try RedisServer(cluster: ports.map { "redis://127.0.0.1:\($0)" }, deadline: deadline)
  }

  private func command(_ words: String..., to server: RedisServer) throws -> String? {
    try server.client.command(
      words.map { Array($0.utf8) }, key: Array(words[1].utf8), isRepeatable: words[0] == "GET"
    ).settled().string
  }

  /// Nothing delays the repetitions, so more of them would only burden the servers.
  func testEachSeedOfAClusterThatIsDownGetsARequestOnce() throws {
    let fakes = try (0..<2).map { _ in
      try FakeRedis { request, _ in FakeRedis.greeting(request) ?? .bytes("-CLUSTERDOWN x\r\n") }
    }
    let server = try cluster(fakes.map(\.port), .seconds(300))
    XCTAssertThrowsError(try command("GET", "k", to: server)) { error in
      XCTAssertTrue("\(error)".contains("CLUSTERDOWN"), "\(error)")
    }
    XCTAssertEqual(fakes.map { $0.received.count { $0[0] == "GET" } }, [1, 1])
    XCTAssertThrowsError(try command("SET", "k", "v", to: server))
    XCTAssertEqual(fakes.map { $0.received.count { $0[0] == "SET" } }, [0, 0])
  }

  func testTheFirstWriteHasItsWholeDeadline() throws {
    let silent = try ListeningSocket()
    let fake = try FakeRedis { request, _ in
      switch request[0] {
      case "MGET": return .bytes("*1\r\n$-1\r\n")
      case "SET":
        usleep(1_500_000)  // Longer than the server's tenth of the time.
        return .bytes("+OK\r\n")
      default: return FakeRedis.greeting(request) ?? .bytes("-ERR x\r\n")
      }
    }
    let ports = [fake.port] + Array(repeating: silent.port, count: 9)
    XCTAssertEqual(try command("SET", "k", "v", to: cluster(ports, .seconds(10))), "OK")
    XCTAssertEqual(fake.received.count { $0[0] == "SET" }, 1)
  }
}
