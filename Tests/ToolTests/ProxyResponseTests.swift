import Foundation
import Strata
import StrataHTTP
import XCTest

@testable import strata_tool

final class ProxyResponseTests: XCTestCase {
  /// Bytes outside ASCII pass from the origin through the network, the store, and the proxy, and a
  /// tag returns to the origin as the origin sent it.
  func testALatinTagPassesInBothDirections() throws {
    let tag = Array("\"caf".utf8) + [0xE9, 0x22]
    // A byte that isn't UTF-8 is decoded as U+FFFD. The UTF-8 form of é would be decoded as é.
    let decoded = "\"caf\u{FFFD}\""
    let heads = Lock<[String]>([])
    let origin = try Listener { socket in
      socket.limit(seconds: 20)
      var head: [UInt8] = []
      var byte: UInt8 = 0
      while !head.reversed().starts(with: "\n\r\n\r".utf8) {
        guard recv(socket.descriptor, &byte, 1, 0) == 1 else { return }
        head.append(byte)
      }
      let text = String(decoding: head, as: UTF8.self)
      heads.withLock { $0.append(text) }
      let isKnown = text.contains("If-None-Match: \(decoded)")
      let line = isKnown ? "304 Not Modified" : "200 OK\r\nContent-Length: 4"
      socket.send(
        Array("HTTP/1.1 \(line)\r\nConnection: close\r\nCache-Control: max-age=0\r\nETag: ".utf8)
          + tag + Array("\r\n\r\n\(isKnown ? "" : "body")".utf8))
    }
    defer { origin.stop() }
    let folder = try TemporaryDirectory()
    defer { folder.remove() }
    let options = try ProxyOptions(
      ["http://127.0.0.1:\(origin.port)", "--port=0", "--folder", folder.url.path])
    let proxy = try options.start(options.cache(in: options.storage())) { _ in }
    defer { proxy.stop(grace: .zero) }
    let client = try ProxyClient(proxy.port)
    for expected in ["fwd=uri-miss; fwd-status=200", "fwd=stale; fwd-status=304"] {
      let answer = try client.exchange("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
      XCTAssertEqual(answer.body, "body")
      XCTAssertEqual(answer.fields["ETag"], decoded)
      XCTAssertEqual(answer.fields["Cache-Status"], "strata; \(expected); stored")
    }
    let conditional =
      "GET / HTTP/1.1\r\nHost: localhost\r\nCache-Control: max-stale\r\nIf-None-Match: "
    client.send(Array(conditional.utf8) + tag + Array("\r\n\r\n".utf8))
    let unmodified = try client.response()
    XCTAssertEqual(unmodified.status, 304)
    XCTAssertEqual(unmodified.fields["ETag"], decoded)
    XCTAssertEqual(heads.withLock { $0.count }, 2)
  }

  /// A client might otherwise wait for the body of an interim response.
  func testAnInterimResponseHasNoLength() {
    var response = ProxyResponse(status: 200, "x", detail: "x", to: "GET")
    response.interim = [
      NetworkResponse.Interim(
        status: 103, fields: ["Link": "a", "content-length": "9", "Transfer-Encoding": "chunked"])
    ]
    let text = String(decoding: response.bytes(keepingConnection: true), as: UTF8.self)
    XCTAssertTrue(text.hasPrefix("HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 "), text)
  }
}
