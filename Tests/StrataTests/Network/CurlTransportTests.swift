#if canImport(CStrataCurl) && canImport(Glibc)
  import Foundation
  import FoundationNetworking
  import XCTest

  @testable import StrataCore
  @testable import StrataNetwork

  /// Tests how libcurl's connections are shared, kept open, replaced, and closed.
  final class CurlTransportTests: NetworkCase {
    private func request(_ url: URL, _ method: String = "GET", body: String? = nil) -> URLRequest {
      var request = URLRequest(url: url)
      request.httpMethod = method
      request.httpBody = body.map { Data($0.utf8) }
      return request
    }

    func testSuccessiveRequestsShareAConnection() async throws {
      let origin = try KeptOrigin { .init(text: "\($0.index)") }
      defer { origin.stop() }
      let session = NetworkSession()
      for index in 0..<20 {
        let result = await value(of: request(origin.url()), session: session)
        XCTAssertEqual(result.text, "\(index)")
      }
      XCTAssertEqual(origin.acceptedConnections, 1)
    }

    func testFailuresKeepTheConnectionToo() async throws {
      let origin = try KeptOrigin { request in
        request.target == "/moved"
          ? .init(status: 302, fields: "Location: /there\r\n", text: "moved")
          : .init(status: 404, text: "nothing")
      }
      defer { origin.stop() }
      let session = NetworkSession()
      for path in ["/a", "/moved", "/b"] {
        let result = await value(of: request(origin.url(path)), session: session)
        XCTAssertEqual(result.failure?.status, 404)
      }
      XCTAssertEqual(origin.acceptedConnections, 1)
    }

    func testParallelRequestsStayWithinTheBound() async throws {
      let origin = try KeptOrigin { _ in
        usleep(1000)
        return .init(text: "x")
      }
      defer { origin.stop() }
      let session = NetworkSession(connectionsPerHost: 4)
      let (request, limits) = (
        request(origin.url()), Transfer.Limits(size: 9, deadline: .seconds(300), redirects: 0)
      )
      let ended = expectation(description: "completions")
      ended.expectedFulfillmentCount = 100
      for _ in 0..<100 {
        _ = session.start(request, limits: limits) { result in
          XCTAssertEqual(result.kind, "success")
          ended.fulfill()
        }
      }
      await fulfillment(of: [ended], timeout: 300)
      XCTAssertEqual(origin.count, 100)
      XCTAssertLessThanOrEqual(origin.acceptedConnections, 4)
    }

    /// The origin reads the second request of a connection, and then closes the connection without
    /// a response.
    func testAnIdempotentRequestOnADeadConnectionIsSentAgain() async throws {
      for method in ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"] {
        let origin = try KeptOrigin { request in
          request.index == 0 ? .init(text: "x") : .init(bytes: [], closes: true)
        }
        defer { origin.stop() }
        let session = NetworkSession()
        _ = await value(of: request(origin.url()), session: session)
        let result = await value(of: request(origin.url(), method, body: "b"), session: session)
        XCTAssertEqual(result.kind, "success", method)
        XCTAssertEqual(origin.requests.map(\.method), ["GET", method, method])
        XCTAssertEqual(origin.requests.last?.body, method == "HEAD" ? [] : Array("b".utf8), method)
      }
    }

    func testAConnectionThatTheOriginClosedIsReplaced() async throws {
      let origin = try KeptOrigin { _ in .init(text: "x") }
      defer { origin.stop() }
      let session = NetworkSession()
      for count in 1...3 {
        let result = await value(of: request(origin.url()), session: session)
        XCTAssertEqual(result.text, "x")
        XCTAssertEqual(origin.acceptedConnections, count)
        origin.closeConnections()
        let isClosed = await eventually { origin.openConnections == 0 }
        XCTAssertTrue(isClosed)
      }
    }

    func testARequestThatIsntIdempotentIsSentOnce() async throws {
      let origin = try KeptOrigin { request in
        request.method == "GET" ? .init(text: "x") : .init(bytes: [], closes: true)
      }
      defer { origin.stop() }
      let session = NetworkSession()
      for method in ["POST", "PATCH", "FETCH"] {
        _ = await value(of: request(origin.url()), session: session)
        let result = await value(of: request(origin.url(), method, body: "b"), session: session)
        XCTAssertEqual(result.kind, "transport", method)
        XCTAssertEqual(origin.requests.filter { $0.method == method }.count, 1)
      }
    }

    func testIdleConnectionsAreClosed() async throws {
      let origin = try KeptOrigin { _ in .init(text: "x") }
      defer { origin.stop() }
      let session = NetworkSession(idleTimeout: .milliseconds(20))
      let limits = Transfer.Limits(size: 9, deadline: .seconds(300), redirects: 0)
      for _ in 0..<3 {
        let ended = expectation(description: "completions")
        ended.expectedFulfillmentCount = 5
        for _ in 0..<5 {
          _ = session.start(request(origin.url()), limits: limits) { result in
            XCTAssertEqual(result.kind, "success")
            ended.fulfill()
          }
        }
        await fulfillment(of: [ended], timeout: 300)
        let isClosed = await eventually { origin.openConnections == 0 }
        XCTAssertTrue(isClosed)
      }
    }

    func testASessionLeavesNoThreadAndNoFile() async throws {
      let origin = try KeptOrigin { _ in .init(text: "x") }
      defer { origin.stop() }
      let warmUp = await value(of: request(origin.url()), session: NetworkSession())
      XCTAssertEqual(warmUp.text, "x")
      let isWarm = await eventually { origin.openConnections == 0 }
      XCTAssertTrue(isWarm)
      let (files, events) = (Memory.openFiles, Memory.openEvents)
      for _ in 0..<20 {
        let result = await value(of: request(origin.url()), session: NetworkSession())
        XCTAssertEqual(result.text, "x")
      }
      let isClosed = await eventually {
        Memory.openFiles <= files && Memory.openEvents < events + 20
      }
      XCTAssertTrue(isClosed)
    }

    /// A request starts a thread, which can't open a descriptor because of the limit on open files.
    /// The next request may start while the failed thread is still ending. Not every pair of
    /// requests overlaps in this way, so the test sends 50 pairs.
    func testATransportRecoversFromTooManyOpenFiles() async throws {
      guard try runsAlone() else { return }
      let origin = try KeptOrigin { _ in .init(text: "x") }
      defer { origin.stop() }
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      var limit = rlimit()
      XCTAssertEqual(getrlimit(resource, &limit), 0)
      var lowered = limit
      lowered.rlim_cur = 0
      for index in 0..<50 {
        var session = NetworkSession()
        XCTAssertEqual(setrlimit(resource, &lowered), 0)
        if index.isMultiple(of: 2) { session = NetworkSession() }
        let refused = await value(of: request(origin.url()), session: session)
        XCTAssertEqual(setrlimit(resource, &limit), 0)
        XCTAssertEqual(refused.kind, "transport")
        let result = await value(of: request(origin.url()), session: session)
        XCTAssertEqual(result.text, "x")
      }
    }

    func testAMissingLibraryIsAnErrorThatNamesIt() {
      XCTAssertThrowsError(try CurlLibrary(file: "libcurl.so.nothing")) { error in
        XCTAssertTrue("\(error)".contains("libcurl.so.nothing"), "\(error)")
      }
    }

    func testALibraryThatIsntLibcurlIsAnErrorThatNamesTheSymbol() {
      XCTAssertThrowsError(try CurlLibrary(file: "libz.so.1")) { error in
        XCTAssertEqual("\(error)", "libz.so.1 has no curl_version_info")
      }
    }
  }
#endif
