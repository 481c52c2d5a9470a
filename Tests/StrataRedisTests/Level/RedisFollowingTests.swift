import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataRedis
@testable import StrataVerbs

/// Tests services that each have a memory level above one shared Redis level. Each memory level
/// receives reports of the other services' writes.
final class RedisFollowingTests: RedisCase {
  private func service(
    _ server: RedisServer, whenDisconnected: RedisDisconnection = .clear
  ) -> Cache<String, Data> {
    .memory().following(server, prefix: prefix, whenDisconnected: whenDisconnected)
      + .redis(server, prefix: prefix)
  }

  private func memory(_ server: RedisServer) -> Cache<String, Data> {
    Cache<String, Data>.memory().following(server, prefix: prefix)
  }

  private func text(_ promise: Promise<Data>) throws -> String {
    String(decoding: try promise.settled(), as: UTF8.self)
  }

  /// Waits until a condition is true, and fails the test if the condition stays false.
  private func eventually(_ condition: () throws -> Bool) rethrows {
    let end = ContinuousClock.now + .seconds(300)
    while ContinuousClock.now < end {
      if try condition() { return }
      usleep(1000)
    }
    XCTFail("never")
  }

  /// Reads a key repeatedly until the memory level stores the key's value.
  private func fill(_ memory: Cache<String, Data>, from sum: Cache<String, Data>, _ key: String)
    throws
  {
    try eventually {
      _ = try sum.get(key).settled()
      return memory.get(key).outcome?.value != nil
    }
  }

  /// Another process has its own connection. Another cache in this process can share a connection.
  func testAWriteThroughAnotherCacheLeavesMemory() throws {
    let one = server()
    let memory = memory(one)
    let service = memory + .redis(one, prefix: prefix)
    let writes: [(Cache<String, Data>) -> Promise<Void>] = [
      { $0.set("k", Data("2".utf8)) }, { $0.remove("k") }, { $0.clear() },
    ]
    for other in [server(), one] {
      let level = Cache<String, Data>.redis(other, prefix: prefix)
      for write in writes {
        try level.set("k", Data("1".utf8)).settled()
        try fill(memory, from: service, "k")
        try write(level).settled()
        eventually { memory.get("k").outcome?.value == nil }
      }
    }
  }

