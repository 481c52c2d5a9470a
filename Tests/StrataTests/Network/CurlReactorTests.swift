#if canImport(CStrataCurl) && canImport(Glibc)
  import Foundation
  import FoundationNetworking
  import XCTest

  @testable import StrataCore
  @testable import StrataNetwork

  /// Tests the event loop: its descriptors, its memory, and the connections that it keeps open.
  final class CurlReactorTests: NetworkCase {
    private let settings = CurlSettings(connectionsPerHost: 2, idleTimeout: .seconds(60))

    private func makeReactor() throws -> CurlReactor? {
      CurlReactor(try CurlLibrary.shared.get(), CurlCommands(), settings)
    }

    func testALoopMayOwnTheDescriptorZero() throws {
      _ = try CurlLibrary.shared.get()
      try withoutStandardInput {
        var reactor = try self.makeReactor()
        XCTAssertEqual(reactor?.epoll, 0)
        reactor = nil
        XCTAssertFalse(isOpen(0))
      }
    }

    func testALoopThatCantStartLeavesNoDescriptorOpen() throws {
      guard try runsAlone() else { return }
      _ = try CurlLibrary.shared.get()
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      var limit = rlimit()
      XCTAssertEqual(getrlimit(resource, &limit), 0)
      var lowered = limit
      lowered.rlim_cur = 1  // The loop can open only the descriptor 0, but needs two descriptors.
      try withoutStandardInput {
        XCTAssertEqual(setrlimit(resource, &lowered), 0)
        let reactor = Result { try self.makeReactor() }
        XCTAssertEqual(setrlimit(resource, &limit), 0)
        XCTAssertNil(try reactor.get())
        XCTAssertFalse(isOpen(0))
      }
    }

    func testAnExchangeThatEndsLeavesNoMemoryInUse() throws {
      let reactor = try XCTUnwrap(try makeReactor())
      let url = try XCTUnwrap(URL(string: "http://127.0.0.1:1/"))
      let (request, receiver) = (try OutgoingRequest(URLRequest(url: url)), Deaf())
      let growth = Memory.growth {
        for id in 0..<20 {
          reactor.start(UInt64(id), request, receiver)
          reactor.cancel(UInt64(id))
          _ = reactor.takeCancelled()
        }
      }
      XCTAssertLessThanOrEqual(growth ?? 0, 0)
    }

    func testTheConnectionOfASingleRequestIsClosedWhenItIsIdle() async throws {
      let origin = try KeptOrigin { _ in .init(text: "x") }
      defer { origin.stop() }
      let session = NetworkSession(idleTimeout: .zero)
      let result = await value(of: URLRequest(url: origin.url()), session: session)
      XCTAssertEqual(result.text, "x")
      let isClosed = await eventually { origin.openConnections == 0 }
      XCTAssertTrue(isClosed)
    }

    func testARunningRequestKeepsItsConnectionWhenOthersEnd() async throws {
      let gate = DispatchSemaphore(value: 0)
      let origin = try KeptOrigin { request in
        if request.target == "/slow" { gate.wait() }
        return .init(text: request.target)
      }
      defer { origin.stop() }
      let session = NetworkSession(idleTimeout: .zero)
      let limits = Transfer.Limits(size: 9, deadline: .seconds(300), redirects: 0)
      let ended = expectation(description: "completion")
      _ = session.start(URLRequest(url: origin.url("/slow")), limits: limits) { result in
        XCTAssertEqual(try? result.get().body, Data("/slow".utf8))
        ended.fulfill()
      }
      let hasArrived = await eventually { origin.count == 1 }
      XCTAssertTrue(hasArrived)
      for _ in 0..<2 {
        let quick = await value(of: URLRequest(url: origin.url("/quick")), session: session)
        XCTAssertEqual(quick.text, "/quick")
      }
      gate.signal()
      await fulfillment(of: [ended], timeout: 300)
    }

    func testAConnectionToEachOfManyHostsIsReused() async throws {
      let origins = try (0..<8).map { _ in try KeptOrigin { _ in .init(text: "x") } }
      defer { for origin in origins { origin.stop() } }
      let session = NetworkSession()
      for _ in 0..<2 {
        for origin in origins {
          let result = await value(of: URLRequest(url: origin.url()), session: session)
          XCTAssertEqual(result.text, "x")
        }
      }
      XCTAssertEqual(origins.map(\.acceptedConnections), Array(repeating: 1, count: 8))
    }

    /// Four hosts hold 64 requests each, so a request to a fifth host waits. To a request of
    /// another session, the fifth host sends the number of that request's connection.
    func testAllHostsTogetherHave256Connections() async throws {
      let gate = DispatchSemaphore(value: 0)
      let origins = try (0..<5).map { _ in
        try KeptOrigin(records: false) { request in
          guard request.target == "/held" else { return .init(text: "\(request.connection)") }
          gate.wait()
          gate.signal()
          return .init(text: "x")
        }
      }
      defer { for origin in origins { origin.stop() } }
      let session = NetworkSession()
      let limits = Transfer.Limits(size: 9, deadline: .seconds(300), redirects: 0)
      let ended = expectation(description: "completions")
      ended.expectedFulfillmentCount = 257
      for (index, origin) in origins.enumerated() {
        for _ in 0..<(index < 4 ? 64 : 1) {
          _ = session.start(URLRequest(url: origin.url("/held")), limits: limits) { result in
            XCTAssertEqual(result.kind, "success")
            ended.fulfill()
          }
        }
        let areHeld = await eventually { index == 4 || origin.count == 64 }
        XCTAssertTrue(areHeld)
      }
      // This request fails without a connection. The session starts its requests in order, so it
      // has started all earlier requests when this request fails.
      let last = Deaf(ended: expectation(description: "end"))
      var request = try OutgoingRequest(URLRequest(url: origins[4].url()))
      request.url = try XCTUnwrap(URL(string: "unknown://127.0.0.1/"))
      _ = session.transport.send(request, to: last)
      await fulfillment(of: [last.ended].compactMap { $0 }, timeout: 300)
      let probe = URLRequest(url: origins[4].url("/probe"))
      let result = await value(of: probe, session: NetworkSession())
      XCTAssertEqual(result.text, "0", "There should be no connection before this one.")
      gate.signal()
      await fulfillment(of: [ended], timeout: 300)
    }

    /// libcurl counts the age of a connection in whole seconds, and on its own clock.
    func testABusySessionReplacesAConnectionThatIsIdleForTooLong() async throws {
      guard Extent.isFull else { throw XCTSkip("the test takes two seconds") }
      let gate = DispatchSemaphore(value: 0)
      let origin = try KeptOrigin { request in
        if request.target == "/held" { gate.wait() }
        return .init(text: "\(request.connection)")
      }
      defer { origin.stop() }
      let session = NetworkSession(idleTimeout: .seconds(1))
      let limits = Transfer.Limits(size: 9, deadline: .seconds(300), redirects: 0)
      _ = session.start(URLRequest(url: origin.url("/held")), limits: limits) { _ in }
      let isHeld = await eventually { origin.count == 1 }
      XCTAssertTrue(isHeld)
      for connection in ["1", "1", "2"] {
        if connection == "2" { try await Task.sleep(for: .milliseconds(2100)) }
        let result = await value(of: URLRequest(url: origin.url("/quick")), session: session)
        XCTAssertEqual(result.text, connection)
      }
      gate.signal()
    }
  }

  /// A receiver that only signals the end of the response.
  private final class Deaf: ResponseReceiver {
    let ended: XCTestExpectation?

    init(ended: XCTestExpectation? = nil) { self.ended = ended }

    func receive(_ head: ResponseHead) -> Bool { true }
    func receive(_ piece: UnsafeRawBufferPointer) -> Bool { true }
    func finish(_ error: (any Error)?) { ended?.fulfill() }
  }
#endif
