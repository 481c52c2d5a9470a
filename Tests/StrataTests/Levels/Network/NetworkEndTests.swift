import Foundation
import XCTest

@testable import Strata

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// How transfers end: once, at once, and leaving nothing.
final class NetworkEndTests: NetworkCase {
  /// A reply that says when it has begun and when the peer has gone, and is silent between.
  private func silence(begun: DispatchSemaphore, gone: DispatchSemaphore) -> LoopbackOrigin.Reply {
    .stream { connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
      begun.signal()
      if connection.waitUntilClosed() { gone.signal() }
    }
  }

  func testCancelClosesTheConnection() throws {
    let (begun, gone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let reply = silence(begun: begun, gone: gone)
    let origin = try LoopbackOrigin { _ in reply }
    defer { origin.stop() }
    let session = NetworkSession()
    let ended = expectation(description: "completion")
    let cancel = session.start(
      URLRequest(url: origin.url()), maximumSize: 100, deadline: .seconds(30)
    ) { result in
      XCTAssertEqual(result.kind, "cancelled")
      ended.fulfill()
    }
    XCTAssertEqual(begun.wait(timeout: .now() + 5), .success)
    cancel()
    cancel()
    XCTAssertEqual(gone.wait(timeout: .now() + 5), .success)
    wait(for: [ended], timeout: 5)
  }

  func testDeadlineClosesTheConnectionWhenTheClockSaysSo() throws {
    let (begun, gone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let reply = silence(begun: begun, gone: gone)
    let origin = try LoopbackOrigin { _ in reply }
    defer { origin.stop() }
    let clock = Lock<[(Duration, @Sendable () -> Void)]>([])
    let ended = expectation(description: "completion")
    _ = NetworkSession().start(
      URLRequest(url: origin.url()), maximumSize: 100, deadline: .seconds(3600),
      after: { duration, action in
        clock.withLock { $0.append((duration, action)) }
        return {}
      },
      completion: { result in
        XCTAssertEqual(result.kind, "deadlinePassed")
        ended.fulfill()
      })
    XCTAssertEqual(begun.wait(timeout: .now() + 5), .success)
    let timers = clock.withLock { $0 }
    XCTAssertEqual(timers.map(\.0), [.seconds(3600)])
    for (_, action) in timers { action() }
    XCTAssertEqual(gone.wait(timeout: .now() + 5), .success)
    wait(for: [ended], timeout: 5)
  }

  /// On Linux a session hears of nothing while a body arrives faster than it is read.
  func testFloodIsCutAtTheDeadlineAndStopsNobodyElse() async throws {
    let flood = endless(
      header: "HTTP/1.1 200 OK\r\n\r\n", piece: [UInt8](repeating: 0x78, count: 4096))
    let origin = try LoopbackOrigin { $0.path == "/flood" ? flood : .respond(body: "x") }
    defer { origin.stop() }
    let session = NetworkSession()
    let floods = 4
    let ended = expectation(description: "floods")
    ended.expectedFulfillmentCount = floods
    for _ in 0..<floods {
      _ = session.start(
        URLRequest(url: origin.url("/flood")), maximumSize: .max, deadline: .milliseconds(300)
      ) { result in
        XCTAssertEqual(result.kind, "deadlinePassed")
        ended.fulfill()
      }
    }
    let other = await ask(URLRequest(url: origin.url("/other")), of: session)
    XCTAssertEqual(other.text, "x")
    await fulfillment(of: [ended], timeout: 10)
    let gone = await eventually { origin.openConnections == 0 }
    XCTAssertTrue(gone)
  }

  func testAnswerStopsTheClock() async throws {
    let origin = try LoopbackOrigin { _ in .respond(body: "x") }
    defer { origin.stop() }
    let session = NetworkSession()
    let stops = Lock(0)
    let result = await withCheckedContinuation { continuation in
      _ = session.start(
        URLRequest(url: origin.url()), maximumSize: 100, deadline: .seconds(30),
        after: { _, _ in { stops.withLock { $0 += 1 } } },
        completion: { continuation.resume(returning: $0) })
    }
    XCTAssertEqual(result.text, "x")
    XCTAssertEqual(stops.withLock { $0 }, 1)
  }

  func testClockThatRunsAtOnceEndsTheTransferUnsent() async throws {
    let origin = try LoopbackOrigin { _ in .respond(body: "x") }
    defer { origin.stop() }
    let result = await withCheckedContinuation { continuation in
      _ = NetworkSession().start(
        URLRequest(url: origin.url()), maximumSize: 100, deadline: .seconds(30),
        after: { _, action in
          action()
          return {}
        },
        completion: { continuation.resume(returning: $0) })
    }
    XCTAssertEqual(result.kind, "deadlinePassed")
    XCTAssertEqual(origin.requests.count, 0)
  }

  /// A cancel at any moment: before the task exists, during redirects, at the last byte.
  func testTransferCompletesOnceHoweverItIsCancelled() throws {
    let origin = try LoopbackOrigin { request in
      request.path == "/" ? .respond(status: 302, headers: ["Location": "/x"]) : .respond(body: "x")
    }
    defer { origin.stop() }
    let session = NetworkSession()
    let rounds = 300
    let kinds = Lock<[String: Int]>([:])
    let ended = expectation(description: "completions")
    ended.expectedFulfillmentCount = rounds
    let pace = DispatchQueue(label: "pace", attributes: .concurrent)
    for round in 0..<rounds {
      let cancel = session.start(
        URLRequest(url: origin.url()), maximumSize: 100, deadline: .seconds(30)
      ) { result in
        kinds.withLock { $0[result.kind, default: 0] += 1 }
        ended.fulfill()
      }
      pace.asyncAfter(deadline: .now() + .microseconds(round % 30 * 100), execute: cancel)
    }
    wait(for: [ended], timeout: 20)
    XCTAssertEqual(Set(kinds.withLock { $0.keys }).subtracting(["cancelled", "success"]), [])
  }

  func testHundredHostileRequestsLeaveNothing() async throws {
    let files = Memory.openFiles
    let origin = try LoopbackOrigin { Self.hostile[(Int($0.path.dropFirst()) ?? 0) % 10] }
    weak var released: NetworkSession?
    do {
      let session = NetworkSession()
      released = session
      let ended = expectation(description: "completions")
      ended.expectedFulfillmentCount = 100
      for number in 0..<100 {
        _ = session.start(
          URLRequest(url: origin.url("/\(number)")), maximumSize: 1 << 16,
          deadline: .milliseconds(500)
        ) { result in
          XCTAssertNotEqual(result.kind, "success", "\(number)")
          ended.fulfill()
        }
      }
      await fulfillment(of: [ended], timeout: 10)
    }
    origin.stop()
    XCTAssertEqual(origin.openConnections, 0)
    let closed = await eventually { Memory.openFiles <= files }
    XCTAssertTrue(closed)
    XCTAssertNil(released)
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
