import Foundation
import XCTest

@testable import StrataCore
@testable import StrataRedis

/// Tests leases that the server refuses, and those whose back-fill fails.
final class RedisLeasedGetTests: XCTestCase {
  private let key = "k"

  /// The reply to an `MGET`, in which each key has the epoch 7 or the record.
  private static func values(_ request: [String], _ record: Data?) -> FakeRedis.Answer {
    var reply = Data("*\(request.count - 1)\r\n".utf8)
    for name in request.dropFirst() {
      let value = name.hasSuffix("epoch") ? Data(RedisEpoch.bytes(7)) : record
      reply += Data("$\(value?.count ?? -1)\r\n".utf8)
      if let value { reply += value + Data("\r\n".utf8) }
    }
    return .data(reply)
  }

  /// Returns a cluster of one primary and one replica. The primary refuses each lease, because it
  /// has a value. The replica has no value.
  private func cluster(
    _ record: Data?
  ) throws -> (primary: FakeRedis, replica: FakeRedis, RedisStore) {
    let slots = Lock("")
    func server(_ record: Data?) throws -> FakeRedis {
      try FakeRedis { request, _ in
        if let greeting = FakeRedis.greeting(request) { return greeting }
        switch request[0] {
        case "CLUSTER": return .bytes(slots.withLock { $0 })
        case "MGET": return Self.values(request, record)
        case "EVALSHA":
          return .data(Data("*2\r\n$8\r\n".utf8) + RedisEpoch.bytes(7) + Data("\r\n:0\r\n".utf8))
        default: return .bytes("+OK\r\n")
        }
      }
    }
    let (primary, replica) = (try server(record), try server(nil))
    let nodes = [primary.port, replica.port].map { "*2\r\n$9\r\n127.0.0.1\r\n:\($0)\r\n" }
    slots.withLock { $0 = "*1\r\n*4\r\n:0\r\n:16383\r\n" + nodes.joined() }
    let server = try RedisServer(
      cluster: ["redis://127.0.0.1:\(primary.port)"], readsReplicas: true, deadline: .seconds(60),
      persistsWrites: true)
    try server.client.ping().settled()
    return (primary, replica, RedisStore(server, prefix: "p:", valueLimit: 100))
  }

  private func get(_ store: RedisStore) throws -> Data {
    let get = RedisLeasedGet(
      store: store, name: store.name(of: key), leasing: RedisLeasing(), isClaim: false,
      format: .bytes, patienceEnd: nil, deadline: store.client.deadline)
    return try get.find().flatMap { get.resolve($0) }.settled()
  }

  func testThePrimaryAnswersAfterItHasRefusedALease() throws {
    let (record, name) = (RedisRecord(contents: Data("value".utf8), created: 0), Array("p:k".utf8))
    let bytes = record.contents + RedisEpoch.bytes(7) + record.trailer(for: name)
    let (primary, replica, store) = try cluster(bytes)
    XCTAssertEqual(try get(store), Data("value".utf8))
    XCTAssertEqual(primary.received.filter { $0[0] == "EVALSHA" }.count, 1)
    XCTAssertTrue(replica.received.contains { $0[0] == "MGET" })
  }

  /// Otherwise, the get would go on for as long as the servers contradict themselves.
  func testAGetEndsIfEachLeaseIsRefused() throws {
    let (primary, _, store) = try cluster(nil)
    XCTAssertThrowsError(try get(store)) { error in
      XCTAssertEqual(error as? RedisError, .overtaken)
    }
    XCTAssertEqual(primary.received.filter { $0[0] == "EVALSHA" }.count, 9)
  }

  func testAFailedBackFillEndsItsLease() throws {
    let process = try RedisProcess()
    defer { process.remove() }
    let raw = try XCTUnwrap(RawClient(port: process.port))
    let server = try RedisServer(process.address, deadline: .seconds(60))
    let store = RedisStore(server, prefix: "p:", valueLimit: 100)
    let leasing = RedisLeasing(duration: 3_600_000, patience: .seconds(1))
    do {
      let lease = try store.lease(key, rejects: false, leasing, .bytes).settled()
      raw.send("CONFIG", "SET", "maxmemory", "1")
      let fill = store.fill(key, Data(), try XCTUnwrap(lease as? RedisLease), .bytes)
      XCTAssertThrowsError(try fill.settled())
    }
    RedisCase.wait { raw.send("EXISTS", "p:k") == ":0\r\n" }
  }
}
