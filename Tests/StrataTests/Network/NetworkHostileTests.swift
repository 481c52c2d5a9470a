import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

/// Tests responses that contradict themselves or end early.
final class NetworkHostileTests: NetworkCase {
  private let ok = "HTTP/1.1 200 OK\r\nConnection: close\r\n"

  private func assertRefused(_ text: String, as kinds: String..., line: UInt = #line) async throws {
    let result = try await value(ofBytes: text)
    let expected = kinds.isEmpty ? ["transport", "malformedResponse"] : kinds
    XCTAssertTrue(expected.contains(result.kind), "\(result)", line: line)
  }

  func testAShortBodyIsRefused() async throws {
    try await onEachTransport {
      try await assertRefused(ok + "Content-Length: 9\r\n\r\nabc")
    }
  }

  /// According to RFC 9112, section 6.3, bytes after the announced length aren't part of the
  /// response.
  func testBytesAfterTheAnnouncedLengthArentInTheBody() async throws {
    try await onEachTransport {
      let result = try await value(
        ofBytes: ok + "Content-Length: 3\r\n\r\nabcHTTP/1.1 200 OK\r\n\r\n")
      XCTAssertEqual(result.text, "abc")
    }
  }

  func testConflictingLengthsAreRefused() async throws {
    try await onEachTransport {
      for lengths in [["3", "5"], ["5", "3"], ["3, 5"], ["5, 3"], ["3", "x"], [""], ["3,"]] {
        let headers = lengths.map { "Content-Length: \($0)\r\n" }.joined()
        try await assertRefused(
          ok + headers + "\r\nabcde", as: "conflictingLengths", "transport", "malformedResponse")
      }
    }
  }

  func testRepetitionsOfOneLengthAgree() async throws {
    try await onEachTransport {
      let result = try await value(
        ofBytes: ok + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc")
      XCTAssertEqual(result.text, "abc")
    }
  }

  func testALengthThatIsntANumberIsRefused() async throws {
    try await onEachTransport {
      for length in ["-3", "+3", "0x3", "3.0", "99999999999999999999"] {
        try await assertRefused(
          ok + "Content-Length: \(length)\r\n\r\nabc", as: "conflictingLengths", "transport")
      }
    }
  }

  func testALengthThatDiffersFromTheChunksIsRefused() async throws {
    try await onEachTransport {
      try await assertRefused(
        ok + "Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        as: "incompleteBody")
    }
  }

  func testBadChunksAreRefused() async throws {
    try await onEachTransport {
      let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
      for body in [
        "9\r\nabc", "zz\r\nabc\r\n0\r\n\r\n", "3\r\nabc\r\n", "3\r\nabc\r\n0\r\n", "",
        "-3\r\nabc\r\n0\r\n\r\n", "3\r\nabcd\r\n0\r\n\r\n",
        "FFFFFFFFFFFFFFFFF\r\nabc\r\n0\r\n\r\n", "7FFFFFFFFFFFFFFF\r\nabc\r\n0\r\n\r\n",
      ] {
        try await assertRefused(chunked + body)
      }
    }
  }

  func testBadStatusLinesAreRefused() async throws {
    try await onEachTransport {
      for line in [
        "HTTP/1.1 abc OK", "HTTP/1.1 2000 OK", "HTTP/9.9 200 OK", "HTTP/1.1", "ICY 200 OK",
      ] {
        try await assertRefused(line + "\r\nContent-Length: 1\r\n\r\na")
      }
    }
  }

  func testGarbageIsRefused() async throws {
    try await onEachTransport {
      let garbage = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ ($0 >> 3)) }
      let result = try await value(from: .raw(garbage))
      XCTAssertEqual(result.kind, "transport")
    }
  }

  func testHeaderLinesWithoutNamesAreRefused() async throws {
    try await onEachTransport {
      try await assertRefused(ok + "no colon here\r\nContent-Length: 1\r\n\r\na")
      try await assertRefused(ok + ": no name\r\nContent-Length: 1\r\n\r\na")
    }
  }

  func testEmptyResponsesAreRefused() async throws {
    try await onEachTransport {
      try await assertRefused("")
      try await assertRefused("HTTP/1.1 200")
      guard usesCurl else { return }  // Foundation on Linux would crash.
      try await assertRefused("HTTP/1.1 200 OK\r\nContent-Type: a\r\n")
    }
  }

  func testAnInterimResponseAloneIsRefused() async throws {
    try await onEachTransport {
      try await assertRefused("HTTP/1.1 100 Continue\r\n\r\n")
    }
  }

  func testAResetIsRefused() async throws {
    try await onEachTransport {
      for text in ["", ok, ok + "\r\nabc", ok + "Content-Length: 9\r\n\r\nabc"] {
        let result = try await value(from: .reset(after: Array(text.utf8)))
        XCTAssertEqual(result.kind, "transport", text)
      }
    }
  }

  func testAHeaderOfTwoMegabytesIsRefused() async throws {
    try await onEachTransport {
      let line = String(repeating: "x", count: 2 << 20)
      try await assertRefused(ok + "Long: \(line)\r\nContent-Length: 1\r\n\r\na")
      guard usesCurl else { return }
      let lines = (0..<2048).map { "N\($0): \(line.prefix(1000))\r\n" }.joined()
      try await assertRefused(ok + lines + "Content-Length: 1\r\n\r\na")
    }
  }
}
