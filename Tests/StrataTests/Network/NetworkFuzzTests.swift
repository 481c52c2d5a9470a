#if canImport(CStrataCurl) && canImport(Glibc)
  import Foundation
  import FoundationNetworking
  import XCTest

  @testable import StrataCore
  @testable import StrataNetwork

  /// Tests that faulty responses from a generator cause no crash, hang, or incomplete value.
  ///
  /// With `STRATA_LONG=1`, the test uses 100,000 responses instead of 1,000, and prints the counts.
  final class NetworkFuzzTests: XCTestCase {
    private let isLong = ProcessInfo.processInfo.environment["STRATA_LONG"] == "1"

    /// The number of responses. The number is smaller under a sanitizer, which slows down the
    /// generator.
    private var count: Int { isLong ? 100_000 : Memory.isInstrumented ? 200 : 1_000 }

    private func makeOrigin() throws -> LoopbackOrigin {
      try LoopbackOrigin { request in
        guard let number = Int(request.path.dropFirst()) else { return .respond(body: "done") }
        let response = FuzzedResponse(stream: number)
        return response.resets ? .reset(after: response.bytes) : .raw(response.bytes)
      }
    }

    /// Tests the check itself: with a transport that hides errors, the check must find incomplete
    /// values.
    func testATransportThatHidesErrorsIsCaught() async throws {
      let origin = try makeOrigin()
      defer { origin.stop() }
      let session = NetworkSession(ErrorHidingTransport(NetworkSession().transport))
      let run = FuzzRun(of: origin, session, 200, ended: expectation(description: "all"))
      for _ in 0..<32 { run.sendNext() }
      await fulfillment(of: [run.ended], timeout: 600)
      let incomplete = run.faults.filter { $0.hasSuffix(" is a value") }
      XCTAssertGreaterThan(incomplete.count, 2, "\(run.faults)")
    }

    func testNoFuzzedResponseIsAnIncompleteValue() async throws {
      let origin = try makeOrigin()
      defer { origin.stop() }
      let session = NetworkSession(connectionsPerHost: 32)
      let run = FuzzRun(of: origin, session, count, ended: expectation(description: "all"))
      for _ in 0..<32 { run.sendNext() }
      await fulfillment(of: [run.ended], timeout: 1200)
      XCTAssertEqual(run.faults, [])
      XCTAssertEqual(run.results.values.reduce(0, +), count)
      for name in [
        "none: success", "truncation: failure", "reset: failure", "damaged encoding: failure",
        "conflicting lengths: failure", "wrong chunk size: failure", "NUL in a field: failure",
      ] {
        XCTAssertGreaterThan(run.results[name] ?? 0, 0, name)
      }
      guard isLong else { return }
      for (name, count) in run.results.sorted(by: { $0.key < $1.key }) {
        print("\(count)\t\(name)")
      }
    }
  }

  /// Sends numbered requests, several at a time, and checks the results.
  private final class FuzzRun: Sendable {
    private struct State {
      var next = 0
      var settled = 0
      var faults: [String] = []
      var results: [String: Int] = [:]
    }

    let ended: XCTestExpectation
    private let origin: LoopbackOrigin
    private let count: Int
    private let session: NetworkSession
    private let state = Lock(State())

    init(
      of origin: LoopbackOrigin, _ session: NetworkSession, _ count: Int, ended: XCTestExpectation
    ) {
      (self.origin, self.session, self.count, self.ended) = (origin, session, count, ended)
    }

    var faults: [String] { state.withLock { $0.faults } }

    var results: [String: Int] { state.withLock { $0.results } }

    func sendNext() {
      let number = state.withLock { state -> Int in
        defer { state.next += 1 }
        return state.next
      }
      guard number < count else { return }
      let limits = Transfer.Limits(size: 1 << 20, deadline: .seconds(600), redirects: 3)
      let request = URLRequest(url: origin.url("/\(number)"))
      _ = session.start(request, limits: limits) { [self] result in
        judge(result, number)
        sendNext()
      }
    }

    private func judge(_ result: Result<NetworkResponse, NetworkError>, _ number: Int) {
      let response = FuzzedResponse(stream: number)
      let outcome = result.kind == "success" ? "success" : "failure"
      let isLast = state.withLock { state in
        state.results["\(response.mutation): \(outcome)", default: 0] += 1
        if let fault = Self.fault(response, result) { state.faults.append("\(number): \(fault)") }
        state.settled += 1
        return state.settled == count
      }
      if isLast { ended.fulfill() }
    }

    private static func fault(
      _ response: FuzzedResponse, _ result: Result<NetworkResponse, NetworkError>
    ) -> String? {
      if result.kind == "deadlinePassed" { return "\(response.mutation) hangs" }
      let body = try? result.get().body
      let isWhole = body.map { $0.elementsEqual(response.payload) }
      switch response.verdict {
      case .whole where isWhole != true: return "\(response.mutation) is refused: \(result)"
      case .wholeOrFailure where isWhole == false: return "\(response.mutation) changes the value"
      case .failure where body != nil: return "\(response.mutation) is a value"
      default: return nil
      }
    }
  }

  /// A transport that reports every response as complete, even after an error.
  private final class ErrorHidingTransport: HTTPTransport {
    private final class Receiver: ResponseReceiver {
      private let receiver: any ResponseReceiver

      init(_ receiver: any ResponseReceiver) { self.receiver = receiver }

      func receive(_ head: ResponseHead) -> Bool { receiver.receive(head) }
      func receive(_ piece: UnsafeRawBufferPointer) -> Bool { receiver.receive(piece) }
      func finish(_ error: (any Error)?) { receiver.finish(nil) }
    }

    let decodesBodies = false
    private let transport: any HTTPTransport

    init(_ transport: any HTTPTransport) { self.transport = transport }

    func send(
      _ request: OutgoingRequest, to receiver: any ResponseReceiver
    ) -> @Sendable () -> Void {
      transport.send(request, to: Receiver(receiver))
    }
  }
#endif
