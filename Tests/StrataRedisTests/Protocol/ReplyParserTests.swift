import Foundation
import StrataLaws
import XCTest

@testable import StrataRedis

final class ReplyParserTests: XCTestCase {
  private func parse(_ text: String, limits: ReplyParser.Limits = .init()) throws -> [RedisReply] {
    try ReplyParser.all(in: Array(text.utf8), by: text.utf8.count, limits: limits)
  }

  func testEveryTypeOfRESP3() throws {
    XCTAssertEqual(try parse("+OK\r\n"), [.text(Array("OK".utf8))])
    XCTAssertEqual(try parse("-ERR no\r\n"), [.failure(Array("ERR no".utf8))])
    XCTAssertEqual(try parse("!6\r\nERR no\r\n"), [.failure(Array("ERR no".utf8))])
    XCTAssertEqual(
      try parse(":0\r\n:-7\r\n:+7\r\n:9223372036854775807\r\n:-9223372036854775808\r\n"),
      [.integer(0), .integer(-7), .integer(7), .integer(.max), .integer(.min)])
    XCTAssertEqual(
      try parse("$2\r\n\r\n\r\n$0\r\n\r\n"), [.bytes(Data("\r\n".utf8)), .bytes(Data())])
    XCTAssertEqual(try parse("_\r\n$-1\r\n*-1\r\n"), [.null, .null, .null])
    XCTAssertEqual(try parse("#t\r\n#f\r\n"), [.boolean(true), .boolean(false)])
    XCTAssertEqual(
      try parse(",1.5\r\n,-inf\r\n,10\r\n"),
      [
        .double(1.5), .double(-.infinity), .double(10),
      ])
    XCTAssertEqual(try parse("(-349\r\n"), [.number(Array("-349".utf8))])
    XCTAssertEqual(try parse("=6\r\ntxt:ab\r\n"), [.bytes(Data("ab".utf8))])
    XCTAssertEqual(
      try parse("*2\r\n:1\r\n*1\r\n~0\r\n"), [.list([.integer(1), .list([.list([])])])])
    XCTAssertEqual(
      try parse("%1\r\n+a\r\n%0\r\n"), [.map([.text(Array("a".utf8)), .map([])])])
    XCTAssertEqual(
      try parse(">2\r\n+x\r\n_\r\n:1\r\n"), [.push([.text(Array("x".utf8)), .null]), .integer(1)])
  }

  func testAttributesAreDropped() throws {
    XCTAssertEqual(
      try parse("|1\r\n+ttl\r\n:9\r\n*2\r\n|1\r\n+a\r\n*1\r\n:2\r\n:3\r\n:4\r\n|0\r\n:5\r\n"),
      [.list([.integer(3), .integer(4)]), .integer(5)])
  }

  func testInvalidRESPIsAnError() {
    for text in [
      "\r\n", "hello\r\n", "+a\rb\r\n", ":\r\n", ":-\r\n", ":1x\r\n",
      ":9223372036854775808\r\n", "$-2\r\n", "$3\r\nabcde", "*-2\r\n", "#x\r\n", ",\r\n",
      ",0x1p3\r\n", "(\r\n", "(1.5\r\n", "=2\r\nab\r\n", "=4\r\nabcd\r\n", "_x\r\n",
      "%9223372036854775807\r\n", "*99999999999\r\n", "$99999999999\r\n", "HTTP/1.1 200 OK\r\n",
    ] {
      XCTAssertThrowsError(try parse(text), text)
    }
    XCTAssertEqual(try parse("+a\nb\r\n"), [.text(Array("a\nb".utf8))])
  }

  func testDepthSizeAndLinesAreBounded() throws {
    let deep = String(repeating: "*1\r\n", count: 100_000)
    XCTAssertThrowsError(try parse(deep))
    XCTAssertEqual(try parse(String(repeating: "*1\r\n", count: 32) + ":1\r\n").count, 1)
    let small = ReplyParser.Limits(depth: 4, bytes: 200, line: 20)
    XCTAssertThrowsError(try parse("$201\r\n", limits: small))
    XCTAssertThrowsError(
      try parse(
        "*9\r\n" + String(repeating: "$20\r\n\(String(repeating: "a", count: 20))\r\n", count: 9),
        limits: small))
    XCTAssertThrowsError(try parse("+" + String(repeating: "a", count: 30), limits: small))
    XCTAssertThrowsError(
      try parse(String(repeating: "|1\r\n:1\r\n:1\r\n", count: 100), limits: small))
    XCTAssertEqual(
      try parse(String(repeating: ":1\r\n", count: 100), limits: small).count, 100,
      "The limits should apply to each reply separately.")
  }

  func testPiecesOfAnySizeGiveTheSameReplies() throws {
    var generator = SeededGenerator(seed: 19)
    for _ in 0..<300 {
      let replies = (0..<4).map { _ in RedisReply.random(&generator, depth: 3) }
      let bytes = replies.flatMap(\.encoded)
      XCTAssertEqual(try ReplyParser.all(in: bytes, by: bytes.count), replies)
      XCTAssertEqual(try ReplyParser.all(in: bytes, by: 1), replies)
      XCTAssertEqual(
        try ReplyParser.all(in: bytes, by: .random(in: 2...9, using: &generator)), replies)
    }
  }

