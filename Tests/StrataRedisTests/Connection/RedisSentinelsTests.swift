import Foundation
import StrataCore
import StrataVerbs
import XCTest

@testable import StrataRedis

final class RedisSentinelsTests: RedisCase {
  private func sentinel(_ answer: @escaping @Sendable () -> UInt16?) throws -> FakeRedis {
    try FakeRedis { request, _ in
      if let greeting = FakeRedis.greeting(request) { return greeting }
      guard request[0] == "SENTINEL", request[2] == "my_Primary", let port = answer() else {
        return .bytes("*-1\r\n")
      }
      return .bytes("*2\r\n$9\r\n127.0.0.1\r\n$\("\(port)".count)\r\n\(port)\r\n")
    }
  }

  private func primary(_ name: String, isReplica: Bool = false) throws -> FakeRedis {
    try FakeRedis { request, _ in
      if request == ["ROLE"] { return .bytes(isReplica ? "*1\r\n+slave\r\n" : "*1\r\n+master\r\n") }
      return FakeRedis.greeting(request) ?? .bytes("+\(name)\r\n")
    }
  }

  private func ask(_ server: RedisServer) -> Promise<RedisReply> {
    server.client.command([Array("NAME".utf8)], isRepeatable: true)
  }

  func testTheClientFollowsAFailover() throws {
    let (first, second) = (try primary("first"), try primary("second"))
    let current = Lock(first.port)
    let sentinel = try sentinel { current.withLock { $0 } }
    let dead = try RedisProcess.freePort()
    let server = try RedisServer(
      sentinels: ["redis://127.0.0.1:\(dead)", "redis://127.0.0.1:\(sentinel.port)"],
      primary: "my_Primary", password: "hunter2", deadline: .seconds(60),
      longestDelay: .milliseconds(20))
    XCTAssertEqual(try ask(server).settled().string, "first")
    XCTAssertEqual(
      "\(server)", "my_Primary via 127.0.0.1:\(dead),127.0.0.1:\(sentinel.port)")
    XCTAssertTrue(first.all.contains(["AUTH", "hunter2"]))
    XCTAssertFalse(sentinel.all.contains { $0.contains("hunter2") })
    current.withLock { $0 = second.port }
    first.stop()
    RedisCase.wait { (try? ask(server).settled().string) == "second" }
  }

  func testAServerThatIsNoPrimaryYetIsNotUsed() throws {
    let (replica, new) = (try primary("old", isReplica: true), try primary("new"))
    let current = Lock(replica.port)
    let sentinel = try sentinel { current.withLock { $0 } }
    let server = try RedisServer(
      sentinels: ["redis://127.0.0.1:\(sentinel.port)"], primary: "my_Primary",
      deadline: .seconds(60), longestDelay: .milliseconds(20))
    XCTAssertThrowsError(try ask(server).settled()) { error in
      XCTAssertTrue("\(error)".contains("named a replica"), "\(error)")
    }
    current.withLock { $0 = new.port }
    RedisCase.wait { (try? ask(server).settled().string) == "new" }
  }

  func testASilentSentinelLeavesTimeForTheNextOne() throws {
    let (silent, primary) = (try ListeningSocket(), try primary("first"))
    let sentinel = try sentinel { primary.port }
    let server = try RedisServer(
      sentinels: [silent.port, sentinel.port].map { "redis://127.0.0.1:\($0)" },
      primary: "my_Primary", deadline: .seconds(3))
    XCTAssertEqual(try ask(server).settled().string, "first")
  }

  /// Otherwise, a sentinel to which it takes longer to connect would never answer.
  func testTheConnectionToASlowSentinelStaysForTheNextCall() throws {
    let (primary, isSlow, connections) = (try primary("first"), Lock(true), Lock(0))
    let sentinel = try FakeRedis { request, connection in
      connections.withLock { $0 = max($0, connection + 1) }
      while isSlow.withLock({ $0 }) { usleep(1000) }
      if let greeting = FakeRedis.greeting(request) { return greeting }
      return .bytes("*2\r\n$9\r\n127.0.0.1\r\n$\("\(primary.port)".count)\r\n\(primary.port)\r\n")
    }
    let server = try RedisServer(
      sentinels: ["redis://127.0.0.1:\(sentinel.port)"], primary: "my_Primary",
      deadline: .seconds(4), longestDelay: .milliseconds(20))
    XCTAssertThrowsError(try ask(server).settled())
    isSlow.withLock { $0 = false }
    RedisCase.wait { (try? ask(server).settled().string) == "first" }
    XCTAssertEqual(connections.withLock { $0 }, 1)
    RedisCase.wait { sentinel.openConnections == 0 }
  }

  func testTheConnectionToASentinelEndsWithItsAnswer() throws {
    let primary = try primary("first")
    let sentinel = try sentinel { primary.port }
    let server = try RedisServer(
      sentinels: ["redis://127.0.0.1:\(sentinel.port)"], primary: "my_Primary",
      deadline: .seconds(60))
    XCTAssertEqual(try ask(server).settled().string, "first")
    XCTAssertEqual(sentinel.received.count, 1)
    RedisCase.wait { sentinel.openConnections == 0 }
    XCTAssertEqual(try ask(server).settled().string, "first")
  }

  func testClosingTheClientClosesTheConnectionToASentinel() async throws {
    let sentinel = try FakeRedis { request, _ in FakeRedis.greeting(request) ?? .silence }
    let server = try RedisServer(
      sentinels: ["redis://127.0.0.1:\(sentinel.port)"], primary: "my_Primary",
      deadline: .milliseconds(200))
    let request = ask(server)
    RedisCase.wait { sentinel.received.count > 0 }
    await server.close()
    RedisCase.wait { sentinel.openConnections == 0 }
    XCTAssertThrowsError(try request.settled())
  }

  func testAnUnknownNameIsTheReason() throws {
    let sentinel = try sentinel { nil }
    let address = "redis://127.0.0.1:\(sentinel.port)"
    for (addresses, part) in [
      ([address], "doesn't know a primary with the name other"), ([], "needs at least one address"),
      (["x"], "invalid"), (["redis://127.0.0.1:\(try RedisProcess.freePort())"], "doesn't answer"),
    ] {
      XCTAssertThrowsError(
        try ask(RedisServer(sentinels: addresses, primary: "other", deadline: .seconds(60)))
          .settled()
      ) { error in
        XCTAssertTrue("\(error)".contains(part), "\(error)")
      }
    }
  }
}
