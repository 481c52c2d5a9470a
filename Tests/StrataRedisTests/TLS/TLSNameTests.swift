import XCTest

@testable import StrataRedis

final class TLSNameTests: XCTestCase {
  func testTheHostOfTheAddressIsTheDefault() throws {
    XCTAssertEqual(try TLSName(nil, orHost: "cache.internal"), .host("cache.internal"))
    XCTAssertEqual(try TLSName(nil, orHost: "cache.internal."), .host("cache.internal"))
    XCTAssertEqual(try TLSName(nil, orHost: "10.0.0.7"), .address("10.0.0.7"))
    XCTAssertEqual(try TLSName(nil, orHost: "::1"), .address("::1"))
    XCTAssertEqual(try TLSName(nil, orHost: "fe80::1%eth0"), .address("fe80::1"))
  }

  func testServerNameReplacesTheHost() throws {
    for (name, expected): (String, TLSName) in [
      ("cache.internal", .host("cache.internal")), ("10.0.0.8", .address("10.0.0.8")),
      ("::1", .address("::1")), ("b\u{fc}cher.example", .host("xn--bcher-kva.example")),
    ] {
      XCTAssertEqual(try TLSName(name, orHost: "10.0.0.7"), expected)
    }
  }

  func testAWrongServerNameIsRefused() {
    for name in ["", "a b", "host:7000", "host:6379", "host/1", "user@host", "a\0b"] {
      XCTAssertThrowsError(try TLSName(name, orHost: "host"), name) { error in
        XCTAssertTrue("\(error)".contains("serverName"), "\(error)")
      }
    }
  }
}
