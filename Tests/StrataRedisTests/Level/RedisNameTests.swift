import Foundation
import StrataCore
import StrataVerbs
import XCTest

@testable import StrataRedis

final class RedisNameTests: RedisCase {
  func testANameHasOneKey() {
    for key in [
      "", "k", "\u{1}", "\u{1}\u{1}", "a\u{1}epoch", "\u{1}epoch", "epoch", "\u{1}\u{2}\u{1}",
    ] {
      for text in ["", "p:", "p\u{1}", "\u{1}"] {
        let prefix = RedisName.bytes(of: text)
        let name = RedisName.bytes(of: key, prefix: prefix)
        XCTAssertTrue(name.starts(with: prefix))
        XCTAssertEqual(RedisName.key(of: name, prefix: prefix), key)
      }
    }
    XCTAssertEqual(RedisName.bytes(of: "k\u{e9}"), RedisName.bytes(of: "ke\u{301}"))
    XCTAssertNil(RedisName.key(of: Array("p:\u{1}epoch".utf8), prefix: Array("p:".utf8)))
  }

  /// The names of values and of epochs differ, even if one prefix begins with another one.
  func testNoKeyHasTheNameOfAnEpoch() {
    let alphabet = ["a", ":", "\u{1}", "epoch"]
    var (texts, epochs) = ([""], Set<[UInt8]>())
    for _ in 0..<4 { texts += texts.flatMap { text in alphabet.map { text + $0 } } }
    let unique = Set(texts).filter { $0.count <= 9 }
    for text in unique { epochs.insert(RedisName.epoch(of: RedisName.bytes(of: text))) }
    XCTAssertEqual(epochs.count, unique.count)
    for text in unique { XCTAssertFalse(epochs.contains(RedisName.bytes(of: text))) }
  }

  func testAnotherProgramThatUsesTheNameOfAnEpochIsNamed() throws {
    try raw().send("LPUSH", prefix + "\u{1}epoch", "foreign")
    let level = Cache<String, Data>.redis(server(), prefix: prefix)
    XCTAssertThrowsError(try level.set("k", Data()).settled()) { error in
      XCTAssertTrue("\(error)".contains("another program has written"), "\(error)")
      XCTAssertTrue("\(error)".contains("choose another prefix"), "\(error)")
      XCTAssertTrue("\(error)".contains(prefix), "\(error)")
    }
    try level.clear().settled()
    try level.set("k", Data()).settled()
  }

  func testAKeyOfAShorterPrefixDoesNotClearALongerOne() throws {
    let (short, long) = (prefix, prefix + ":")
    let level = Cache<String, Data>.redis(server(), prefix: long)
    try level.set("k", Data("1".utf8)).settled()
    try Cache<String, Data>.redis(server(), prefix: short).set(":\u{1}epoch", Data()).settled()
    XCTAssertEqual(
      try Cache<String, Data>.redis(server(), prefix: long).get("k").settled(), Data("1".utf8))
  }
}
