import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

/// Tests the progress of loads whose bytes the test itself delivers.
final class LoadProgressTests: XCTestCase {
  private final class SlowTransport: HTTPTransport {
    let decodesBodies = false
    private let state = Lock<[any ResponseReceiver]>([])

    var receivers: [any ResponseReceiver] { state.withLock { $0 } }

    func send(
      _ request: OutgoingRequest, to receiver: any ResponseReceiver
    ) -> @Sendable () -> Void {
      state.withLock { $0.append(receiver) }
      return {}
    }
  }

  private let transport = SlowTransport()
  private let (clock, time) = TimeSource.manual()
  private let seen = Lock<[LoadProgress]>([])

  /// Waits for a load to begin, and returns its receiver.
  private func receiver(_ number: Int = 0) async -> any ResponseReceiver {
    while transport.receivers.count <= number { await Task.yield() }
    return transport.receivers[number]
  }

  /// Lets time pass until a number of reports has arrived.
  private func reports(_ count: Int) async -> [LoadProgress] {
    while seen.withLock({ $0.count }) < count {
      time.advance(by: .milliseconds(250))
      await Task.yield()
    }
    return seen.withLock { $0 }
  }

  private func send(_ count: Int, to receiver: any ResponseReceiver) {
    let bytes = [UInt8](repeating: 65, count: count)
    XCTAssertTrue(bytes.withUnsafeBytes(receiver.receive))
  }

  func testBytesAreReportedToWhoeverWaitsForALoad() async throws {
    let url = try XCTUnwrap(URL(string: "http://a.test/page"))
    let session = NetworkSession(transport)
    let network: Fetcher<URL, Data> = .network(session: session)
    let pages: Cache<URL, String> = .memory() + (network <*> .utf8).pooled()
    let (first, hasJoined) = (pages.get(url), Lock(false))
    let waiter = Task { [seen, clock] in
      try await session.reportingProgress(of: url, clock: clock) { progress in
        seen.withLock { $0.append(progress) }
      } during: {
        let joined = pages.get(url)
        hasJoined.withLock { $0 = true }
        return try await joined.value
      }
    }
    while !hasJoined.withLock({ $0 }) { await Task.yield() }  // Later, the load could be over.
    let receiver = await receiver()
    XCTAssertTrue(receiver.receive(ResponseHead(status: 200, fields: ["Content-Length": "10"])))
    let none = await reports(1)
    XCTAssertEqual(none, [LoadProgress(received: 0, expected: 10)])
    send(4, to: receiver)
    let some = await reports(2)
    XCTAssertEqual(some.last, LoadProgress(received: 4, expected: 10))
    XCTAssertEqual(some.last?.fraction, 0.4)
    send(6, to: receiver)
    receiver.finish(nil)
    let value = try await waiter.value
    XCTAssertEqual(value, String(repeating: "A", count: 10))
    let own = try await first.value
    XCTAssertEqual(own, value)
    XCTAssertNil(session.running.transfer(of: url))

    let count = seen.withLock { $0.count }
    _ = try await session.reportingProgress(of: url, clock: clock) { [seen] progress in
      seen.withLock { $0.append(progress) }
    } during: {
      try await pages.value(for: url)
    }
    XCTAssertEqual(seen.withLock { $0.count }, count, "A hit loads nothing.")
  }

  func testAFailureIsThrownAfterTheLastReport() async throws {
    let url = try XCTUnwrap(URL(string: "http://a.test/page"))
    let session = NetworkSession(transport)
    let pages: Cache<URL, Data> = .network(session: session)
    let waiter = Task { [seen, clock] in
      try await session.reportingProgress(of: url, clock: clock) { progress in
        seen.withLock { $0.append(progress) }
      } during: {
        try await pages.value(for: url)
      }
    }
    let receiver = await receiver()
    XCTAssertTrue(receiver.receive(ResponseHead(status: 200, fields: [:])))
    send(3, to: receiver)
    let reports = await reports(1)
    XCTAssertNil(reports.last?.expected)
    XCTAssertNil(reports.last?.fraction)
    receiver.finish(NetworkError.Reason.malformedResponse("it ends"))
    do {
      _ = try await waiter.value
      XCTFail("The load should fail.")
    } catch { XCTAssertTrue(error is NetworkError, "\(error)") }
  }

  func testAPartCountsFromTheFirstByteOfTheResource() async throws {
    let url = try XCTUnwrap(URL(string: "http://a.test/page"))
    for (range, start) in [
      ("bytes 7-16/17", 7), ("bytes */17", 0), ("bytes 99999999999999999999-1/2", 0), ("", 0),
      ("bytes 9223372036854775807-9/17", 0),
    ] {
      let (transport, session) = (transport, NetworkSession(transport))
      let number = transport.receivers.count
      let cancel = session.start(
        URLRequest(url: url),
        limits: Transfer.Limits(size: 99, deadline: .seconds(99), redirects: 0)
      ) { _ in }
      let receiver = await receiver(number)
      let fields: HeaderFields = ["Content-Range": range, "Content-Length": "10"]
      XCTAssertTrue(receiver.receive(ResponseHead(status: 206, fields: fields)))
      send(4, to: receiver)
      XCTAssertEqual(
        session.running.transfer(of: url)?.progress,
        LoadProgress(received: start + 4, expected: start + 10), range)
      cancel()
      XCTAssertNil(session.running.transfer(of: url))
    }
  }

  func testAFractionIsBetweenZeroAndOne() {
    XCTAssertEqual(LoadProgress(received: 0, expected: 0).fraction, 1)
    XCTAssertEqual(LoadProgress(received: 9, expected: 4).fraction, 1)
    XCTAssertEqual(LoadProgress(received: 1, expected: 4).fraction, 0.25)
  }
}
