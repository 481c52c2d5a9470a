import Foundation
import XCTest

@testable import StrataCore
@testable import StrataRedis

final class RedisTopologyTests: XCTestCase {
  private let asked = RedisAddress.Endpoint.tcp(host: "10.0.0.1", port: 7000)

  private func server(_ host: String?, _ port: Int64) -> RedisReply {
    .list([host.map { .bytes(Data($0.utf8)) } ?? .null, .integer(port), .bytes(Data("id".utf8))])
  }

  private func range(_ first: Int64, _ last: Int64, _ servers: RedisReply...) -> RedisReply {
    .list([.integer(first), .integer(last)] + servers)
  }

  func testRangesHavePrimariesAndReplicas() throws {
    let reply = RedisReply.list([
      range(0, 100, server("10.0.0.2", 7001), server("10.0.0.3", 7002)),
      range(101, 16383, server(nil, 7000)), range(50, 50, server("10.0.0.2", 7001)),
    ])
    let topology = try XCTUnwrap(RedisTopology(reply, from: asked))
    XCTAssertEqual(topology[0]?.primary, .tcp(host: "10.0.0.2", port: 7001))
    XCTAssertEqual(topology.shards.count, 2)
    XCTAssertEqual(topology[16383]?.primary, asked, "A missing host should be the asked server's.")
  }

  func testEachServerIsAskedOnce() {
    let other = RedisAddress.Endpoint.tcp(host: "10.0.0.2", port: 7000)
    XCTAssertEqual(RedisCluster.unique([other, asked, other, asked]), [other, asked])
  }

  func testTooManyServersAreNoTopology() throws {
    let most = Int64(RedisTopology.mostShards)
    let ranges = (1...most + 1).map { range(0, 0, server("10.0.0.2", $0)) }
    XCTAssertNil(RedisTopology(.list(ranges), from: asked))
    var topology = try XCTUnwrap(RedisTopology(.list(Array(ranges.dropLast())), from: asked))
    topology.move(7, to: .tcp(host: "10.0.0.3", port: 1))
    XCTAssertNil(topology[7])
    XCTAssertEqual(topology.shards.count, Int(most))
  }

  func testASlotMoves() throws {
    var topology = RedisTopology()
    XCTAssertNil(topology[7])
    topology.move(7, to: asked)
    XCTAssertEqual(topology[7]?.primary, asked)
    XCTAssertNil(topology[8])
  }

  func testOtherRepliesAreNoTopology() {
    let replies: [RedisReply] = [
      .null, .list([]), .list([.integer(1)]), .list([range(5, 4, server("a", 1))]),
      .list([range(0, 16384, server("a", 1))]), .list([range(-1, 4, server("a", 1))]),
      .list([.list([.integer(0), .integer(1)])]),
    ]
    for reply in replies { XCTAssertNil(RedisTopology(reply, from: asked), "\(reply)") }
  }

  func testRedirects() throws {
    func redirect(_ message: String) -> RedisRedirect? {
      RedisRedirect(RedisError(reply: Array(message.utf8)), from: asked)
    }
    let moved = try XCTUnwrap(redirect("MOVED 3999 127.0.0.1:6381"))
    XCTAssertEqual(moved.endpoint, .tcp(host: "127.0.0.1", port: 6381))
    XCTAssertFalse(moved.isAsking)
    XCTAssertEqual(redirect("ASK 1 :6381")?.endpoint, .tcp(host: "10.0.0.1", port: 6381))
    XCTAssertEqual(redirect("ASK 1 ::1:6381")?.endpoint, .tcp(host: "::1", port: 6381))
    XCTAssertEqual(redirect("ASK 1 a:6381")?.isAsking, true)
    for other in ["MOVED 3999", "MOVED 3999 a", "MOVED 3999 a:0", "ERR 1 a:1", "ASK"] {
      XCTAssertNil(redirect(other), other)
    }
  }

  func testAConnectionToAServerThatIsNotInTheTopologyEnds() throws {
    func endpoint(_ port: UInt16) -> RedisAddress.Endpoint { .tcp(host: "127.0.0.1", port: port) }
    let (seed, primary, stray) = (endpoint(1), endpoint(2), endpoint(3))
    let settings = RedisSettings(
      address: .success(try RedisAddress("redis://127.0.0.1:1", tls: nil)))
    let cluster = RedisCluster(settings, seeds: [seed], readsReplicas: false)
    func known() -> Set<RedisAddress.Endpoint> {
      Set(cluster.state.withLock { $0.connections.keys.map(\.endpoint) })
    }
    let host = RedisReply.bytes(Data("127.0.0.1".utf8))
    let reply = RedisReply.list([
      .list([.integer(0), .integer(16_383), .list([host, .integer(2)])])
    ])
    cluster.receive(reply, from: seed)
    XCTAssertEqual(known(), [primary])
    for endpoint in [seed, stray] { _ = cluster.connection(to: .init(endpoint: endpoint)) }
    cluster.state.withLock { $0.redirects[.init(endpoint: stray)] = runningNanoseconds() }
    cluster.receive(reply, from: seed)
    XCTAssertEqual(known(), [seed, primary, stray])
    cluster.state.withLock { $0.redirects[.init(endpoint: stray)] = .min / 2 }
    cluster.receive(reply, from: seed)
    XCTAssertEqual(known(), [seed, primary])
    XCTAssertTrue(cluster.state.withLock { $0.redirects.isEmpty })
  }
}