  /// Parses damaged replies twice: as a whole, and byte by byte. The parser must return the same
  /// replies both times, or must fail both times.
  func testDamagedRepliesNeverDependOnThePieces() throws {
    var generator = SeededGenerator(seed: 20)
    let rounds = ProcessInfo.processInfo.environment["STRATA_LONG"] == "1" ? 300_000 : 5_000
    for _ in 0..<rounds {
      var bytes = RedisReply.random(&generator, depth: 3).encoded
      for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
        let index = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[index] = .random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(UInt8(ascii: "1"), at: index)
        default: bytes[index] = Array("+-:$*%~>|_#,(=!\r\n0".utf8).randomElement(using: &generator)!
        }
      }
      let whole = Result { try ReplyParser.all(in: bytes, by: max(1, bytes.count)) }
      let split = Result { try ReplyParser.all(in: bytes, by: 1) }
      XCTAssertEqual(try? whole.get(), try? split.get(), "\(bytes)")
    }
  }

  func testTheParserReleasesWhatItHasParsed() throws {
    var parser = ReplyParser()
    let piece = Array(String(repeating: "$10\r\n0123456789\r\n", count: 1000).utf8)
    for _ in 0..<100 {
      piece.withUnsafeBytes { parser.append($0) }
      while let reply = try parser.next() { XCTAssertEqual(reply.data?.count, 10) }
      XCTAssertLessThan(parser.bufferedBytes, 1 << 20)
    }
  }
}

extension ReplyParser {
  /// Parses all replies in bytes that arrive in pieces of the given size.
  static func all(
    in bytes: [UInt8], by size: Int, limits: Limits = .init()
  ) throws -> [RedisReply] {
    var (parser, replies) = (ReplyParser(limits: limits), [RedisReply]())
    for start in stride(from: 0, to: bytes.count, by: max(1, size)) {
      bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { parser.append($0) }
      while let reply = try parser.next() { replies.append(reply) }
    }
    return replies
  }
}

extension RedisReply {
  static func random(_ generator: inout SeededGenerator, depth: Int) -> RedisReply {
    func bytes(_ range: ClosedRange<UInt8>) -> [UInt8] {
      (0..<Int.random(in: 0...8, using: &generator)).map { _ in
        .random(in: range, using: &generator)
      }
    }
    func elements(_ factor: Int) -> [RedisReply] {
      (0..<factor * Int.random(in: 0...3, using: &generator)).map { _ in
        random(&generator, depth: depth - 1)
      }
    }
    switch Int.random(in: 0..<(depth > 0 ? 11 : 8), using: &generator) {
    case 0: return .text(bytes(32...126))
    case 1: return .failure(bytes(32...126))
    case 2: return .integer(.random(in: .min ... .max, using: &generator))
    case 3: return .bytes(Data(bytes(0...255)))
    case 4: return .null
    case 5: return .double(Double(Int.random(in: -99...99, using: &generator)) / 4)
    case 6: return .boolean(.random(using: &generator))
    case 7: return .number([UInt8(ascii: "4")] + bytes(48...57))
    case 8: return .list(elements(1))
    case 9: return .map(elements(2))
    default: return .push(elements(1))
    }
  }

  var encoded: [UInt8] {
    func line(_ kind: String, _ text: some Sequence<UInt8>) -> [UInt8] {
      Array(kind.utf8) + Array(text) + [13, 10]
    }
    switch self {
    case .text(let text): return line("+", text)
    case .failure(let text): return line("-", text)
    case .integer(let value): return line(":", "\(value)".utf8)
    case .bytes(let data): return line("$", "\(data.count)".utf8) + data + [13, 10]
    case .null: return line("_", [])
    case .double(let value): return line(",", "\(value)".utf8)
    case .boolean(let value): return line("#", [UInt8(ascii: value ? "t" : "f")])
    case .number(let digits): return line("(", digits)
    case .list(let elements):
      return line("*", "\(elements.count)".utf8) + elements.flatMap(\.encoded)
    case .map(let elements):
      return line("%", "\(elements.count / 2)".utf8) + elements.flatMap(\.encoded)
    case .push(let elements):
      return line(">", "\(elements.count)".utf8) + elements.flatMap(\.encoded)
    }
  }

  func testTheElementsOfAListArriveOneByOne() throws {
    var parser = ReplyParser()
    func parts(_ text: String) throws -> [ReplyParser.Part] {
      Array(text.utf8).withUnsafeBytes { parser.append($0) }
      var parts: [ReplyParser.Part] = []
      while let part = try parser.nextPart(splitsList: true) { parts.append(part) }
      return parts
    }
    XCTAssertEqual(try parts("*3\r"), [])
    XCTAssertEqual(try parts("\n:1\r\n$2\r\na"), [.header(count: 3), .element(.integer(1))])
    XCTAssertEqual(try parts("b\r\n*1\r\n"), [.element(.bytes(Data("ab".utf8)))])
    XCTAssertEqual(
      try parts("_\r\n*0\r\n+OK\r\n>1\r\n:2\r\n"),
      [
        .element(.list([.null])), .whole(.list([])), .whole(.ok), .whole(.push([.integer(2)])),
      ])
    XCTAssertThrowsError(try parts("*x\r\n"))
  }
}
