import Foundation
import XCTest

@testable import StrataCore
@testable import StrataRedis

/// Tests which values enter a memory level that follows Redis.
final class RedisHearingTests: RedisCase {
  private func memory(_ server: RedisServer, _ prefix: String? = nil) -> Cache<String, Data> {
    .memory().following(server, prefix: prefix ?? self.prefix)
  }

  private let origin = Fetcher<String, Data> { Data($0.utf8) }

  private func service(
    _ memory: Cache<String, Data>, _ server: RedisServer
  ) -> Cache<String, Data> {
    memory + .redis(server, prefix: prefix) + origin
  }

  /// Waits until the connection has received the reports of all earlier writes.
  private func settle(_ server: RedisServer) throws {
    for _ in 0..<3 {
      _ = try server.client.command(
        [Array("PING".utf8)], key: Array(prefix.utf8), isRepeatable: true
      ).settled()
    }
  }

  func testALoadedValueStaysInMemory() throws {
    let cluster = try RedisClusterProcess.shared()
    let servers = [server(), try RedisServer(cluster: cluster.addresses, deadline: .seconds(60))]
    for one in servers {
      let memory = memory(one)
      let service = service(memory, one)
      let keys = (0..<50).map { "k\($0)" }
      try service.set("warm", Data()).settled()
      Self.wait {
        for key in keys { XCTAssertEqual(try? service.get(key).settled(), Data(key.utf8)) }
        return keys.allSatisfy { memory.get($0).outcome?.value == Data($0.utf8) }
      }
    }
  }

  /// Without further gets, the confirmation stores the value.
  func testOneLoadIsEnough() throws {
    let one = server()
    let memory = memory(one)
    let service = service(memory, one)
    try service.set("warm", Data()).settled()
    Self.wait {
      _ = try? service.get("warm").settled()
      return memory.get("warm").outcome?.value != nil
    }
    for number in 0..<20 {
      let key = "k\(number)"
      XCTAssertEqual(try service.get(key).settled(), Data(key.utf8))
      Self.wait { memory.get(key).outcome?.value == Data(key.utf8) }
      try Cache<String, Data>.redis(server(), prefix: prefix).remove(key).settled()
      Self.wait { memory.get(key).outcome?.value == nil }
    }
  }

  /// On a busy machine, the report of a back-fill can come before its answer is passed on.
  func testTheOrderOfTheReportAndTheAnswerDoesNotMatter() throws {
    let one = server()
    let level = Cache<String, Data>.redis(one, prefix: prefix)
    let filled = Lock<[RedisFill]>([])
    let listener = RedisFollower(
      prefix: Array(prefix.utf8), isAlive: { true }, receive: { _, _ in },
      witness: { if case .filled(let fill, true) = $0 { filled.withLock { $0.append(fill) } } })
    one.client.witnesses.add(listener)
    try level.set("warm", Data()).settled()
    let memory = Cache<String, Data>.memory()
    let gate = RedisGate()
    gate.openUntil.store(.max, ordering: .releasing)
    let hearing = RedisHearing(gate, one.client, Array(prefix.utf8), memory.operations, .clear)
    let connection = ObjectIdentifier(self)
    for (key, isReportFirst, isWrittenAgain) in [
      ("a", true, false), ("b", false, false), ("c", true, true), ("d", false, true),
    ] {
      XCTAssertEqual(try (level + origin).get(key).settled(), Data(key.utf8))
      Self.wait { filled.withLock { !$0.isEmpty } }
      let fill = try XCTUnwrap(filled.withLock { $0.popLast() })
      let ticket = try XCTUnwrap(hearing.ticket(key) as? RedisHearing<Data>.Ticket)
      try hearing.fill(key, Data(key.utf8), ticket, memory.operations).settled()
      hearing.receive(.fills(fill))
      if isWrittenAgain { try level.set(key, Data("new".utf8)).settled() }
      if isReportFirst { hearing.receive(.wrote([fill.name]), from: connection) }
      hearing.receive(.filled(fill, hasSucceeded: true))
      if !isReportFirst { hearing.receive(.wrote([fill.name]), from: connection) }
      Self.wait { hearing.state.withLock { $0.candidates.isEmpty } }
      try settle(one)
      let expected = isWrittenAgain ? nil : Data(key.utf8)
      XCTAssertEqual(memory.get(key).outcome?.value, expected, key)
    }
  }

  /// If Redis can't store a value, it has no key whose next write it could report.
  func testAValueThatRedisDidNotStoreStaysOutOfMemory() throws {
    let process = try RedisProcess()
    defer { process.remove() }
    let raw = try XCTUnwrap(RawClient(port: process.port))
    let refusals = [
      ["CONFIG", "SET", "maxmemory", "1"],
      ["ACL", "SETUSER", "default", "-eval", "-evalsha"],
      ["ACL", "SETUSER", "default", "+eval", "+evalsha", "-set"],
      ["REPLICAOF", "127.0.0.1", "1"],
    ]
    for (index, refusal) in refusals.enumerated() {
      raw.send("CONFIG", "SET", "maxmemory", "0")
      raw.send("ACL", "SETUSER", "default", "+@all")
      let server = try RedisServer(process.address, deadline: .seconds(60))
      let memory = memory(server)
      let service = service(memory, server)
      try service.set("warm", Data()).settled()
      raw.send("CONFIG", "SET", "replica-serve-stale-data", "yes")
      raw.sendAll(refusal)
      for number in 0..<5 {
        let key = "k\(index) \(number)"
        XCTAssertEqual(try service.get(key).settled(), Data(key.utf8))
        try settle(server)
        XCTAssertNil(memory.get(key).outcome?.value, "\(refusal)")
      }
    }
  }

