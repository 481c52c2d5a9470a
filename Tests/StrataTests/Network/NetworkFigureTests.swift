#if canImport(CStrataCurl) && canImport(Glibc)
  import Foundation
  import FoundationNetworking
  import XCTest

  @testable import StrataCore
  @testable import StrataNetwork

  /// Measures the transports and prints the results. Without `STRATA_LONG=1`, the tests make only a
  /// few gets and print nothing.
  final class NetworkFigureTests: XCTestCase {
    private let isLong = ProcessInfo.processInfo.environment["STRATA_LONG"] == "1"

    /// Measures 1,000 parallel gets with both transports. The origin takes 10 ms to answer.
    func testParallelGets() async throws {
      for isCurl in [true, false] {
        let origin = try KeptOrigin(records: false) { _ in
          usleep(10_000)
          return .init(text: String(repeating: "x", count: 1000))
        }
        defer { origin.stop() }
        let before = Memory.resident
        Memory.resetPeak()
        let start = ContinuousClock.now
        let count = isLong ? 1000 : 10
        let (done, ended) = (Lock(0), expectation(description: "all"))
        let settle: @Sendable (Bool) -> Void = { isRight in
          XCTAssertTrue(isRight)
          if done.withLock({
            $0 += 1; return $0
          }) == count {
            ended.fulfill()
          }
        }
        let (network, plain) = (NetworkSession(), URLSession(configuration: .ephemeral))
        for number in 0..<count {
          let request = URLRequest(url: origin.url("/\(number)"))
          if isCurl {
            let limits = Transfer.Limits(size: 1 << 20, deadline: .seconds(600), redirects: 0)
            _ = network.start(request, limits: limits) { result in
              settle((try? result.get().body.count) == 1000)
            }
          } else {
            plain.dataTask(with: request) { data, _, _ in settle(data?.count == 1000) }.resume()
          }
        }
        await fulfillment(of: [ended], timeout: 600)
        guard isLong else { continue }
        let time = ContinuousClock.now - start
        print(
          "\(isCurl ? "libcurl" : "URLSession"): \(count) parallel gets in \(time), "
            + "\(origin.acceptedConnections) connections, \((Memory.peak - before) >> 10) KiB")
      }
    }

    /// Measures 100,000 gets over connections that stay open. At most 16 gets run at the same time.
    func testKeptConnections() async throws {
      let origin = try KeptOrigin(records: false) { _ in .init(text: "hello") }
      defer { origin.stop() }
      let count = isLong ? 100_000 : 100
      let network: Fetcher<URL, Data> = .network(session: NetworkSession())
      let url = origin.url("/a")
      let start = ContinuousClock.now
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<16 {
          group.addTask {
            for _ in 0..<count / 16 {
              let data = try await network.value(for: url)
              XCTAssertEqual(data.count, 5)
            }
          }
        }
        try await group.waitForAll()
      }
      XCTAssertLessThanOrEqual(origin.acceptedConnections, 16)
      guard isLong else { return }
      print(
        "\(count) gets in \(ContinuousClock.now - start) over \(origin.acceptedConnections) "
          + "connections")
    }
  }
#endif