  func testReleasedCachesAreForgotten() throws {
    let process = try RedisProcess()
    defer { process.remove() }
    let server = try RedisServer(process.address, deadline: .seconds(60))
    for number in 0..<50 {
      _ = Cache<String, Data>.memory().following(server, prefix: "\(number):")
    }
    let service = service(server)
    try service.set("k", Data("1".utf8)).settled()
    let raw = try XCTUnwrap(RawClient(port: process.port))
    raw.send("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
    eventually {
      (try? service.get("k").settled()) != nil
        && raw.send("INFO", "stats").contains("tracking_total_prefixes:1\r\n")
    }
  }

  func testOtherKeysAndPrefixesStay() throws {
    let (one, other) = (server(), server())
    let memory = memory(one)
    let service = memory + .redis(one, prefix: prefix)
    let level = Cache<String, Data>.redis(other, prefix: prefix)
    try level.set("k", Data("1".utf8)).settled()
    try fill(memory, from: service, "k")
    try Cache<String, Data>.redis(other, prefix: "other-\(prefix)").set("k", Data()).settled()
    try level.set("l", Data("1".utf8)).settled()
    _ = try service.get("l").settled()  // The report arrives before the result of this get.
    XCTAssertEqual(memory.get("k").outcome?.value, Data("1".utf8))
  }

  func testTheOwnWriteIsReadBack() throws {
    let service = service(server())
    try service.set("k", Data("1".utf8)).settled()
    XCTAssertEqual(try text(service.get("k")), "1")
    try service.set("k", Data("2".utf8)).settled()
    XCTAssertEqual(try text(service.get("k")), "2")
    try service.remove("k").settled()
    XCTAssertThrowsError(try service.get("k").settled())
  }

  func testALostConnectionDropsAllAndTheNextOneBeginsAgain() throws {
    let one = server()
    let memory = memory(one)
    let service = memory + .redis(one, prefix: prefix)
    try service.set("k", Data("1".utf8)).settled()
    try fill(memory, from: service, "k")
    let id = try one.client.command(
      ["CLIENT", "ID"].map { Array($0.utf8) }, isRepeatable: true
    )
    .settled()
    guard case .integer(let number) = id else { return XCTFail("\(id)") }
    try raw().send("CLIENT", "KILL", "ID", "\(number)")
    eventually { memory.get("k").outcome?.value == nil }
    try fill(memory, from: service, "k")
  }

  func testValuesAreKeptForAWhileWithoutAConnection() throws {
    let process = try RedisProcess()
    defer { process.remove() }
    let server = try RedisServer(process.address, deadline: .seconds(60))
    let memory = Cache<String, Data>.memory()
      .following(server, prefix: prefix, whenDisconnected: .keep(.seconds(3600)))
    let service = memory + .redis(server, prefix: prefix)
    try service.set("k", Data("1".utf8)).settled()
    try fill(memory, from: service, "k")
    process.stop()
    eventually { (try? server.client.command([[80]], isRepeatable: true).settled()) == nil }
    XCTAssertEqual(memory.get("k").outcome?.value, Data("1".utf8))
    try process.start()
    eventually { memory.get("k").outcome?.value == nil }
  }

  func testAServerThatNeverAnswersAgainIsNoticed() throws {
    let process = try RedisProcess()
    defer { process.remove() }
    let server = try RedisServer(process.address, deadline: .milliseconds(300))
    let memory = memory(server)
    let service = memory + .redis(server, prefix: prefix)
    // On a loaded machine, the first attempt might miss the short deadline.
    eventually { (try? service.set("k", Data("1".utf8)).settled()) != nil }
    eventually {
      _ = try? service.get("k").settled()
      return memory.get("k").outcome?.value != nil
    }
    kill(process.processID, SIGSTOP)
    eventually { memory.get("k").outcome?.value == nil }
  }

  /// Checks that the report of a write prevents an outdated back-fill. In this test, another client
  /// writes after Redis has returned the old value. The memory level must not store the old value.
  func testAReportOvertakesABackFill() throws {
    let (one, other) = (server(), server())
    let (memory, redis) = (memory(one), Cache<String, Data>.redis(one, prefix: prefix))
    let held = Lock<[Promise<Void>.Continuation]>([])
    let slow = Cache<String, Data>(
      get: { key in
        redis.get(key).flatMap { value in
          Promise<Void> { continuation in held.withLock { $0.append(continuation) } }.map { value }
        }
      }, set: redis.set, remove: redis.remove, clear: redis.clear, memoryWarning: {})
    let service = memory + slow
    let level = Cache<String, Data>.redis(other, prefix: prefix)
    func get(_ text: String, during body: () throws -> Void = {}) throws {
      let get = service.get("k")
      eventually { get.outcome != nil || held.withLock { $0.count } == 1 }
      try body()
      held.withLock { $0.popLast() }?.succeed(())
      XCTAssertEqual(try self.text(get), text)
    }
    try level.set("k", Data("1".utf8)).settled()
    try eventually {
      try get("1")
      return memory.get("k").outcome?.value != nil
    }
    try level.set("k", Data("2".utf8)).settled()
    eventually { memory.get("k").outcome?.value == nil }
    try get("2") {
      try level.set("k", Data("3".utf8)).settled()
      // The server reports this `set` before it replies to this get, because the report and the
      // reply use the same connection.
      XCTAssertEqual(try text(redis.get("k")), "3")
    }
    XCTAssertNil(memory.get("k").outcome?.value)
  }

  func testTheContractOfALevel() async throws {
    let (server, prefix) = (server(), prefix)
    try await Laws.check(
      .level("memory that follows redis", consistency: .regular) {
        let service =
          Cache<String, Data>.memory(capacity: 2).following(server, prefix: prefix)
          + .redis(server, prefix: prefix)
        _ = service.clear()
        return service
      }, cases: Self.cases(20))
  }

  func testStalenessIsBounded() async throws {
    let (process, cluster) = (try RedisProcess.shared(), try RedisClusterProcess.shared())
    let servers: [@Sendable () -> RedisServer] = [
      { [address = process.address] in try! RedisServer(address, deadline: .seconds(300)) },
      { [addresses = cluster.addresses] in
        try! RedisServer(cluster: addresses, deadline: .seconds(300))
      },
    ]
    for server in servers {
      let both = [server(), server()]
      let following = Laws.following(within: .seconds(300)) {
        let prefix = UUID().uuidString + ":"
        return both.map {
          .memory().following($0, prefix: prefix) + .redis($0, prefix: prefix)
        }
      }
      try await Laws.check(following, cases: Self.cases(30))
      let shared = Laws.shared(hasLeases: true) {
        let prefix = UUID().uuidString + ":"
        return both.map { .redis($0, prefix: prefix) }
      }
      try await Laws.check(shared, cases: Self.cases(30))
    }
  }
}
