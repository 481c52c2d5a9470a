import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

/// Tests the limits on size and time, and the memory use before a limit is reached.
final class NetworkLimitTests: NetworkCase {
  private let ok = "HTTP/1.1 200 OK\r\nConnection: close\r\n"

  func testABodyOfMaximumSizeIsAValue() async throws {
    try await onEachTransport {
      let body = String(repeating: "x", count: 1000)
      let whole = try await value(from: .respond(body: body), maximumSize: 1000)
      XCTAssertEqual(whole.text, body)
      let over = try await value(from: .respond(body: body + "x"), maximumSize: 1000)
      XCTAssertEqual(over.kind, "tooLarge")
    }
  }

  func testAnAnnouncementAboveTheMaximumIsRefusedImmediately() async throws {
    try await onEachTransport {
      for length in ["1001", "4000000000000000000"] {
        let reply = LoopbackOrigin.Reply.stream { connection in
          connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n")
          connection.waitUntilClosed()
        }
        let result = try await value(from: reply, maximumSize: 1000)
        XCTAssertEqual(result.kind, "tooLarge", length)
      }
    }
  }

  func testTheDefaultMaximumIs64MiB() async throws {
    let origin = try LoopbackOrigin { request in
      let length = request.path.dropFirst()
      return .raw(Array("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n".utf8))
    }
    defer { origin.stop() }
    let gets: [(URL) async throws -> Void] = [
      { _ = try await Fetcher<URL, Data>.network().value(for: $0) },
      { _ = try await Fetcher<URL, Data>.network(accepting: .success).value(for: $0) },
      { _ = try await Fetcher<URLRequest, Data>.network().value(for: URLRequest(url: $0)) },
      { url in
        let network: Fetcher<URLRequest, Data> = .network(accepting: .success)
        _ = try await network.value(for: URLRequest(url: url))
      },
      { url in
        let responses: Fetcher<URLRequest, NetworkResponse> = .responses()
        _ = try await responses.value(for: URLRequest(url: url))
      },
    ]
    for (length, isTooLarge) in [(64 << 20, false), (64 << 20 + 1, true)] {
      for (index, get) in gets.enumerated() {
        do {
          try await get(origin.url("/\(length)"))
          XCTFail("\(index): \(length)")
        } catch let error as NetworkError {
          XCTAssertEqual("\(error.reason)".hasPrefix("tooLarge"), isTooLarge, "\(index): \(error)")
        }
      }
    }
  }

  func testAnAnnouncementAllocatesLittle() async throws {
    try await onEachTransport {
      let before = Memory.resident
      Memory.resetPeak()
      let result = try await value(
        ofBytes: ok + "Content-Length: 4000000000000000000\r\n\r\nabc", maximumSize: .max,
        deadline: .seconds(300))
      XCTAssertEqual(result.kind, "transport")
      XCTAssertLessThan(Memory.peak - before, 16 << 20)
    }
  }

  func testEndlessBodyIsRefusedInBoundedMemory() async throws {
    try await onEachTransport {
      let piece = [UInt8](repeating: 0x78, count: 1 << 16)
      try await assertBounded(endless(header: ok + "\r\n", piece: piece), maximumSize: 8 << 20)
    }
  }

  func testEndlessChunksAreRefusedInBoundedMemory() async throws {
    try await onEachTransport {
      let piece = Array("ffff\r\n".utf8) + [UInt8](repeating: 0x78, count: 0xFFFF) + [13, 10]
      let header = ok + "Transfer-Encoding: chunked\r\n\r\n"
      try await assertBounded(endless(header: header, piece: piece), maximumSize: 8 << 20)
    }
  }

  private func assertBounded(
    _ reply: LoopbackOrigin.Reply, maximumSize: Int, line: UInt = #line
  ) async throws {
    let (before, files) = (Memory.resident, Memory.openFiles)
    Memory.resetPeak()
    let result = try await value(from: reply, maximumSize: maximumSize)
    XCTAssertEqual(result.kind, "tooLarge", line: line)
    let closed = await eventually { Memory.openFiles <= files }
    XCTAssertTrue(closed, line: line)
    guard !Memory.isInstrumented else { return }
    XCTAssertLessThan(Memory.peak - before, 2 * maximumSize + 32 << 20, line: line)
  }

