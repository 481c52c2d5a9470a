import Foundation
import StrataCore
import StrataVerbs
import XCTest

@testable import StrataRedis

/// Tests connections that replace a lost one, or one whose server has changed its role.
final class RedisReconnectionTests: RedisCase {
  private func ping(_ server: RedisServer, isRepeatable: Bool = true) -> Promise<RedisReply> {
    server.client.command([Array("PING".utf8)], isRepeatable: isRepeatable)
  }

  /// A failover can change the server behind a name or a virtual address.
  func testAServerThatHasBecomeAReplicaIsLeft() throws {
    let fake = try FakeRedis { request, connection in
      if let greeting = FakeRedis.greeting(request) { return greeting }
      return .bytes(request == ["PING"] || connection > 0 ? "+PONG\r\n" : "-READONLY a replica\r\n")
    }
    let server = try RedisServer("redis://127.0.0.1:\(fake.port)", deadline: .seconds(300))
    XCTAssertEqual(try ping(server).settled().string, "PONG")
    let writes = (0..<3).map { number in
      server.client.command([Array("WRITE".utf8), Array("\(number)".utf8)], isRepeatable: false)
    }
    XCTAssertThrowsError(try writes[0].settled()) { error in
      XCTAssertTrue("\(error)".contains("READONLY"), "\(error)")
    }
    for write in writes { _ = try? write.settled() }
    let later = server.client.command([Array("WRITE".utf8)], isRepeatable: false)
    XCTAssertEqual(try later.settled().string, "PONG")
  }

  func testAServerThatStaysAReplicaIsNotLeftForEachWrite() throws {
    let connections = Lock(0)
    let fake = try FakeRedis { request, connection in
      connections.withLock { $0 = max($0, connection + 1) }
      return FakeRedis.greeting(request) ?? .bytes("-READONLY a replica\r\n")
    }
    let server = try RedisServer("redis://127.0.0.1:\(fake.port)", deadline: .seconds(300))
    let start = ContinuousClock.now
    for _ in 0..<200 { XCTAssertThrowsError(try ping(server, isRepeatable: false).settled()) }
    let seconds = Int((ContinuousClock.now - start) / .seconds(1))
    XCTAssertLessThanOrEqual(connections.withLock { $0 }, seconds + 2)
  }

  /// After a restart, a server gives the numbers of its old clients to new ones.
  func testAReconnectionClosesNoOtherConnection() throws {
    let process = try RedisProcess()
    defer { process.remove() }
    let servers = try (0..<3).map { _ in try RedisServer(process.address, deadline: .seconds(60)) }
    for server in servers { XCTAssertEqual(try ping(server).settled().string, "PONG") }
    process.stop()
    try process.start()
    var strangers: [RawClient] = []
    for _ in 0..<20 {
      let client = try XCTUnwrap(RawClient(port: process.port))
      XCTAssertTrue(client.send("PING").hasPrefix("+PONG"))
      strangers.append(client)
    }
    for server in servers {
      RedisCase.wait { (try? ping(server).settled()) != nil }
    }
    for client in strangers { XCTAssertTrue(client.send("PING").hasPrefix("+PONG")) }
  }
}
