#if canImport(CStrataCurl) && canImport(Glibc)
  import Foundation
  import XCTest

  @testable import StrataCore
  @testable import StrataNetwork

  /// Tests which thread uses libcurl.
  final class CurlLoopTests: NetworkCase {
    private let settings = CurlSettings(connectionsPerHost: 2, idleTimeout: .seconds(60))

    func testACommandRunsOnTheThreadThatAddsIt() throws {
      let commands = CurlCommands()
      let loop = try XCTUnwrap(CurlLoop(CurlLibrary.shared.get(), commands, settings))
      commands.attach(loop)
      let order = Lock<[String]>([])
      commands.add { reactor in
        XCTAssertNotNil(reactor)
        // libcurl is in use now, so this command waits.
        commands.add { _ in order.withLock { $0.append("inner") } }
        order.withLock { $0.append("outer") }
      }
      XCTAssertEqual(order.withLock { $0 }, ["outer"])
      commands.add { _ in order.withLock { $0.append("last") } }
      XCTAssertEqual(order.withLock { $0 }, ["outer", "inner", "last"])
      commands.attach(nil)
      commands.add { _ in order.withLock { $0.append("detached") } }
      XCTAssertEqual(order.withLock { $0 }.count, 3)
    }

    func testALoopEndsAfterItsStop() throws {
      let commands = CurlCommands()
      let loop = try XCTUnwrap(CurlLoop(CurlLibrary.shared.get(), commands, settings))
      let ended = expectation(description: "end")
      Thread.detachNewThread {
        loop.run()
        ended.fulfill()
      }
      commands.add { $0?.stop() }
      wait(for: [ended], timeout: 300)
      XCTAssertTrue(loop.runCommands(), "A closed loop ignores commands.")
    }

    func testTheSignalMaskOfTheCallerStaysAsItIs() throws {
      @Sendable func mask() -> [Bool] {
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        return (1..<32).map { sigismember(&mask, $0) == 1 }
      }
      let commands = CurlCommands()
      let loop = try XCTUnwrap(CurlLoop(CurlLibrary.shared.get(), commands, settings))
      let before = mask()
      commands.attach(loop)
      let url = try XCTUnwrap(URL(string: "https://127.0.0.1:1/"))
      let secret = try OutgoingRequest(URLRequest(url: url))
      _ = commands.start(secret, Deaf())
      commands.add { _ in
        XCTAssertEqual(mask().filter { !$0 }.count, 2, "SIGKILL and SIGSTOP can't be blocked.")
        raise(SIGPIPE)  // As a write of OpenSSL to a closed connection would.
      }
      commands.attach(nil)
      XCTAssertEqual(mask(), before)
    }

    /// The thread that sends a request doesn't wake the transport's thread, so at most the response
    /// does.
    func testTheTransportsThreadWakesAtMostOnceForEachGet() async throws {
      guard try runsAlone() else { return }
      let origin = try KeptOrigin(records: false) { _ in .init(text: "x") }
      defer { origin.stop() }
      let network: Fetcher<URL, Data> = .network(session: NetworkSession())
      let url = origin.url("/")
      _ = try await network.value(for: url)
      guard let thread = ThreadSleeps.folder(ofThreadNamed: "strata.network"),
        let before = ThreadSleeps.count(in: thread)
      else { throw XCTSkip("other sessions have threads, or the system doesn't count sleeps") }
      for _ in 0..<200 { _ = try await network.value(for: url) }
      let after = try XCTUnwrap(ThreadSleeps.count(in: thread))
      XCTAssertLessThan(after - before, 300)
    }
  }

  /// A receiver that ignores its response.
  private final class Deaf: ResponseReceiver {
    func receive(_ head: ResponseHead) -> Bool { true }
    func receive(_ piece: UnsafeRawBufferPointer) -> Bool { true }
    func finish(_ error: (any Error)?) {}
  }
#endif
