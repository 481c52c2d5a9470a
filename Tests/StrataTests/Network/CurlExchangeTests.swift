#if canImport(CStrataCurl) && canImport(Glibc)
  import Foundation
  import FoundationNetworking
  import XCTest

  @testable import StrataCore
  @testable import StrataNetwork

  /// Tests what an exchange sends, and what it leaves behind.
  final class CurlExchangeTests: NetworkCase {
    func testAPathIsSentAsItIs() async throws {
      let origin = try KeptOrigin { .init(text: $0.target) }
      defer { origin.stop() }
      let session = NetworkSession()
      for path in ["/a/../b/./c", "/../a", "/a/%2e%2E/b", "/a//b/?c=/../d"] {
        let result = await value(of: URLRequest(url: origin.url(path)), session: session)
        XCTAssertEqual(result.text, path)
      }
    }

    func testNoFieldOfLibcurlIsSent() async throws {
      let origin = try KeptOrigin { _ in .init() }
      defer { origin.stop() }
      _ = await value(of: URLRequest(url: origin.url()), session: NetworkSession())
      let names = origin.requests.map { Set($0.headers.keys) }
      XCTAssertEqual(names, [["host", "user-agent", "accept", "accept-encoding"]])
    }

    /// A program may have its own handler for SIGPIPE.
    func testASignalHandlerOfTheProgramStaysInstalled() async throws {
      let previous = signal(SIGPIPE) { _ in }
      defer { signal(SIGPIPE, previous) }
      let own = SignalWitness.pipeHandler
      let origin = try KeptOrigin { _ in .init(text: "x") }
      defer { origin.stop() }
      let witness = SignalWitness(ended: expectation(description: "end"))
      let settings = CurlSettings(connectionsPerHost: 1, idleTimeout: .seconds(60))
      let transport = try CurlTransport(CurlLibrary.shared.get(), settings)
      _ = transport.send(try OutgoingRequest(URLRequest(url: origin.url())), to: witness)
      await fulfillment(of: [witness.ended], timeout: 300)
      XCTAssertEqual(witness.handlers, [own])
    }

    /// A host may offer HTTP/2 over TLS, and then all requests share one connection. So the second
    /// request opens no connection while the first connection still negotiates. The host of this
    /// test never answers a TLS handshake. To a request without TLS, the host sends the number of
    /// that request's connection.
    func testARequestOverTLSWaitsUntilTheFirstConnectionHasNegotiated() async throws {
      let host = try LoopbackServer { descriptor, number in
        var first: UInt8 = 0
        guard recv(descriptor, &first, 1, Int32(MSG_PEEK)) == 1 else { return }
        if first == 0x16 {  // The first byte of a TLS handshake.
          while recv(descriptor, &first, 1, 0) > 0 {}
        } else {
          let connection = LoopbackConnection(descriptor)
          _ = connection.readRequest()
          connection.send(.respond(body: "\(number)"))
        }
      }
      defer { host.stop() }
      let other = try KeptOrigin { _ in .init(text: "x") }
      defer { other.stop() }
      let session = NetworkSession()
      let url = try XCTUnwrap(URL(string: "https://127.0.0.1:\(host.port)/"))
      let limits = Transfer.Limits(size: 9, deadline: .seconds(300), redirects: 0)
      let cancels = (0..<3).map { _ in session.start(URLRequest(url: url), limits: limits) { _ in }
      }
      // The transport starts its requests in order. When the last request ends, the transport has
      // started all earlier requests.
      let last = await value(of: URLRequest(url: other.url()), session: session)
      XCTAssertEqual(last.text, "x")
      let probe = await value(of: URLRequest(url: host.url("/")), session: NetworkSession())
      XCTAssertEqual(probe.text, "1", "There should be one connection before this one.")
      for cancel in cancels { cancel() }
    }

    func testAReleasedExchangeLeavesNoMemoryInUse() throws {
      let curl = try CurlLibrary.shared.get()
      let url = try XCTUnwrap(URL(string: "http://127.0.0.1:1/"))
      let request = try OutgoingRequest(URLRequest(url: url))
      let witness = SignalWitness(ended: XCTestExpectation())
      let growth = try Memory.growth {
        for _ in 0..<20 {
          let exchange = CurlExchange(1, try XCTUnwrap(curl.easyInit()), request, witness)
          exchange.configure(request, curl, idleTimeout: .seconds(1))
          exchange.release(curl)
        }
      }
      XCTAssertLessThanOrEqual(growth ?? 0, 0)
    }
  }

  /// Records the handler of SIGPIPE whenever a header arrives, and signals the end of the response.
  private final class SignalWitness: ResponseReceiver {
    let ended: XCTestExpectation
    private let state = Lock<[Int]>([])

    init(ended: XCTestExpectation) { self.ended = ended }

    /// The address of the process's handler for SIGPIPE.
    static var pipeHandler: Int {
      var action = sigaction()
      sigaction(SIGPIPE, nil, &action)
      return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    }

    var handlers: [Int] { state.withLock { $0 } }

    func receive(_ head: ResponseHead) -> Bool {
      state.withLock { $0.append(Self.pipeHandler) }
      return true
    }

    func receive(_ piece: UnsafeRawBufferPointer) -> Bool { true }

    func finish(_ error: (any Error)?) { ended.fulfill() }
  }
#endif
