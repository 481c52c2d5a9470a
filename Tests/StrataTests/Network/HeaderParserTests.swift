import XCTest

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

final class HeaderParserTests: XCTestCase {
  /// Parses header lines, and returns the complete response heads.
  private func heads(_ lines: [String]) throws -> [ResponseHead] {
    var parser = HeaderParser()
    return try lines.compactMap { line in
      try Array("\(line)\r\n".utf8).withUnsafeBytes { try parser.receive($0) }
    }
  }

  func testAHeadIsAStatusAndFieldsInOrder() throws {
    let heads = try heads(["HTTP/1.1 200 OK", "B: 1", "a:2", "B: \t3 ", "Empty:", ""])
    let fields: HeaderFields = ["B": "1", "a": "2", "B": "3", "Empty": ""]
    XCTAssertEqual(heads, [ResponseHead(status: 200, fields: fields)])
  }

  func testAStatusNeedsNoPhrase() throws {
    XCTAssertEqual(try heads(["HTTP/2 404", ""]).map(\.status), [404])
    XCTAssertEqual(try heads(["HTTP/2 404 ", ""]).map(\.status), [404])
  }

  func testInterimResponsesPrecedeTheHeadAndTrailersAreDropped() throws {
    let heads = try heads([
      "HTTP/1.1 100 Continue", "A: no", "", "HTTP/1.1 103 Early", "Link: a", "",
      "HTTP/1.1 200 OK", "A: b", "", "X-Sum: 1", "",
    ])
    let hints = NetworkResponse.Interim(status: 103, fields: ["Link": "a"])
    XCTAssertEqual(heads, [ResponseHead(status: 200, fields: ["A": "b"], interim: [hints])])
  }

  func testAFieldKeepsItsBytes() throws {
    var parser = HeaderParser()
    for line in ["HTTP/1.1 200 OK\r\n", "A: \u{E9}\r\n"] {
      _ = try Array(line.utf8).withUnsafeBytes { try parser.receive($0) }
    }
    _ = try ([66, 58, 0xE9, 13, 10] as [UInt8]).withUnsafeBytes { try parser.receive($0) }
    let head = try [UInt8]([13, 10]).withUnsafeBytes { try parser.receive($0) }
    XCTAssertEqual(head?.fields.map(\.text), ["\u{E9}", "\u{E9}"])
    XCTAssertEqual(
      head?.fields.map { RawText.bytes(of: $0.value) }, [[0xC3, 0xA9], [0xE9]])
  }

  func testInvalidLinesAreRefused() {
    for line in [
      "A b: c", "no colon", "token", ": a", "A : b", "A: \0", "A: b\rC: d", "\u{E9}: a", "(A: b",
      "::",
    ] {
      XCTAssertThrowsError(try heads(["HTTP/1.1 200 OK", line, ""]), line.debugDescription)
    }
    for line in ["HTTP/1.1", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1 abc", "A: b", " a: b"]
    {
      XCTAssertThrowsError(try heads([line, ""]), line)
    }
    XCTAssertThrowsError(try heads(["HTTP/1.1 200 OK", " folded", ""]))
    XCTAssertThrowsError(try heads(["HTTP/1.1 101 Switching", ""]))
  }

  func testAnEmptyPieceIsAnEmptyLine() throws {
    var parser = HeaderParser()
    XCTAssertNil(try [UInt8]().withUnsafeBytes { try parser.receive($0) })
    _ = try Array("HTTP/1.1 204 No Content".utf8).withUnsafeBytes { try parser.receive($0) }
    let head = try [UInt8]().withUnsafeBytes { try parser.receive($0) }
    XCTAssertEqual(head, ResponseHead(status: 204, fields: [:]))
  }

  func testFoldedLinesAreJoined() throws {
    let heads = try heads(["HTTP/1.1 200 OK", "A: 1 ", " 2 ", "\t 3", "B: 4", " ", ""])
    XCTAssertEqual(heads.first?.fields, ["A": "1 2 3", "B": "4 "])
  }

  func testTheNumberOfLinesHasABound() {
    let most = HeaderParser.maximumLines - 2  // Without the status line and the empty line.
    for line in ["A: b", " folded"] {
      func parse(_ count: Int) throws -> [ResponseHead] {
        let lines = Array(repeating: line, count: count - 1)
        return try heads(["HTTP/1.1 200 OK", "A: b"] + lines + [""])
      }
      XCTAssertEqual(try? parse(most).count, 1)
      XCTAssertThrowsError(try parse(most + 1))
    }
  }

  func testAHeaderHasABound() {
    let line = "A: \(String(repeating: "x", count: 1 << 16))"
    XCTAssertNoThrow(try heads(["HTTP/1.1 200 OK", line, line, line, ""]))
    XCTAssertThrowsError(try heads(["HTTP/1.1 200 OK", line, line, line, line, ""]))
    let start = "HTTP/1.1 200 OK"
    let rest = HeaderParser.maximumSize - start.utf8.count - 6  // Each line ends with two bytes.
    XCTAssertEqual(try heads([start, "A:" + String(repeating: "x", count: rest - 2), ""]).count, 1)
    XCTAssertThrowsError(
      try heads([start, "A:" + String(repeating: "x", count: rest - 1), ""]))
    let interim = Array(repeating: ["HTTP/1.1 100 Continue", ""], count: 20_000).flatMap { $0 }
    XCTAssertThrowsError(try heads(interim))
  }
}
