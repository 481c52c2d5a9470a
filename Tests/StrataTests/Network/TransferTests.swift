import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork

/// Tests a transfer with a transport whose responses the test itself delivers.
final class TransferTests: XCTestCase {
  private let limits = Transfer.Limits(size: 9, deadline: .seconds(300), redirects: 10)

  private func request() throws -> URLRequest {
    URLRequest(url: try XCTUnwrap(URL(string: "http://a.test/")))
  }

  func testExactlyTheMaximumOfEachRedirectsBodyIsRead() throws {
    let transport = SilentTransport()
    let ended = expectation(description: "completion")
    _ = NetworkSession(transport).start(try request(), limits: limits) { result in
      XCTAssertEqual(try? result.get().url.path(), "/next")
      ended.fulfill()
    }
    let half = [UInt8](repeating: 0, count: Redirect.maximumBody / 2)
    for _ in 0..<2 {
      let receiver = try XCTUnwrap(transport.receivers.last)
      XCTAssertTrue(receiver.receive(ResponseHead(status: 302, fields: ["Location": "/next"])))
      XCTAssertTrue(half.withUnsafeBytes(receiver.receive))
      XCTAssertTrue(half.withUnsafeBytes(receiver.receive))
      XCTAssertFalse([0].withUnsafeBytes(receiver.receive))
      receiver.finish(nil)
    }
    XCTAssertEqual(transport.receivers.count, 3)
    XCTAssertEqual(transport.receivers.last?.receive(ResponseHead(status: 200, fields: [:])), true)
    transport.receivers.last?.finish(nil)
    wait(for: [ended], timeout: 300)
  }

  func testEachRedirectIsReported() throws {
    let transport = SilentTransport()
    var request = try request()
    request.httpMethod = "POST"
    let ended = expectation(description: "completion")
    _ = NetworkSession(transport).start(request, limits: limits) { result in
      let hops = (try? result.get())?.hops.map { "\($0.method) \($0.url.absoluteString)" }
      XCTAssertEqual(hops, ["POST http://a.test/b", "GET http://b.test/c"])
      ended.fulfill()
    }
    for (status, location) in [(307, "/b"), (303, "http://u:p@b.test/c"), (200, "")] {
      let receiver = try XCTUnwrap(transport.receivers.last)
      XCTAssertTrue(receiver.receive(ResponseHead(status: status, fields: ["Location": location])))
      receiver.finish(nil)
    }
    wait(for: [ended], timeout: 300)
  }

  func testAFailureReportsTheRedirectsBeforeIt() throws {
    let transport = SilentTransport()
    let ended = expectation(description: "completion")
    _ = NetworkSession(transport).start(try request(), limits: limits) { result in
      if case .failure(let error) = result { XCTAssertEqual(error.hops.map(\.url.path), ["/b"]) }
      ended.fulfill()
    }
    let receiver = try XCTUnwrap(transport.receivers.last)
    XCTAssertTrue(receiver.receive(ResponseHead(status: 302, fields: ["Location": "/b"])))
    receiver.finish(nil)
    transport.receivers.last?.finish(URLError(.networkConnectionLost))
    wait(for: [ended], timeout: 300)
  }

  func testADeadlineOfZeroNeitherSendsARequestNorStartsATimer() throws {
    let (transport, timers) = (SilentTransport(), Lock(0))
    let clock = TimeSource(
      now: TimeSource.system.now,
      after: { _, _ in
        timers.withLock { $0 += 1 }
        return {}
      })
    let ended = expectation(description: "completion")
    let limits = Transfer.Limits(size: 9, deadline: .zero, redirects: 10)
    let cancel = NetworkSession(transport).start(try request(), limits: limits, clock: clock) {
      XCTAssertEqual($0.kind, "deadlinePassed")
      ended.fulfill()
    }
    XCTAssertEqual(transport.receivers.count, 0)
    XCTAssertEqual(timers.withLock { $0 }, 0)
    cancel()
    wait(for: [ended], timeout: 300)
  }
}

/// A transport that only records the receivers of the responses.
private final class SilentTransport: HTTPTransport {
  let decodesBodies = false
  private let state = Lock<[any ResponseReceiver]>([])

  var receivers: [any ResponseReceiver] { state.withLock { $0 } }

  func send(_ request: OutgoingRequest, to receiver: any ResponseReceiver) -> @Sendable () -> Void {
    state.withLock { $0.append(receiver) }
    return {}
  }
}
