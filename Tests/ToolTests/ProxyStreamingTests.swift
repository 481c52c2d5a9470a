import Foundation
import Strata
import StrataHTTP
import XCTest

@testable import strata_tool

/// Tests what the proxy doesn't store, with the transport, the store, and sockets of a real run.
final class ProxyStreamingTests: XCTestCase {
  private let lines = Lock<[String]>([])

  /// Runs a proxy in front of an origin. The closure `serve` receives the head of a request, and
  /// writes the response to the socket.
  private func withProxy(
    _ arguments: [String] = [],
    from serve: @escaping @Sendable (_ head: String, _ socket: Socket) -> Void,
    _ body: (Proxy) throws -> Void
  ) throws {
    let folder = try TemporaryDirectory()
    defer { folder.remove() }
    let origin = try Listener { socket in
      socket.limit(seconds: 20)
      var head: [UInt8] = []
      var byte: UInt8 = 0
      while !head.reversed().starts(with: "\n\r\n\r".utf8) {
        guard recv(socket.descriptor, &byte, 1, 0) == 1 else { return }
        head.append(byte)
      }
      serve(String(decoding: head, as: UTF8.self), socket)
    }
    defer { origin.stop() }
    var options = try ProxyOptions(
      ["http://127.0.0.1:\(origin.port)", "--port=0", "--folder", folder.url.path] + arguments)
    options.maximumStored = 2 << 20
    let lines = lines
    let proxy = try options.start(options.cache(in: options.storage())) { line in
      lines.withLock { $0.append(line) }
    }
    defer { proxy.stop(grace: .zero) }
    try body(proxy)
  }

  func testAnEventArrivesBeforeTheStreamEnds() throws {
    let (goOn, gone) = (DispatchSemaphore(value: 0), expectation(description: "closed"))
    try withProxy { _, socket in
      socket.send(text: "HTTP/1.1 200 OK\r\nContent-Type: Text/Event-Stream; x\r\n\r\n")
      socket.send(text: "data: 1\n\n")
      goOn.wait()
      socket.send(text: "data: 2\n\n")
      _ = socket.receive()  // Returns when the proxy closes its connection.
      gone.fulfill()
    } _: { proxy in
      let client = try ProxyClient(proxy.port)
      client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let head = try client.response()
      XCTAssertEqual(head.fields["Transfer-Encoding"], "chunked")
      XCTAssertEqual(
        head.fields["Cache-Status"], "strata; fwd=uri-miss; fwd-status=200; detail=streamed")
      XCTAssertEqual(try client.chunk(), "data: 1\n\n")
      goOn.signal()
      XCTAssertEqual(try client.chunk(), "data: 2\n\n")
      client.close()
      wait(for: [gone], timeout: 20)
    }
  }

  func testABodyThatIsTooLongToStoreIsStreamed() throws {
    let size = 9 << 20
    try withProxy { head, socket in
      let isChunked = head.hasPrefix("GET /chunked")
      socket.send(
        text:
          "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n"
          + (isChunked ? "Transfer-Encoding: chunked\r\n\r\n" : "Content-Length: \(size)\r\n\r\n"))
      let piece = [UInt8](repeating: 120, count: 1 << 20)
      for _ in 0..<9 {
        if isChunked { socket.send(text: "100000\r\n") }
        guard socket.send(piece) else { return }
        if isChunked { socket.send(text: "\r\n") }
      }
      if isChunked { socket.send(text: "0\r\n\r\n") }
    } _: { proxy in
      let client = try ProxyClient(proxy.port)
      client.send("GET /length HTTP/1.1\r\nHost: localhost\r\n\r\n")
      XCTAssertEqual(try client.head().fields["Content-Length"], "\(size)")
      XCTAssertEqual(try client.skip(size), size)
      client.send("GET /chunked HTTP/1.1\r\nHost: localhost\r\n\r\n")
      XCTAssertEqual(try client.head().fields["Transfer-Encoding"], "chunked")
      var sum = 0
      while case let count = try client.skipChunk(), count > 0 { sum += count }
      XCTAssertEqual(sum, size)
    }
    XCTAssertEqual(lines.withLock { $0 }.filter { $0.contains("not stored, streamed") }.count, 2)
  }

