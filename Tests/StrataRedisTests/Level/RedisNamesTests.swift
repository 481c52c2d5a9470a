import XCTest

@testable import StrataRedis

final class RedisNamesTests: XCTestCase {
  func testTheNamesAreThoseOfTheSingleKeys() {
    let keys = ["", "k", "k\u{1}", "ke\u{301}", String(repeating: "long", count: 30)]
    for prefix in ["", "p:", "\u{1}"].map({ RedisName.bytes(of: $0) }) {
      let names = RedisNames(of: keys[1...], prefix: prefix)
      let expected = keys[1...].map { RedisName.bytes(of: $0, prefix: prefix) }
      XCTAssertEqual((0..<names.count).map { Array(names[$0]) }, expected)
      var encoder = RequestEncoder()
      for name in expected { encoder.append(name) }
      XCTAssertEqual(names.encoded, encoder.bytes)
    }
  }
}
