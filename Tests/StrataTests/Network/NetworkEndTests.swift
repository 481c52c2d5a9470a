import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

/// Tests that a transfer ends exactly once, ends in time, and releases all of its objects.
final class NetworkEndTests: NetworkCase {
  private let limits = Transfer.Limits(size: 100, deadline: .seconds(300), redirects: 10)

  /// Returns a reply that stops after three of the nine announced bytes. The reply signals `begun`
  /// after these bytes, and signals `gone` when the peer closes the connection.
  private func silence(begun: DispatchSemaphore, gone: DispatchSemaphore) -> LoopbackOrigin.Reply {
    .stream { connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
      begun.signal()
      if connection.waitUntilClosed() { gone.signal() }
    }
  }

  func testCancelClosesTheConnection() throws {
    try onEachTransport {
      let (begun, gone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let reply = silence(begun: begun, gone: gone)
      let origin = try LoopbackOrigin { _ in reply }
      defer { origin.stop() }
      let session = makeSession()
      let ended = expectation(description: "completion")
      let cancel = session.start(URLRequest(url: origin.url()), limits: limits) { result in
        XCTAssertEqual(result.kind, "cancelled")
        ended.fulfill()
      }
      XCTAssertEqual(begun.wait(timeout: .now() + 300), .success)
      cancel()
      cancel()
      XCTAssertEqual(gone.wait(timeout: .now() + 300), .success)
      wait(for: [ended], timeout: 300)
    }
  }

  func testTheDeadlineClosesTheConnection() throws {
    try onEachTransport {
      let (begun, gone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let reply = silence(begun: begun, gone: gone)
      let origin = try LoopbackOrigin { _ in reply }
      defer { origin.stop() }
      let (time, clock) = TimeSource.manual()
      let ended = expectation(description: "completion")
      _ = makeSession().start(URLRequest(url: origin.url()), limits: limits, clock: time) {
        result in
        XCTAssertEqual(result.kind, "deadlinePassed")
        ended.fulfill()
      }
      XCTAssertEqual(begun.wait(timeout: .now() + 300), .success)
      clock.advance(by: .seconds(300))
      XCTAssertEqual(gone.wait(timeout: .now() + 300), .success)
      wait(for: [ended], timeout: 300)
    }
  }

  /// With Foundation on Linux, a cancellation has no effect while body bytes keep arriving.
  func testAFloodEndsAtTheDeadlineAndDoesntStopOtherTransfers() async throws {
    try await onEachTransport {
      guard usesCurl else { return }
      let flood = endless(
        header: "HTTP/1.1 200 OK\r\n\r\n", piece: [UInt8](repeating: 0x78, count: 4096))
      let origin = try LoopbackOrigin { $0.path == "/flood" ? flood : .respond(body: "x") }
      defer { origin.stop() }
      let session = makeSession()
      let ended = expectation(description: "floods")
      ended.expectedFulfillmentCount = 4
      let limits = Transfer.Limits(size: 1 << 40, deadline: .milliseconds(300), redirects: 10)
      for _ in 0..<4 {
        _ = session.start(URLRequest(url: origin.url("/flood")), limits: limits) { result in
          XCTAssertEqual(result.kind, "deadlinePassed")
          ended.fulfill()
        }
      }
      let other = await value(of: URLRequest(url: origin.url("/other")), session: session)
      XCTAssertEqual(other.text, "x")
      await fulfillment(of: [ended], timeout: 600)
      let isClosed = await eventually { origin.openConnections == 0 }
      XCTAssertTrue(isClosed)
    }
  }

  func testAResponseStopsTheTimer() async throws {
    try await onEachTransport {
      let origin = try LoopbackOrigin { _ in .respond(body: "x") }
      defer { origin.stop() }
      let stops = Lock(0)
      let clock = TimeSource(
        now: TimeSource.system.now, after: { _, _ in { stops.withLock { $0 += 1 } } })
      let kind = await withCheckedContinuation { continuation in
        _ = makeSession().start(URLRequest(url: origin.url()), limits: limits, clock: clock) {
          continuation.resume(returning: $0.kind)
        }
      }
      XCTAssertEqual(kind, "success")
      XCTAssertEqual(stops.withLock { $0 }, 1)
    }
  }

  func testAClockThatCallsSynchronouslyEndsTheTransferUnsent() async throws {
    try await onEachTransport {
      let origin = try LoopbackOrigin { _ in .respond(body: "x") }
      defer { origin.stop() }
      let clock = TimeSource(
        now: TimeSource.system.now,
        after: { _, work in
          work()
          return {}
        })
      let kind = await withCheckedContinuation { continuation in
        _ = makeSession().start(URLRequest(url: origin.url()), limits: limits, clock: clock) {
          continuation.resume(returning: $0.kind)
        }
      }
      XCTAssertEqual(kind, "deadlinePassed")
      XCTAssertEqual(origin.requests.count, 0)
    }
  }

  /// Cancels a transfer at different times: before the request is sent, during redirects, or at the
  /// last byte.
  func testATransferCompletesOnceAtAnyTimeOfItsCancellation() throws {
    try onEachTransport {
      let origin = try LoopbackOrigin { request in
        request.path == "/"
          ? .respond(status: 302, headers: ["Location": "/x"]) : .respond(body: "x")
      }
      defer { origin.stop() }
      let session = makeSession()
      let rounds = 300
      let kinds = Lock<[String: Int]>([:])
      let ended = expectation(description: "completions")
      ended.expectedFulfillmentCount = rounds
      let pace = DispatchQueue(label: "pace", attributes: .concurrent)
      for round in 0..<rounds {
        let cancel = session.start(URLRequest(url: origin.url()), limits: limits) { result in
          kinds.withLock { $0[result.kind, default: 0] += 1 }
          ended.fulfill()
        }
        pace.asyncAfter(deadline: .now() + .microseconds(round % 30 * 100), execute: cancel)
      }
      wait(for: [ended], timeout: 600)
      XCTAssertEqual(Set(kinds.withLock { $0.keys }).subtracting(["cancelled", "success"]), [])
    }
  }

  func testAHundredHostileResponsesLeaveNothing() async throws {
    try await onEachTransport {
      guard usesCurl else { return }
      let files = Memory.openFiles
      let origin = try LoopbackOrigin { Self.hostile[(Int($0.path.dropFirst()) ?? 0) % 10] }
      weak var released: NetworkSession?
      do {
        let session = makeSession()
        released = session
        let ended = expectation(description: "completions")
        ended.expectedFulfillmentCount = 100
        let limits = Transfer.Limits(size: 1 << 16, deadline: .seconds(1), redirects: 10)
        for number in 0..<100 {
          _ = session.start(URLRequest(url: origin.url("/\(number)")), limits: limits) { result in
            XCTAssertNotEqual(result.kind, "success", "\(number)")
            ended.fulfill()
          }
        }
        await fulfillment(of: [ended], timeout: 600)
      }
      origin.stop()
      XCTAssertEqual(origin.openConnections, 0)
      // A thread may hold the session until its function returns.
      let isGone = await eventually { released == nil && Memory.openFiles <= files }
      XCTAssertTrue(isGone)
    }
  }

  private static let hostile: [LoopbackOrigin.Reply] = [
    .raw(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc".utf8)),
    .raw(Array("garbage".utf8)),
    .raw([]),
    .reset(after: Array("HTTP/1.1 200 OK\r\n\r\nabc".utf8)),
    .stream { $0.waitUntilClosed() },
    .stream { connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
      while !connection.waitUntilClosed(upTo: 0.02), connection.send("x") {}
    },
    endless(header: "HTTP/1.1 200 OK\r\n\r\n", piece: [UInt8](repeating: 0x78, count: 4096)),
    .respond(status: 302, headers: ["Location": "/7"]),
    .respond(status: 302, headers: ["Location": "file:///etc/passwd"]),
    .raw(Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab".utf8)),
  ]
}
