import Foundation
import StrataCore
import StrataVerbs
import XCTest

@testable import StrataRedis

/// Tests the beginning and the end of a client's life, and what it reports in between.
final class RedisServerLifeTests: RedisCase {
  private let lines = Lock<[RedisEvent]>([])

  private func watched(_ address: String, _ deadline: Duration = .seconds(60)) -> RedisServer {
    try! RedisServer(
      address, deadline: deadline, longestDelay: .milliseconds(20),
      onEvent: { [lines] event in lines.withLock { $0.append(event) } })
  }

  private var changes: [RedisEvent.Change] { lines.withLock { $0.map(\.change) } }

  private func ping(_ server: RedisServer) -> Promise<RedisReply> {
    server.client.command([Array("PING".utf8)], isRepeatable: true)
  }

  func testAPingReachesTheServer() async throws {
    let time = try await server().ping()
    XCTAssertGreaterThan(time, .zero)
    for (address, part) in [
      ("redis://127.0.0.1:\(try RedisProcess.freePort())", "can't be reached"), ("x", "invalid"),
    ] {
      do {
        try await RedisServer(address, deadline: .seconds(60)).ping()
        XCTFail("There is no server.")
      } catch { XCTAssertTrue("\(error)".contains(part), "\(error)") }
    }
  }

  func testAClosedClientAnswersItsRequestsAndRefusesNewOnes() async throws {
    let isReleased = Lock(false)
    let fake = try FakeRedis { request, _ in
      if let greeting = FakeRedis.greeting(request) { return greeting }
      while request == ["SLOW"], !isReleased.withLock({ $0 }) { usleep(1000) }
      return .bytes("+PONG\r\n")
    }
    let server = watched("redis://127.0.0.1:\(fake.port)", .seconds(300))
    let slow = server.client.command([Array("SLOW".utf8)], isRepeatable: false)
    RedisCase.wait { fake.received == [["SLOW"]] }
    let isClosed = Lock(false)
    let closing = Task {
      await server.close()
      isClosed.withLock { $0 = true }
    }
    RedisCase.wait { (ping(server).outcome?.error as? RedisError) == .closed }
    XCTAssertFalse(isClosed.withLock { $0 })
    isReleased.withLock { $0 = true }
    XCTAssertEqual(try slow.settled().string, "PONG")
    await closing.value
    await server.close()
    XCTAssertEqual(changes.last, .closed)
    XCTAssertEqual(server.metrics.connections, 0)
    XCTAssertThrowsError(try ping(server).settled()) { error in
      XCTAssertEqual(error as? RedisError, .closed)
    }
  }

  func testAClientThatWasNeverUsedCanBeClosed() async throws {
    let server = server()
    await server.close()
    XCTAssertThrowsError(try ping(server).settled()) { error in
      XCTAssertEqual(error as? RedisError, .closed)
    }
    let memory = Cache<String, Data>.memory().following(server, prefix: prefix)
    try memory.set("k", Data()).settled()
    XCTAssertThrowsError(try memory.get("k").settled())
    XCTAssertThrowsError(try RedisServer("nothing"))
  }

  /// A program that ends can't wait for a server that doesn't answer.
  func testClosingEndsWithTheDeadlines() async throws {
    let fake = try FakeRedis { request, _ in FakeRedis.greeting(request) ?? .silence }
    let server = watched("redis://127.0.0.1:\(fake.port)", .milliseconds(200))
    let request = ping(server)
    await server.close()
    XCTAssertThrowsError(try request.settled())
  }

  func testAClusterIsPingedAndClosed() async throws {
    let cluster = try RedisClusterProcess.shared()
    let server = try RedisServer(cluster: cluster.addresses, deadline: .seconds(60))
    try await server.ping()
    XCTAssertGreaterThanOrEqual(server.metrics.connections, 3)
    let level = Cache<String, Data>.redis(server, prefix: prefix)
    try level.set("k", Data("1".utf8)).settled()
    await server.close()
    XCTAssertEqual(server.metrics.connections, 0)
    XCTAssertThrowsError(try level.get("k").settled()) { error in
      XCTAssertEqual(error as? RedisError, .closed)
    }
    do {
      try await RedisServer(cluster: [process.address], deadline: .seconds(60)).ping()
      XCTFail("One server is no cluster.")
    } catch { XCTAssertFalse("\(error)".isEmpty) }
  }