  func testSilenceEndsAtTheDeadline() async throws {
    try await onEachTransport {
      for greeting in [
        "", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n", ok + "Content-Length: 9\r\n\r\nabc",
      ] {
        let reply = LoopbackOrigin.Reply.stream { connection in
          connection.send(greeting)
          connection.waitUntilClosed()
        }
        let result = try await value(from: reply, deadline: .milliseconds(200))
        XCTAssertEqual(result.kind, "deadlinePassed", greeting)
      }
    }
  }

  func testDripEndsAtTheDeadline() async throws {
    try await onEachTransport {
      let sent = Lock(0)
      let reply = LoopbackOrigin.Reply.stream { [ok] connection in
        connection.send(ok + "Content-Length: 100000\r\n\r\n")
        while !connection.waitUntilClosed(upTo: 0.02), connection.send("x") {
          sent.withLock { $0 += 1 }
        }
      }
      let origin = try LoopbackOrigin { _ in reply }
      defer { origin.stop() }
      let (time, clock) = TimeSource.manual()
      let limits = Transfer.Limits(size: 1 << 20, deadline: .seconds(300), redirects: 10)
      let (kind, ended) = (Lock<String?>(nil), expectation(description: "completion"))
      let request = URLRequest(url: origin.url())
      _ = makeSession().start(request, limits: limits, clock: time) { result in
        kind.withLock { $0 = result.kind }
        ended.fulfill()
      }
      let drips = await eventually { sent.withLock { $0 } >= 5 }
      XCTAssertTrue(drips)
      clock.advance(by: .seconds(299))
      XCTAssertNil(kind.withLock { $0 })
      clock.advance(by: .seconds(1))
      await fulfillment(of: [ended], timeout: 300)
      XCTAssertEqual(kind.withLock { $0 }, "deadlinePassed")
    }
  }

  func testAnEndlessHeaderIsRefusedOrEndsAtTheDeadline() async throws {
    try await onEachTransport {
      let line = Array("Name: \(String(repeating: "v", count: 100))\r\n".utf8)
      let result = try await value(
        from: endless(header: ok + "Content-Length: 3\r\n", piece: line),
        deadline: .milliseconds(200))
      XCTAssertTrue(
        ["deadlinePassed", "malformedResponse", "transport"].contains(result.kind), result.kind)
    }
  }

  func testOnlyTheStartOfARedirectsBodyIsRead() async throws {
    try await onEachTransport {
      guard usesCurl else { return }  // An endless body would block Foundation's session on Linux.
      let flood = endless(
        header: "HTTP/1.1 302 Found\r\nLocation: /next\r\n\r\n",
        piece: [UInt8](repeating: 0x78, count: 1 << 14))
      let origin = try LoopbackOrigin { $0.path == "/" ? flood : .respond(body: "next") }
      defer { origin.stop() }
      let result = await value(of: URLRequest(url: origin.url("/")))
      XCTAssertEqual(result.text, "next")
    }
  }

  func testTheDeadlineIncludesRedirects() async throws {
    try await onEachTransport {
      let reply = LoopbackOrigin.Reply.stream { connection in
        guard !connection.waitUntilClosed(upTo: 0.1) else { return }
        connection.send(.respond(status: 302, headers: ["Location": "/"]))
      }
      let origin = try LoopbackOrigin { _ in reply }
      defer { origin.stop() }
      let result = await response(
        to: URLRequest(url: origin.url()), deadline: .milliseconds(300), redirects: 10_000)
      XCTAssertEqual(result.kind, "deadlinePassed")
    }
  }

  func testADeadlineOfZeroSendsNothing() async throws {
    try await onEachTransport {
      let origin = try LoopbackOrigin { _ in .respond() }
      defer { origin.stop() }
      let result = await value(of: URLRequest(url: origin.url()), deadline: .zero)
      XCTAssertEqual(result.kind, "deadlinePassed")
      XCTAssertEqual(origin.requests.count, 0)
    }
  }
}