  /// Otherwise, the client would read the rest of the body as its next response.
  func testAStreamedBodyNeverGoesBeyondItsLength() throws {
    try withProxy { _, socket in
      socket.send(
        text:
          "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Length: 3\r\n"
          + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n12\r\nHTTP/1.1 200 OK\r\n\r\n\r\n0\r\n\r\n"
      )
    } _: { proxy in
      let client = try ProxyClient(proxy.port)
      client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let head = try client.head()
      XCTAssertNil(head.fields["Content-Length"])
      XCTAssertEqual(head.fields["Transfer-Encoding"], "chunked")
      XCTAssertThrowsError(
        try {
          while try client.chunk() != "" {}
        }())
    }
    XCTAssertTrue(lines.withLock { $0 }.contains { $0.hasPrefix("cut short") })
  }

  func testABodyThatIsCutShortIsNotCompleted() throws {
    try withProxy { _, socket in
      socket.send(
        text:
          "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"
      )
    } _: { proxy in
      let client = try ProxyClient(proxy.port)
      client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
      XCTAssertEqual(try client.response().status, 200)
      XCTAssertEqual(try client.chunk(), "abc")
      XCTAssertThrowsError(try client.chunk())
    }
    XCTAssertTrue(lines.withLock { $0 }.contains { $0.hasPrefix("cut short") })
  }

  func testALongUploadIsForwarded() throws {
    let size = 9 << 20
    let received = Lock(0)
    try withProxy { head, socket in
      let length = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
      XCTAssertEqual(length, "Content-Length: \(size)")
      var count = 0
      while count < size {
        let bytes = socket.receive()
        guard !bytes.isEmpty else { break }
        XCTAssertFalse(bytes.contains { $0 != 122 })
        count += bytes.count
      }
      received.withLock { $0 += count }
      socket.send(text: "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
    } _: { proxy in
      for isChunked in [false, true] {
        let client = try ProxyClient(proxy.port)
        client.send(
          "PUT / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
            + (isChunked ? "Transfer-Encoding: chunked\r\n\r\n" : "Content-Length: \(size)\r\n\r\n")
        )
        XCTAssertEqual(try client.response().status, 100)
        let piece = String(repeating: "z", count: 1 << 20)
        for _ in 0..<9 { client.send(isChunked ? "100000\r\n\(piece)\r\n" : piece) }
        if isChunked { client.send("0\r\n\r\n") }
        XCTAssertEqual(try client.response().status, 201)
      }
    }
    XCTAssertEqual(received.withLock { $0 }, 2 * size)
  }

  func testATooLongUploadNamesTheOption() throws {
    try withProxy(["--upload", "3"]) { _, _ in
    } _: { proxy in
      let client = try ProxyClient(proxy.port)
      let refused = try client.exchange(
        "PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nabcd")
      XCTAssertEqual(refused.status, 413)
      XCTAssertTrue(refused.body.contains("more than 3 bytes"), refused.body)
      XCTAssertTrue(refused.body.contains("--upload"), refused.body)
    }
  }

  func testAStoredResponseIsStillStored() throws {
    let requests = Lock(0)
    try withProxy { _, socket in
      requests.withLock { $0 += 1 }
      socket.send(
        text:
          "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 2\r\n\r\nab")
    } _: { proxy in
      for _ in 0..<2 {
        let client = try ProxyClient(proxy.port)
        XCTAssertEqual(try client.exchange("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").body, "ab")
      }
    }
    XCTAssertEqual(requests.withLock { $0 }, 1)
  }

  func testAnOldClientReceivesAStreamUntilItsConnectionCloses() throws {
    try withProxy { _, socket in
      socket.send(text: "HTTP/1.1 200 OK\r\nX-Accel-Buffering: no\r\n\r\nabc")
    } _: { proxy in
      let client = try ProxyClient(proxy.port)
      client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
      let head = try client.response()
      XCTAssertEqual(head.fields["Connection"], "close")
      XCTAssertNil(head.fields["Transfer-Encoding"])
      XCTAssertEqual(try client.skip(3), 3)
      XCTAssertThrowsError(try client.skip(1))
    }
  }

  func testADeadlineNamesTheOption() throws {
    let end = DispatchSemaphore(value: 0)
    try withProxy(["--deadline", "1"]) { _, _ in
      end.wait()
    } _: { proxy in
      let client = try ProxyClient(proxy.port)
      let late = try client.exchange("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
      end.signal()
      XCTAssertEqual(late.status, 504)
      XCTAssertTrue(late.body.contains("--deadline"), late.body)
    }
  }
}

extension Socket {
  fileprivate func send(text: String) { send(Array(text.utf8)) }
}
