import Foundation
import Strata
import XCTest

@testable import strata_tool

final class ProxyReaderTests: XCTestCase {
  /// Returns a request reader for text that arrives in pieces of the given size.
  private func reader(
    _ text: String, piece: Int = 7, limits: ProxyReader.Limits = ProxyReader.Limits()
  ) -> ProxyReader {
    var rest = Array(text.utf8)[...]
    return ProxyReader(limits: limits) {
      defer { rest = rest.dropFirst(piece) }
      return Array(rest.prefix(piece))
    }
  }

  private func request(_ text: String, piece: Int = 7) throws -> ProxyRequest {
    var reader = reader(text, piece: piece)
    var request = try XCTUnwrap(try reader.head())
    request.body = try reader.body(request.framing())
    return request
  }

  func testARequestIsReadInPiecesOfAnySize() throws {
    let text = "POST /a?b HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nA: 1\r\na:  2 \r\n\r\nhello"
    for piece in [1, 2, 3, 7, 1000] {
      let request = try request(text, piece: piece)
      XCTAssertEqual(request.method, "POST")
      XCTAssertEqual(request.target, "/a?b")
      XCTAssertEqual(request.fields.values(of: "A"), ["1", "2"])
      XCTAssertEqual(request.body, Data("hello".utf8))
    }
  }

  /// According to RFC 9110, section 5.5, bytes outside ASCII have no defined encoding. The reader
  /// must therefore not replace different bytes with the same character.
  func testBytesThatAreNotUTF8StayDifferent() throws {
    var bytes = Array("GET / HTTP/1.1\r\nHost: x\r\nA: \u{E9}\r\nB: ".utf8)
    bytes += [0xE9, 13, 10, 67, 58, 0xFC, 13, 10, 13, 10]
    var rest = bytes[...]
    var reader = ProxyReader {
      defer { rest = [] }
      return Array(rest)
    }
    let head = try XCTUnwrap(try reader.head())
    let values = ["A", "B", "C"].map { head.fields[$0] ?? "" }
    XCTAssertEqual(Set(values).count, 3)
    XCTAssertEqual(values.map(RawText.bytes), [[0xC3, 0xA9], [0xE9], [0xFC]])
  }

  func testRequestsThatArriveTogetherAreReadOneByOne() throws {
    var reader = reader(
      "\r\nGET /1 HTTP/1.1\r\nHost: x\r\n\r\nPUT /2 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab"
        + "GET /3 HTTP/1.0\r\n\r\n", piece: 1000)
    XCTAssertEqual(try reader.head()?.target, "/1")
    XCTAssertEqual(try reader.head()?.target, "/2")
    XCTAssertEqual(try reader.body(.length(2)), Data("ab".utf8))
    XCTAssertEqual(try reader.head()?.target, "/3")
    XCTAssertNil(try reader.head())
  }

  func testChunksAreJoined() throws {
    let head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    let chunks = "5\r\nhello\r\n1;name=value\r\n \r\n00A \r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n"
    XCTAssertEqual(try request(head + chunks).body, Data("hello 0123456789".utf8))
  }

  func testMalformedChunksAreRefused() {
    let head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    for chunks in [
      "\r\n", "x\r\n", "-1\r\na\r\n", "5\r\nhello0\r\n\r\n", "5\nhello\r\n0\r\n\r\n",
      "FFFFFFFFFFFFFFFFFF\r\n", "5\r\nhel", "0\r\n", "5 x\r\nhello\r\n0\r\n\r\n",
    ] { XCTAssertThrowsError(try request(head + chunks), chunks) }
  }

  func testAmbiguousFramingsAreRefused() {
    for fields in [
      "Content-Length: 5\r\nTransfer-Encoding: chunked", "Content-Length: 5\r\nContent-Length: 6",
      "Content-Length: 5, 6", "Content-Length: +5", "Content-Length: 5x", "Content-Length: -1",
      "Content-Length: 99999999999999999999", "Content-Length:", "Content-Length: ,",
      "Content-Length: 5, 5", "Content-Length: 5,", "Content-Length: 5\r\nContent-Length: 5",
      "Content-Length:\r\nContent-Length: 5", "Content-Length: 0x5", "Content-Length: 5 5",
      "Content-Length: 5\r\nTransfer-Encoding:", "Transfer-Encoding:", "Transfer-Encoding: ,",
      "Content-Length:\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked,",
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
      "Transfer-Encoding: gzip, chunked",
      "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: xchunked",
    ] { XCTAssertThrowsError(try request("POST / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n\r\nhello")) }
  }

  func testMalformedHeadsAreRefused() {
    for head in [
      "GET /\r\n\r\n", "GET / HTTP/2\r\n\r\n", "GET  / HTTP/1.1\r\nHost: x\r\n\r\n",
      "G(T / HTTP/1.1\r\nHost: x\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", "GET / HTTP/1.1\r\nHost : x\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nnone\r\n\r\n",
      "GET / HTTP/1.1\nHost: x\n\n", "GET / HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: x\r\nA: \u{1}\r\n\r\n", "GET / HTTP/1.1\r\nHost: \u{7F}\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: x\r\nA: a\rb\r\n\r\n", "GET x HTTP/1.1\r\nHost: x\r\n\r\n",
      "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", "\u{16}\u{3}\u{1}", "GET / HTTP/1.1\r\nHost: x",
    ] {
      var reader = reader(head)
      XCTAssertThrowsError(try reader.head(), head)
    }
  }

  func testLimitsHold() {
    let limits = ProxyReader.Limits(head: 100, body: 10)
    func fault(_ text: String) -> ProxyFault? {
      var reader = reader(text, limits: limits)
      do {
        guard let head = try reader.head() else { return nil }
        _ = try reader.body(head.framing())
        return nil
      } catch { return error as? ProxyFault }
    }
    let long = String(repeating: "x", count: 200)
    XCTAssertEqual(fault("GET /\(long) HTTP/1.1\r\nHost: x\r\n\r\n"), .headTooLarge)
    XCTAssertEqual(fault(long), .headTooLarge)
    let fields = String(repeating: "A: 1\r\n", count: 30)
    XCTAssertEqual(fault("GET / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n"), .headTooLarge)
    let post = "POST / HTTP/1.1\r\nHost: x\r\n"
    XCTAssertEqual(fault("\(post)Content-Length: 11\r\n\r\n"), .bodyTooLarge(maximum: 10))
    let chunked = "\(post)Transfer-Encoding: chunked\r\n\r\n"
    XCTAssertEqual(fault("\(chunked)6\r\n012345\r\n5\r\n"), .bodyTooLarge(maximum: 10))
    XCTAssertEqual(fault("\(chunked)1\r\n0\r\n0\r\n\(fields)"), .headTooLarge)
    for more in ["X\r\n", "XXXX"] {
      XCTAssertEqual(
        fault("\(chunked)1\r\n0\(more)0\r\n\r\n"), .malformed("a chunk is longer than its size"))
    }
  }

  func testRandomBytesNeverCrash() {
    var generator = SystemRandomNumberGenerator()
    let text =
      "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
    for _ in 0..<5000 {
      var bytes = Array(text.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: index)
        default: bytes.insert(bytes[Int.random(in: 0..<bytes.count)], at: index)
        }
      }
      var isRead = false
      var reader = ProxyReader {
        defer { isRead = true }
        return isRead ? [] : bytes
      }
      while let head = try? reader.head(), let framing = try? head.framing(),
        (try? reader.body(framing)) != nil
      {}
    }
  }
}
