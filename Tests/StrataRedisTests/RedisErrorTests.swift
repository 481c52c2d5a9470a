import XCTest

@testable import StrataRedis

final class RedisErrorTests: XCTestCase {
  func testAReplyBecomesACodeAndAMessage() {
    func error(_ text: String) -> RedisError { RedisError(reply: Array(text.utf8)) }
    XCTAssertEqual(
      error("OOM command not allowed"), .server(code: "OOM", message: "command not allowed"))
    XCTAssertEqual(error("strange"), .server(code: "ERR", message: "strange"))
    XCTAssertEqual(
      error("ERR unknown command 'AUTH', with args beginning with: 'me' 'hunter2'"),
      .server(code: "ERR", message: "unknown command 'AUTH'"))
  }

  func testControlCharactersOfAServerAreReplaced() {
    let error = RedisError(reply: Array("ERR a\u{1b}[2Jb\nc\u{202e}d\u{9b}e".utf8))
    XCTAssertEqual(
      error, .server(code: "ERR", message: "a\u{fffd}[2Jb\u{fffd}c\u{fffd}d\u{fffd}e"))
  }

  func testAWrongPasswordHintsAtEscapes() {
    XCTAssertTrue("\(RedisError.refused("WRONGPASS invalid"))".contains("%25 for %"))
    XCTAssertTrue("\(RedisError.server(code: "WRONGPASS", message: ""))".contains("%2F"))
    XCTAssertTrue("\(RedisError.refused("ERR DB index is out of range"))".contains("database"))
  }

  func testEveryErrorAdvises() {
    for code in ["OOM", "READONLY", "LOADING", "MISCONF", "NOAUTH", "NOPERM", "CLUSTERDOWN", "X"] {
      let text = RedisError.server(code: code, message: "m").description
      XCTAssertTrue(text.contains(code) && text.hasSuffix("."), text)
    }
    XCTAssertTrue(
      "\(RedisError.server(code: "ERR", message: "unknown command 'UNLINK'"))".contains("too old"))
    for error: RedisError in [
      .invalidAddress("a"), .unreachable("b"), .connectionLost("c"), .refused("d"),
      .queueFull(limit: 5), .valueTooLarge(bytes: 7, limit: 6), .damaged, .protocolViolation("e"),
      .notReporting, .noLevel(prefix: "p"), .tooManyUnconfirmed(limit: 8),
    ] {
      XCTAssertEqual(error.errorDescription, error.description)
      XCTAssertFalse(error.isMiss)
    }
  }
}
