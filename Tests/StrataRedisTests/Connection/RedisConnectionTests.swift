import Foundation
import Strata
import XCTest

@testable import StrataRedis

final class RedisConnectionTests: RedisCase {
  private func server(
    _ fake: FakeRedis, _ credentials: String = "", deadline: Duration = .seconds(300),
    queueLimit: Int = 10_000
  ) -> RedisServer {
    try! RedisServer(
      "redis://\(credentials)127.0.0.1:\(fake.port)", deadline: deadline, queueLimit: queueLimit)
  }

  private func ping(_ server: RedisServer, isRepeatable: Bool = true) -> Promise<RedisReply> {
    server.client.command([Array("PING".utf8)], isRepeatable: isRepeatable)
  }

  func testTheGreetingIsOneWriteWithoutSecretsInHello() throws {
    let fake = try FakeRedis { request, _ in FakeRedis.greeting(request) ?? .bytes("+PONG\r\n") }
    let server = try RedisServer(
      "redis://me:word@127.0.0.1:\(fake.port)/4", deadline: .seconds(300), clientName: "shop")
    XCTAssertEqual(try ping(server).settled().string, "PONG")
    XCTAssertEqual(
      fake.all,
      [
        ["HELLO", "3"], ["AUTH", "me", "word"], ["HELLO", "3"], ["CLIENT", "SETNAME", "shop"],
        ["CLIENT", "SETINFO", "LIB-NAME", "strata"], ["SELECT", "4"], ["INFO", "server"],
        ["CLIENT", "INFO"], ["PING"],
      ])
  }

  func testAServerWithoutRESP3AnswersInRESP2() throws {
    let fake = try FakeRedis { request, _ in
      request[0] == "HELLO"
        ? .bytes("-ERR unknown command `HELLO`, with args beginning with: `3`, \r\n")
        : FakeRedis.greeting(request) ?? .bytes("$-1\r\n")
    }
    XCTAssertEqual(try ping(server(fake)).settled(), .null)
  }

  func testARefusedPasswordIsNotInTheError() throws {
    let fake = try FakeRedis { request, _ in
      request[0] == "AUTH" ? .bytes("-WRONGPASS invalid\r\n") : .bytes("+OK\r\n")
    }
    XCTAssertThrowsError(try ping(server(fake, "me:hunter2@")).settled()) { error in
      XCTAssertEqual(error as? RedisError, .refused("WRONGPASS invalid"))
    }
    let old = try FakeRedis { request, _ in
      .bytes("-ERR unknown command, with args beginning with: '\(request.last ?? "")'\r\n")
    }
    XCTAssertThrowsError(try ping(server(old, "me:hunter2@")).settled()) { error in
      XCTAssertFalse("\(error)".contains("hunter2"))
    }
  }

  func testOnlyRepeatableRequestsAreSentAgain() throws {
    let fake = try FakeRedis { request, connection in
      FakeRedis.greeting(request)
        ?? (connection > 0 || request == ["PING"]
          ? .bytes("+PONG\r\n")
          : request == ["THIRD"] ? .close : .silence)
    }
    let server = server(fake)
    XCTAssertEqual(try ping(server).settled().string, "PONG")
    let replies = [("FIRST", true), ("SECOND", false), ("THIRD", true)].map {
      server.client.command([Array($0.utf8)], isRepeatable: $1)
    }
    XCTAssertEqual(try replies[0].settled().string, "PONG")
    XCTAssertThrowsError(try replies[1].settled()) { error in
      guard case RedisError.connectionLost = error else { return XCTFail("\(error)") }
    }
    XCTAssertEqual(try replies[2].settled().string, "PONG")
    XCTAssertEqual(
      fake.received.map { $0[0] }, ["PING", "FIRST", "SECOND", "THIRD", "FIRST", "THIRD"])
    let kills = fake.all.filter { $0.starts(with: ["CLIENT", "KILL", "ID", "7", "ADDR"]) }
    XCTAssertEqual(
      kills.count, 1, "The client should kill the old connection, which may write late.")
    XCTAssertTrue(kills.first?.last?.hasPrefix("127.0.0.1:") == true, "\(kills)")
  }

  func testAServerThatIsBusyWithTooManyClientsSaysSo() throws {
    let process = try RedisProcess("--maxclients", "1", "--requirepass", "word")
    defer { process.remove() }
    let only = try XCTUnwrap(RawClient(port: process.port))
    RedisCase.wait { only.send("AUTH", "word").hasPrefix("+OK") }
    let address = process.address.replacing("://", with: "://:word@")
    XCTAssertThrowsError(try ping(RedisServer(address, deadline: .seconds(60))).settled()) {
      XCTAssertTrue(process.securePort != nil || "\($0)".contains("Raise maxclients"), "\($0)")
    }
  }

