import XCTest

@testable import StrataRedis

final class RedisAddressTests: XCTestCase {
  func testAddresses() throws {
    let plain = try RedisAddress("redis://cache.internal")
    XCTAssertEqual(plain.endpoint, .tcp(host: "cache.internal", port: 6379))
    XCTAssertEqual([plain.user, plain.password?.revealed], [nil, nil])
    let full = try RedisAddress("redis://me:p%40ss@[::1]:7000/3")
    XCTAssertEqual(full.endpoint, .tcp(host: "::1", port: 7000))
    XCTAssertEqual([full.user, full.password?.revealed], ["me", "p@ss"])
    XCTAssertEqual(full.database, 3)
    XCTAssertNil(try RedisAddress("redis://:word@host").user)
    let unix = try RedisAddress("unix:///run/redis.sock?database=2")
    XCTAssertEqual(unix.endpoint, .unix(path: "/run/redis.sock"))
    XCTAssertEqual(unix.database, 2)
  }

  func testInvalidAddressesDontRepeatTheSecret() {
    for text in [
      "", "cache.internal", "redis://", "redis://:hunter2@host:99999", "http://:hunter2@host",
      "rediss://:hunter2@", "redis://:hunter2@host/x", "unix://relative",
      "redis://:hunter2@host:0",
      "unix:///" + String(repeating: "a", count: 200), "redis://host/-1",
    ] {
      XCTAssertThrowsError(try RedisAddress(text), text) { error in
        guard case RedisError.invalidAddress = error else { return XCTFail("\(error)") }
        XCTAssertFalse("\(error)".contains("hunter2"))
      }
    }
  }

  func testTheSchemeOrTheSettingsSelectTLS() throws {
    XCTAssertTrue(try RedisAddress("rediss://:hunter2@cache.internal").usesTLS)
    XCTAssertTrue(try RedisAddress("valkeys://cache.internal").usesTLS)
    XCTAssertFalse(try RedisAddress("redis://cache.internal").usesTLS)
    XCTAssertTrue(try RedisAddress("redis://cache.internal", tls: RedisTLS()).usesTLS)
    XCTAssertThrowsError(try RedisAddress("unix:///run/redis.sock", tls: RedisTLS()))
    XCTAssertThrowsError(try RedisAddress.cluster(["rediss://a", "redis://b"], tls: nil)) { error in
      XCTAssertTrue("\(error)".contains("rediss in all"), "\(error)")
    }
  }

  func testNothingShowsTheSecret() throws {
    let server = try RedisServer("redis://me:hunter2@localhost:1")
    var dumped = ""
    dump(server, to: &dumped)
    for text in ["\(server)", String(reflecting: server), dumped] {
      XCTAssertFalse(text.contains("hunter2"), text)
    }
    XCTAssertEqual("\(server)", "localhost:1")
  }
}