  func testEachChangeOfStateIsOneLine() throws {
    let process = try RedisProcess()
    defer { process.remove() }
    let server = watched(process.address)
    let memory = Cache<String, Data>.memory().following(server, prefix: prefix)
    RedisCase.wait { changes.contains(.following) }
    XCTAssertTrue(server.metrics.isFollowing)
    guard case .connected(let version)? = changes.first else { return XCTFail("\(changes)") }
    XCTAssertNotNil(version)
    process.stop()
    RedisCase.wait { (ping(server).outcome?.error as? RedisError) != nil }
    RedisCase.wait { server.metrics.failedConnects > 5 }
    // The first attempts may be reset by the server that stops, and the later ones are refused.
    let seen = changes
    XCTAssertFalse(zip(seen, seen.dropFirst()).contains { $0 == $1 }, "\(seen)")
    var kinds = seen.map { "\($0)".prefix { $0 != "(" } }
    while kinds.suffix(2) == ["unreachable", "unreachable"] { kinds.removeLast() }
    XCTAssertEqual(kinds, ["connected", "following", "disconnected", "unreachable"])
    try process.start()
    RedisCase.wait { (try? ping(server).settled()) != nil }
    XCTAssertEqual(server.metrics.connects, 2)
    withExtendedLifetime(memory) {}
    for line in lines.withLock({ $0.map(\.description) }) {
      XCTAssertTrue(line.hasPrefix("redis 127.0.0.1:"), line)
      XCTAssertFalse(line.contains("\n"), line)
    }
  }

  func testRequestsAreCounted() throws {
    let fake = try FakeRedis { request, _ in FakeRedis.greeting(request) ?? .silence }
    let server = watched("redis://127.0.0.1:\(fake.port)", .seconds(300))
    XCTAssertEqual(server.metrics, RedisMetrics())
    let requests = (0..<5).map { _ in ping(server) }
    RedisCase.wait { server.metrics.inFlight == 5 }
    XCTAssertEqual(server.metrics.waiting, 0)
    XCTAssertGreaterThan(server.metrics.bytes, 0)
    withExtendedLifetime(requests) {}
  }

  /// A balancer drops idle connections in silence.
  func testAnIdleConnectionIsKeptAlive() throws {
    let isSilent = Lock(false)
    let fake = try FakeRedis { request, _ in
      isSilent.withLock { $0 } ? .silence : FakeRedis.greeting(request) ?? .bytes("+PONG\r\n")
    }
    let server = try RedisServer(
      "redis://127.0.0.1:\(fake.port)", deadline: .seconds(1), keepalive: .milliseconds(10),
      onEvent: { [lines] event in lines.withLock { $0.append(event) } })
    XCTAssertEqual(try ping(server).settled().string, "PONG")
    RedisCase.wait { fake.received.count > 3 }
    isSilent.withLock { $0 = true }
    RedisCase.wait { changes.contains { if case .disconnected = $0 { true } else { false } } }
    isSilent.withLock { $0 = false }
    XCTAssertEqual(try ping(server).settled().string, "PONG")
  }

  /// The article lists the commands that a user needs.
  func testAUserWithTheListedCommandsIsEnough() async throws {
    let article = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/StrataRedis/StrataRedis.docc/RunningTheServer.md")
    let text = try String(contentsOf: article, encoding: .utf8)
    let block = try XCTUnwrap(
      text.components(separatedBy: "```").first { $0.contains("ACL SETUSER") })
    let known = try raw().send("COMMAND", "LIST").lowercased()
    var rules = block.split(whereSeparator: \.isWhitespace).dropFirst(3).map(String.init)
    rules = rules.map { $0.replacing("articles:", with: prefix) }
    if !known.contains("client|setinfo") { rules.removeAll { $0 == "+client|setinfo" } }
    let process = try RedisProcess()
    defer { process.remove() }
    let admin = try XCTUnwrap(RawClient(port: process.port))
    for rule in rules {
      let reply = admin.send("ACL", "SETUSER", "articles", rule)
      XCTAssertTrue(reply.hasPrefix("+OK"), "\(rule): \(reply)")
    }
    let address = process.address.replacing("://", with: "://articles:PASSWORD@")
    let server = try RedisServer(address, deadline: .seconds(60))
    try await server.ping()
    let level = Cache<String, Data>.redis(server, prefix: prefix, waitingForLoads: .seconds(5))
    let followed =
      Cache<String, Data>.memory().following(server, prefix: prefix) + level
      + Fetcher { Data($0.utf8) }
    XCTAssertEqual(try followed.get("a").settled(), Data("a".utf8))
    RedisCase.wait { (try? level.get("a").settled()) != nil }
    try level.set("b", Data("b".utf8)).settled()
    XCTAssertEqual(try level.values(of: ["a", "b"]).settled().count, 2)
    let numbers: Cache<String, Int> = level <*> .json()
    XCTAssertEqual(try (numbers + Fetcher(offMainThread: false) { _ in 7 }).get("b").settled(), 7)
    RedisCase.wait { (try? numbers.get("b").settled()) == 7 }
    try level.remove("a").settled()
    try level.clear().settled()
    RedisCase.wait { server.metrics.isFollowing }
    let denied = admin.send("ACL", "LOG")
    XCTAssertEqual(denied, "*0\r\n")
  }
}
