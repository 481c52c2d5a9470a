import Foundation
import XCTest

@testable import StrataCore
@testable import StrataRedis
@testable import StrataVerbs

/// Tests gets of many values, or of large ones.
final class RedisGetTests: RedisCase {
  /// The server sends two of three values, and then nothing more.
  func testValuesThatHaveArrivedAreDeliveredAtTheDeadline() throws {
    let epoch: UInt64 = 7
    let fake = try FakeRedis { request, _ in
      guard request[0] == "MGET" else {
        return FakeRedis.greeting(request) ?? .bytes("$-1\r\n")
      }
      var reply = Data("*\(request.count - 1)\r\n$8\r\n".utf8) + RedisEpoch.bytes(epoch)
      for name in request[2...].dropLast() {
        let record = RedisRecord(contents: Data("1".utf8), created: 0)
        let bytes = Array("1".utf8) + record.ending(for: Array(name.utf8), epoch: epoch)
        reply += Data("\r\n$\(bytes.count)\r\n".utf8) + bytes
      }
      return .data(reply + Data("\r\n$100\r\nincomplete".utf8))
    }
    let server = try RedisServer("redis://127.0.0.1:\(fake.port)", deadline: .seconds(1))
    let level = Cache<String, Data>.redis(server, prefix: prefix)
    let found = try level.known(of: ["a", "b", "c"]).settled()
    XCTAssertEqual(found, ["a": Data("1".utf8), "b": Data("1".utf8)])
  }

  func testLargeValuesShareNoHugeReply() throws {
    let level = Cache<String, Data>.redis(server(), prefix: prefix)
    let keys = (0..<24).map { "k\($0)" }
    let value = Data(repeating: 7, count: 2 << 20)
    for key in keys { try level.set(key, value).settled() }
    XCTAssertEqual(
      try level.known(of: keys).settled(),
      Dictionary(uniqueKeysWithValues: keys.map { ($0, value) }))
    let raw = try raw()
    raw.send("CONFIG", "RESETSTAT")
    XCTAssertEqual(try level.known(of: keys).settled().count, keys.count)
    XCTAssertGreaterThan(raw.calls(of: "mget") ?? 0, 4)
    try level.clear().settled()
    for key in keys { try level.remove(key).settled() }
  }
}