  /// Without a Redis level of the prefix, nothing can confirm a value, and each back-fill says so.
  func testAMemoryWithoutARedisLevelStaysEmptyAndSaysWhy() throws {
    let one = server()
    let (memory, errors) = (memory(one), Lock<[any Error]>([]))
    let others = [
      Cache<String, Data>.redis(one, prefix: prefix + "longer:"),
      Cache<String, Data>.redis(server(), prefix: prefix),
    ]
    for other in others {
      let service = (memory + other + origin).observed { event in
        if event.operation == .backFill, case .failure(let error) = event.outcome {
          errors.withLock { $0.append(error) }
        }
      }
      Self.wait {
        XCTAssertEqual(try? service.get("k").settled(), Data("k".utf8))
        return errors.withLock { !$0.filter { "\($0)".contains("no Redis level has") }.isEmpty }
      }
      XCTAssertNil(memory.get("k").outcome?.value)
      errors.withLock { $0 = [] }
    }
  }

  func testAReleasedLevelConfirmsNothing() throws {
    let one = server()
    let name = RedisName.bytes(of: prefix)
    for _ in 0..<2 {
      let levels = (0..<2).map { _ in Cache<String, Data>.redis(one, prefix: prefix) }
      XCTAssertTrue(one.client.witnesses.hasLevel(name))
      withExtendedLifetime(levels) {}
    }
    XCTAssertFalse(one.client.witnesses.hasLevel(name))
  }

  /// The server accepts the command that turns reports on, but never sends one.
  func testAServerWithoutRESP3StoresNothingInMemory() throws {
    let epoch: UInt64 = 7
    let fake = try FakeRedis { request, _ in
      switch request[0] {
      case "HELLO": return .bytes("-ERR unknown command\r\n")
      case "MGET":
        let name = Array(request[2].utf8)
        let record = RedisRecord(contents: Data("1".utf8), created: 0)
        let bytes = Array("1".utf8) + record.ending(for: name, epoch: epoch)
        return .data(
          Data("*2\r\n$8\r\n".utf8) + RedisEpoch.bytes(epoch)
            + Data("\r\n$\(bytes.count)\r\n".utf8) + bytes + Data("\r\n".utf8))
      default: return FakeRedis.greeting(request) ?? .bytes("$-1\r\n")
      }
    }
    let server = try RedisServer("redis://127.0.0.1:\(fake.port)", deadline: .seconds(300))
    let memory = memory(server)
    let service = memory + .redis(server, prefix: prefix)
    for _ in 0..<10 { XCTAssertEqual(try service.get("k").settled(), Data("1".utf8)) }
    XCTAssertNil(memory.get("k").outcome?.value)
  }

  func testPrefixesMayOverlap() throws {
    for suffixes in [["", "a:", "b:"], ["a:", "", "b:"], ["a:b:", "a:", "c:"]] {
      for isEarly in [true, false] {
        let (one, base) = (server(), UUID().uuidString + ":")
        if !isEarly { _ = try Cache<String, Data>.redis(one, prefix: base).clear().settled() }
        let memories = suffixes.map { memory(one, base + $0) }
        for (suffix, memory) in zip(suffixes, memories) {
          let service = memory + .redis(one, prefix: base + suffix)
          try service.set("k", Data(suffix.utf8)).settled()
          Self.wait {
            XCTAssertEqual(try? service.get("k").settled(), Data(suffix.utf8))
            return memory.get("k").outcome?.value != nil
          }
          let other = Cache<String, Data>.redis(server(), prefix: base + suffix)
          try other.remove("k").settled()
          Self.wait { memory.get("k").outcome?.value == nil }
        }
      }
    }
  }

  func testThePrefixesOfReleasedCachesAreUnregistered() throws {
    let process = try RedisProcess()
    defer { process.remove() }
    let server = try RedisServer(process.address, deadline: .seconds(60))
    let raw = try XCTUnwrap(RawClient(port: process.port))
    let memory = memory(server)
    let service = service(memory, server)
    func prefixes() -> String? {
      raw.send("INFO", "stats").split(separator: "\r\n").first {
        $0.hasPrefix("tracking_total_prefixes:")
      }.map(String.init)
    }
    do {
      let others = (0..<50).map { self.memory(server, "\($0):") }
      Self.wait { prefixes() == "tracking_total_prefixes:51" }
      withExtendedLifetime(others) {}
    }
    Self.wait { prefixes() == "tracking_total_prefixes:1" }
    try service.set("k", Data("1".utf8)).settled()
    Self.wait {
      _ = try? service.get("k").settled()
      return memory.get("k").outcome?.value != nil
    }
  }

  /// Both gets begin an epoch, and the server keeps that of the first one.
  func testACancelledGetOfANewPrefixEndsItsLease() throws {
    let raw = try raw()
    for round in 0..<10 {
      let origin = HeldOrigin().fetcher
      let base = "\(prefix)\(round):"
      let level = Cache<String, Data>.redis(
        server(), prefix: base, waitingForLoads: .seconds(300))
      let gets = (0..<5).map { (level + origin).get("k\($0)") }
      if round % 2 == 0 { usleep(UInt32(200 * round)) }
      for get in gets { get.cancel() }
      Self.wait {
        gets.indices.allSatisfy { number in
          raw.send("PERSIST", "\(base)k\(number)")  // The lease doesn't end by itself.
          return raw.send("EXISTS", "\(base)k\(number)") == ":0\r\n"
        }
      }
    }
  }
}
