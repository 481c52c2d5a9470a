import XCTest

@testable import StrataRedis

final class RedisAddressTextTests: XCTestCase {
  private func fault(_ text: String) -> String? {
    do {
      _ = try RedisAddress(text)
      return nil
    } catch {
      XCTAssertFalse("\(error)".contains("s3cret"), "\(error)")
      return "\(error)"
    }
  }

  func testAQuerySelectsTheDatabaseOrIsRefused() throws {
    for text in [
      "redis://host?db=2", "redis://host/?database=2", "redis://host/2?db=2", "redis://host/2",
      "unix:///run/redis.sock?db=2", "REDIS://host/2", "redis://host//2/",
    ] {
      XCTAssertEqual(try RedisAddress(text).database, 2, text)
    }
    for (text, part) in [
      ("redis://host?timeout=2", "parameter"), ("redis://host/1?db=2", "several"),
      ("redis://host?db=", "number"), ("redis://host?db", "number"),
      ("unix:///run/redis.sock?x=1", "parameter"), ("redis://host/+1", "number"),
    ] {
      XCTAssertEqual(fault(text)?.contains(part), true, "\(text): \(fault(text) ?? "")")
    }
  }

  func testAFaultOfThePasswordIsNamedAndNotShown() {
    for (text, part) in [
      ("redis://:s3cret/x@host", "%2F"), ("redis://s3cret#x@host", "%23"),
      ("redis://:s3cret?x@host", "%3F"), ("redis://:s3cret@x@host", "%40"),
      ("redis://:s3cret/1@host/2", "%2F"), ("redis://:s3cret%@host", "%25"),
      ("redis://:s3cret%zz@host", "%25"), ("redis://:s3cret%FF@host", "UTF-8"),
      ("redis://s3cret@host", "without a password"), ("redis://s3cret:@host", "without a password"),
      ("redis://host#s3cret", "fragment"), ("redis://s3cret x", "host"),
      ("redis://::1:6379", "brackets"), ("redis://host:s3cret", "port"),
      ("redis:s3cret", "begin"), ("unix://:s3cret/x@/run/redis.sock", "slashes"),
    ] {
      XCTAssertEqual(fault(text)?.contains(part), true, "\(text): \(fault(text) ?? "")")
    }
  }

  /// An escape stays the byte that it stands for, whatever else the password contains.
  func testAPasswordKeepsItsBytes() throws {
    for (text, password) in [
      ("redis://:p%40s[%5D@host", "p@s[]"), ("redis://:a%2Fb%23@host", "a/b#"),
      ("redis://:\u{fc} %C3%BC@host", "\u{fc} \u{fc}"), ("redis://:a:b@host", "a:b"),
      ("unix://:pass@/run/redis.sock", "pass"),
    ] {
      XCTAssertEqual(try RedisAddress(text).password?.revealed, password, text)
    }
    XCTAssertEqual(
      try RedisAddress("redis://b\u{fc}cher.example").endpoint,
      .tcp(host: "xn--bcher-kva.example", port: 6379))
  }
}
