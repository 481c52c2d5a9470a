import Foundation
import XCTest

@testable import Strata

/// Answers that lie about themselves or break off.
///
/// Those that end the process inside Foundation on Linux are not here; `NetworkSession` lists them.
final class NetworkHostileTests: NetworkCase {
  private let ok = "HTTP/1.1 200 OK\r\nConnection: close\r\n"

  private func assertRefused(
    _ text: String, as kind: String = "transport", line: UInt = #line
  ) async throws {
    let result = try await ask(sending: text)
    XCTAssertEqual(result.kind, kind, "\(result)", line: line)
  }

  func testShortBodyIsRefused() async throws {
    try await assertRefused(ok + "Content-Length: 9\r\n\r\nabc")
  }

  /// What follows the announced length is not part of the answer (RFC 9112, section 6.3).
  func testBytesAfterTheAnnouncedLengthAreNotInTheBody() async throws {
    let result = try await ask(sending: ok + "Content-Length: 3\r\n\r\nabcHTTP/1.1 200 OK\r\n\r\n")
    XCTAssertEqual(result.text, "abc")
  }

  func testConflictingLengthsAreRefused() async throws {
    for lengths in [["3", "5"], ["5", "3"], ["3, 5"], ["5, 3"], ["3", "x"], [""], ["3,"]] {
      let headers = lengths.map { "Content-Length: \($0)\r\n" }.joined()
      let result = try await ask(sending: ok + headers + "\r\nabcde")
      XCTAssertTrue(["conflictingLengths", "transport"].contains(result.kind), "\(lengths)")
    }
    try await assertRefused(
      ok + "Content-Length: 3\r\nContent-Length: 5\r\n\r\nabcde", as: "conflictingLengths")
  }

  func testRepetitionsOfOneLengthAgree() async throws {
    let result = try await ask(
      sending: ok + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc")
    XCTAssertEqual(result.text, "abc")
  }

  func testLengthThatIsNotANumberIsRefused() async throws {
    for length in ["-3", "+3", "0x3", "3.0", "99999999999999999999"] {
      let result = try await ask(sending: ok + "Content-Length: \(length)\r\n\r\nabc")
      XCTAssertTrue(["conflictingLengths", "transport"].contains(result.kind), length)
    }
  }

  func testLengthThatDisagreesWithChunksIsRefused() async throws {
    try await assertRefused(
      ok + "Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
      as: "incompleteBody")
  }

  func testCutChunkIsRefused() async throws {
    try await assertRefused(ok + "Transfer-Encoding: chunked\r\n\r\n9\r\nabc")
  }

  func testBadChunkIsRefused() async throws {
    try await assertRefused(ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n")
  }

  func testMissingLastChunkIsRefused() async throws {
    try await assertRefused(ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
  }

  func testBadStatusLinesAreRefused() async throws {
    for line in [
      "HTTP/1.1 abc OK", "HTTP/1.1 2000 OK", "HTTP/9.9 200 OK", "HTTP/1.1", "ICY 200 OK",
    ] {
      try await assertRefused(line + "\r\nContent-Length: 1\r\n\r\na")
    }
  }

  func testGarbageIsRefused() async throws {
    let garbage = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ ($0 >> 3)) }
    let result = try await ask(answering: .raw(garbage))
    XCTAssertEqual(result.kind, "transport")
  }

  func testHeaderLinesWithoutNamesAreRefused() async throws {
    try await assertRefused(ok + "no colon here\r\nContent-Length: 1\r\n\r\na")
    try await assertRefused(ok + ": no name\r\nContent-Length: 1\r\n\r\na")
  }

  func testEmptyAnswerIsRefused() async throws {
    try await assertRefused("")
    try await assertRefused("HTTP/1.1 200")
    try await assertRefused("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n")
  }

  func testInterimAnswerAloneIsRefused() async throws {
    try await assertRefused("HTTP/1.1 100 Continue\r\n\r\n")
  }

  func testResetIsRefused() async throws {
    for text in ["", ok, ok + "\r\nabc", ok + "Content-Length: 9\r\n\r\nabc"] {
      let result = try await ask(answering: .reset(after: Array(text.utf8)))
      XCTAssertEqual(result.kind, "transport", text)
    }
  }

  func testHeaderOfTwoMegabytesIsRefusedOrRead() async throws {
    let line = String(repeating: "x", count: 2 << 20)
    try await assertRefused(ok + "Long: \(line)\r\nContent-Length: 1\r\n\r\na")
    let lines = (0..<2048).map { "N\($0): \(line.prefix(1000))\r\n" }.joined()
    let result = try await ask(sending: ok + lines + "Content-Length: 1\r\n\r\na")
    XCTAssertTrue(["success", "transport"].contains(result.kind), result.kind)
  }
}