  func testAFullQueueFailsImmediately() throws {
    let fake = try FakeRedis { request, _ in FakeRedis.greeting(request) ?? .silence }
    let server = server(fake, queueLimit: 5)
    let pings = (0..<8).map { _ in ping(server) }
    for ping in pings[5...] {
      XCTAssertThrowsError(try ping.outcome?.get()) { error in
        XCTAssertEqual(error as? RedisError, .queueFull(limit: 5))
      }
    }
    XCTAssertTrue(pings[..<5].allSatisfy { $0.outcome == nil })
  }

  func testEachKeyOfABulkGetCountsTowardTheQueueLimit() throws {
    let fake = try FakeRedis { request, _ in FakeRedis.greeting(request) ?? .silence }
    let level = Cache<String, Data>.redis(server(fake, queueLimit: 5), prefix: "p:")
    let gets = [["a", "b", "c"], ["d", "e", "f"], ["g", "h"], ["i"]].map { level.values(of: $0) }
    for index in [1, 3] {
      XCTAssertThrowsError(try gets[index].outcome?.get()) { error in
        XCTAssertEqual(error as? RedisError, .queueFull(limit: 5))
      }
    }
    XCTAssertNil(gets[0].outcome)
    XCTAssertNil(gets[2].outcome)
  }

  func testARequestFailsAfterItsDeadline() throws {
    let fake = try FakeRedis { request, _ in FakeRedis.greeting(request) ?? .silence }
    let server = server(fake, deadline: .milliseconds(50))
    XCTAssertThrowsError(try ping(server).settled()) { error in
      XCTAssertEqual(error as? CacheError, .timedOut())
    }
  }

  func testNothingListens() throws {
    let port = try RedisProcess.freePort()
    let server = try RedisServer("redis://127.0.0.1:\(port)", deadline: .seconds(300))
    XCTAssertThrowsError(try ping(server).settled()) { error in
      guard case RedisError.unreachable = error else { return XCTFail("\(error)") }
    }
    XCTAssertNotNil(
      ping(server).outcome, "Until the server answers, a request should fail immediately.")
  }

  func testAServerWithoutRESPIsAnError() throws {
    let fake = try FakeRedis { request, _ in .bytes("HTTP/1.1 400 Bad Request\r\n\r\n") }
    XCTAssertThrowsError(try ping(server(fake)).settled()) { error in
      guard case RedisError.protocolViolation = error else { return XCTFail("\(error)") }
    }
    let chatty = try FakeRedis { request, _ in
      FakeRedis.greeting(request) ?? .bytes("+ONE\r\n+TWO\r\n")
    }
    let server = server(chatty)
    XCTAssertEqual(try ping(server).settled().string, "ONE")
  }

  func testAnInvalidAddressIsRefusedAtTheStart() {
    XCTAssertThrowsError(try RedisServer("nowhere")) { error in
      guard case RedisError.invalidAddress = error else { return XCTFail("\(error)") }
    }
  }

  func testANameWithoutAddressFails() throws {
    let server = try RedisServer("redis://nothing.invalid", deadline: .seconds(30))
    XCTAssertThrowsError(try ping(server).settled()) { error in
      guard case RedisError.unreachable = error else { return XCTFail("\(error)") }
    }
  }

  func testAUnixSocketAndADatabase() throws {
    let server = try RedisServer("unix://\(process.socketPath)?database=3", deadline: .seconds(300))
    XCTAssertEqual(try ping(server).settled().string, "PONG")
    let info = try server.client.command(
      ["CLIENT", "INFO"].map { Array($0.utf8) }, isRepeatable: true
    ).settled()
    XCTAssertTrue(info.string?.contains("name=strata") == true)
    XCTAssertTrue(info.string?.contains("db=3") == true)
    XCTAssertTrue(info.string?.contains("resp=3") == true)
  }

  func testAServerThatIsKilledAndStartedAgain() throws {
    let process = try RedisProcess()
    defer { process.remove() }
    let server = try RedisServer(process.address, deadline: .seconds(60))
    XCTAssertEqual(try ping(server).settled().string, "PONG")
    process.stop()
    for _ in 0..<50 where (try? ping(server).settled()) != nil { usleep(1000) }
    XCTAssertThrowsError(try ping(server).settled())
    try process.start()
    var answer: RedisReply?
    for _ in 0..<20_000 where answer == nil {
      answer = try? ping(server).settled()
      usleep(1000)
    }
    XCTAssertEqual(answer?.string, "PONG")
  }

  func testRequestsInFlightAreAnsweredAfterTheServerIsReleased() throws {
    let last: Promise<RedisReply>
    do {
      let server = server()
      last = ping(server)
    }
    XCTAssertEqual(try last.settled().string, "PONG")
  }
}
