import Foundation
import XCTest

@testable import Strata

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The limits of size and time, and what is spent before they are reached.
final class NetworkLimitTests: NetworkCase {
  private let ok = "HTTP/1.1 200 OK\r\nConnection: close\r\n"
  private let gzip = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Encoding: gzip\r\n"

  func testBodyOfMaximumSizeIsAnswered() async throws {
    let body = String(repeating: "x", count: 1000)
    let whole = try await ask(answering: .respond(body: body), maximumSize: 1000)
    XCTAssertEqual(whole.text, body)
    let over = try await ask(answering: .respond(body: body + "x"), maximumSize: 1000)
    XCTAssertEqual(over.kind, "tooLarge")
  }

  func testAnnouncedLengthAboveTheMaximumIsRefusedAtOnce() async throws {
    for length in ["1001", "4000000000000000000"] {
      let reply = LoopbackOrigin.Reply.stream { connection in
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n")
        connection.waitUntilClosed()
      }
      let result = try await ask(answering: reply, maximumSize: 1000)
      XCTAssertEqual(result.kind, "tooLarge", length)
    }
  }

  func testAnnouncementAllocatesNothingLarge() async throws {
    let before = Memory.resident
    Memory.resetPeak()
    let result = try await ask(
      sending: ok + "Content-Length: 4000000000000000000\r\n\r\nabc", maximumSize: .max,
      deadline: .seconds(5))
    XCTAssertEqual(result.kind, "transport")
    XCTAssertLessThan(Memory.peak - before, 16 << 20)
  }

  func testEncodedBodyIsDecoded() async throws {
    let head = gzip + "Content-Length: \(GzipBodies.hello.count)\r\n\r\n"
    let result = try await ask(answering: .raw(Array(head.utf8) + GzipBodies.hello))
    XCTAssertEqual(result.text, "hello, hello, hello, hello\n")
  }

  func testShortOrBrokenEncodedBodyIsRefused() async throws {
    let body = GzipBodies.hello
    let head = Array((gzip + "Content-Length: \(body.count)\r\n\r\n").utf8)
    let short = try await ask(answering: .raw(head + body.dropLast(3)))
    XCTAssertEqual(short.kind, "transport")
    let broken = try await ask(answering: .raw(head + body.map { $0 ^ 0x55 }))
    XCTAssertEqual(broken.kind, "transport")
  }

  func testBombIsRefusedInBoundedMemory() async throws {
    let bomb = GzipBodies.bomb(megabytes: 150)
    let head = Array((gzip + "Content-Length: \(bomb.count)\r\n\r\n").utf8)
    try await assertBounded(.raw(head + bomb), maximumSize: 8 << 20)
  }

  /// The whole bomb is in the first read, so nothing can stop it from being decoded.
  func testBombInBombIsRefusedInBoundedMemory() async throws {
    let bomb = GzipBodies.bombInBomb(megabytes: 300)
    XCTAssertLessThan(bomb.count, 1 << 15)
    let header = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip\r\nConnection: close\r\n\r\n"
    try await assertBounded(.raw(Array(header.utf8) + bomb), maximumSize: 8 << 20)
  }

  func testEndlessBodyIsRefusedInBoundedMemory() async throws {
    let piece = [UInt8](repeating: 0x78, count: 1 << 16)
    try await assertBounded(endless(header: ok + "\r\n", piece: piece), maximumSize: 8 << 20)
  }

  func testEndlessChunksAreRefusedInBoundedMemory() async throws {
    let piece = Array("ffff\r\n".utf8) + [UInt8](repeating: 0x78, count: 0xFFFF) + [13, 10]
    let header = ok + "Transfer-Encoding: chunked\r\n\r\n"
    try await assertBounded(endless(header: header, piece: piece), maximumSize: 8 << 20)
  }

  private func assertBounded(
    _ reply: LoopbackOrigin.Reply, maximumSize: Int, line: UInt = #line
  ) async throws {
    let (before, files) = (Memory.resident, Memory.openFiles)
    Memory.resetPeak()
    let result = try await ask(answering: reply, maximumSize: maximumSize)
    XCTAssertEqual(result.kind, "tooLarge", line: line)
    // What has been read may still be decoded after the refusal; the connection closes after it.
    let closed = await eventually { Memory.openFiles <= files }
    XCTAssertTrue(closed, line: line)
    guard !Memory.isInstrumented else { return }
    XCTAssertLessThan(Memory.peak - before, 2 * maximumSize + 32 << 20, line: line)
  }

  func testSilenceEndsAtTheDeadline() async throws {
    for greeting in [
      "", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n", ok + "Content-Length: 9\r\n\r\nabc",
    ] {
      let reply = LoopbackOrigin.Reply.stream { connection in
        connection.send(greeting)
        connection.waitUntilClosed()
      }
      let result = try await ask(answering: reply, deadline: .milliseconds(200))
      XCTAssertEqual(result.kind, "deadlinePassed", greeting)
    }
  }

  func testDripEndsAtTheDeadline() async throws {
    let reply = LoopbackOrigin.Reply.stream { [ok] connection in
      connection.send(ok + "Content-Length: 100000\r\n\r\n")
      while !connection.waitUntilClosed(upTo: 0.02), connection.send("x") {}
    }
    let start = ContinuousClock.now
    let result = try await ask(answering: reply, deadline: .milliseconds(300))
    XCTAssertEqual(result.kind, "deadlinePassed")
    XCTAssertLessThan(ContinuousClock.now - start, .milliseconds(1300))
  }

  func testEndlessHeaderEndsAtTheDeadline() async throws {
    let line = Array("Name: \(String(repeating: "v", count: 100))\r\n".utf8)
    let result = try await ask(
      answering: endless(header: ok + "Content-Length: 3\r\n", piece: line),
      deadline: .milliseconds(200))
    XCTAssertTrue(["deadlinePassed", "transport"].contains(result.kind), result.kind)
  }

  func testEndlessBodyOfARedirectEndsAtTheDeadline() async throws {
    let header = "HTTP/1.1 302 Found\r\nLocation: /next\r\n\r\n"
    let piece = [UInt8](repeating: 0x78, count: 1 << 14)
    let result = try await ask(
      answering: endless(header: header, piece: piece), deadline: .milliseconds(200))
    XCTAssertEqual(result.kind, "deadlinePassed")
  }

  func testDeadlineCountsRedirectsToo() async throws {
    let reply = LoopbackOrigin.Reply.stream { connection in
      guard !connection.waitUntilClosed(upTo: 0.1) else { return }
      connection.send(.respond(status: 302, headers: ["Location": "/"]))
    }
    let result = try await ask(answering: reply, deadline: .milliseconds(300))
    XCTAssertEqual(result.kind, "deadlinePassed")
  }

  func testNoTimeMeansNoRequest() async throws {
    let origin = try LoopbackOrigin { _ in .respond() }
    defer { origin.stop() }
    let result = await ask(URLRequest(url: origin.url()), deadline: .zero)
    XCTAssertEqual(result.kind, "deadlinePassed")
    XCTAssertEqual(origin.requests.count, 0)
  }
}
