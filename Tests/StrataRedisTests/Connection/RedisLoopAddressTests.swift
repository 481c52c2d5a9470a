import Foundation
import StrataCore
import XCTest

@testable import StrataRedis

/// Tests how an attempt to connect finds and tries the addresses of a server.
final class RedisLoopAddressTests: XCTestCase {
  private func fake() throws -> FakeRedis {
    try FakeRedis { request, _ in FakeRedis.greeting(request) ?? .bytes("+PONG\r\n") }
  }

  private static func route(
    _ endpoint: RedisAddress.Endpoint, _ ports: [UInt16]
  ) throws(RedisError) -> RedisRoute {
    var addresses: [RedisSocket.Address] = []
    for port in ports {
      addresses += try RedisSocket.Address.all(
        of: .tcp(host: "127.0.0.1", port: port), isNumeric: true)
    }
    return RedisRoute(endpoint: endpoint, addresses: addresses[...])
  }

  private func settings(_ deadline: Duration) -> RedisSettings {
    RedisSettings(
      address: Result { () throws(RedisError) in try RedisAddress("redis://cache") }, deadline)
  }

  private func ping(_ client: RedisConnection) throws -> String? {
    try client.command([Array("PING".utf8)], isRepeatable: true).settled().string
  }

  func testASilentAddressLeavesTimeForTheNextOne() throws {
    // The system accepts connections for this socket, but nothing answers.
    let (silent, fake) = (try ListeningSocket(), try fake())
    var settings = settings(.seconds(3))
    settings.findRoute = { endpoint, _ throws(RedisError) in
      try Self.route(endpoint, [silent.port, fake.port])
    }
    XCTAssertEqual(try ping(RedisConnection(settings)), "PONG")
  }

  func testASlowAddressKeepsTheTimeWhileBytesArrive() throws {
    let silent = try ListeningSocket()
    let fake = try FakeRedis { request, _ in
      // Longer than the address's tenth of the time.
      if request[0] == "INFO" { usleep(1_500_000) }
      return FakeRedis.greeting(request) ?? .bytes("+PONG\r\n")
    }
    var settings = settings(.seconds(10))
    settings.findRoute = { endpoint, _ throws(RedisError) in
      try Self.route(endpoint, [fake.port] + Array(repeating: silent.port, count: 9))
    }
    XCTAssertEqual(try ping(RedisConnection(settings)), "PONG")
  }

  func testALookupThatEndsBetweenAttemptsBeginsTheNextOne() throws {
    let (lookups, isHeld, fake) = (Lock(0), Lock(true), try fake())
    var settings = settings(.milliseconds(500))
    settings.findRoute = { endpoint, _ throws(RedisError) in
      lookups.withLock { $0 += 1 }
      while isHeld.withLock({ $0 }) { usleep(1000) }
      return try Self.route(endpoint, [fake.port])
    }
    let client = RedisConnection(settings)
    XCTAssertThrowsError(try ping(client))
    RedisCase.wait { client.metrics.failedConnects >= 3 }
    isHeld.withLock { $0 = false }
    RedisCase.wait { (try? ping(client)) == "PONG" }
    XCTAssertEqual(lookups.withLock { $0 }, 1)
  }

  func testALookupThatIsLateServesALaterAttempt() throws {
    let (lookups, isHeld, fake) = (Lock(0), Lock(true), try fake())
    var settings = settings(.milliseconds(50))
    settings.longestDelay = .milliseconds(1)
    settings.findRoute = { endpoint, _ throws(RedisError) in
      lookups.withLock { $0 += 1 }
      while isHeld.withLock({ $0 }) { usleep(1000) }
      return try Self.route(endpoint, [fake.port])
    }
    let client = RedisConnection(settings)
    XCTAssertThrowsError(try ping(client))
    RedisCase.wait { client.metrics.failedConnects > 5 }
    XCTAssertEqual(lookups.withLock { $0 }, 1, "Each lookup occupies a thread.")
    isHeld.withLock { $0 = false }
    RedisCase.wait { (try? ping(client)) == "PONG" }
  }

  func testALookupThatIsLateConnectsNoClosedClient() throws {
    let (isHeld, hasEnded, fake) = (Lock(true), Lock(false), try fake())
    var settings = settings(.milliseconds(50))
    settings.findRoute = { endpoint, _ throws(RedisError) in
      while isHeld.withLock({ $0 }) { usleep(1000) }
      defer { hasEnded.withLock { $0 = true } }
      return try Self.route(endpoint, [fake.port])
    }
    let client = RedisConnection(settings)
    XCTAssertThrowsError(try ping(client))
    try client.close().settled()
    isHeld.withLock { $0 = false }
    RedisCase.wait { hasEnded.withLock { $0 } }
    XCTAssertEqual(fake.all, [])
  }
}
