import StrataLaws
import XCTest

@testable import StrataRedis

final class RedisSlotTests: RedisCase {
  private func slot(_ text: String) -> Int { RedisSlot.of(Array(text.utf8)) }

  func testTheChecksumIsThatOfTheSpecification() {
    XCTAssertEqual(RedisSlot.checksum(Array("123456789".utf8)[...]), 0x31C3)
    XCTAssertEqual(RedisSlot.checksum([]), 0)
  }

  func testAHashTagSelectsTheSlot() {
    XCTAssertEqual(slot("{user1000}.following"), slot("user1000"))
    XCTAssertEqual(slot("foo{bar}{zap}"), slot("bar"))
    XCTAssertEqual(slot("foo{{bar}}zap"), slot("{bar"))
    XCTAssertNotEqual(slot("foo{}{bar}"), slot("bar"))
    XCTAssertEqual(slot("foo{bar"), Int(RedisSlot.checksum(Array("foo{bar".utf8)[...])) % 16384)
  }

  func testTheSlotsAreThoseOfTheServer() throws {
    let cluster = try RedisClusterProcess.shared()
    let raw = try cluster.raw(0)
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      let text = String(
        (0..<Int.random(in: 0..<12, using: &generator)).map { _ in
          "{}abc\u{1}é".randomElement(using: &generator)!
        })
      XCTAssertEqual(raw.send("CLUSTER", "KEYSLOT", text), ":\(slot(text))\r\n", text)
    }
  }
}
