import Foundation
import Strata
import StrataHTTP
import XCTest

/// Tests the statements of the article “HTTP caching” about an origin that fails.
final class HTTPStatementTests: StatementCase {
  private let url = URL(string: "https://a.test/") ?? URL(fileURLWithPath: "/")
  private let calls = Journal<Int>()
  private let (clock, time) = TimeSource.manual()

  /// Returns an origin whose first response is good for a minute, and whose other responses are 503.
  private func failing(after good: Int = 0) -> Fetcher<URLRequest, NetworkResponse> {
    let (calls, url, clock) = (calls, url, clock)
    return Fetcher(offMainThread: false) { _ in
      calls.note(calls.count)
      return NetworkResponse(
        status: calls.count <= good ? 200 : 503, fields: ["Cache-Control": "max-age=60"],
        body: Data("page".utf8), url: url, requestTime: clock.now(), responseTime: clock.now())
    }
  }

  private struct ServerError: Error {}

  private func strict(
    _ origin: Fetcher<URLRequest, NetworkResponse>
  ) -> Fetcher<URLRequest, NetworkResponse> {
    origin.postProcessed { _, response in
      guard response.status < 500 else { throw ServerError() }
      return response
    }.breakingCircuit(after: .failures(2), retryAfter: .seconds(30), clock: clock)
  }

  func testA503IsAValueOfTheOrigin() throws {
    try expect("HTTPCaching", states: "The fetcher returns a 503 as a value")
    let guarded = failing().breakingCircuit(after: .failures(2), retryAfter: .seconds(30))
    for _ in 1...5 {
      XCTAssertEqual(try ended(guarded.get(URLRequest(url: url))).get().status, 503)
    }
    XCTAssertEqual(calls.count, 5)
  }

  func testAnErrorOpensTheCircuit() throws {
    let guarded = strict(failing())
    for _ in 1...5 {
      XCTAssertNotNil(try ended(guarded.get(URLRequest(url: url))).error)
    }
    XCTAssertEqual(calls.count, 2)
  }

  func testAnErrorCountsAsAnOriginThatCannotBeReached() throws {
    try expect("HTTPCaching", states: "no longer sees a 503, only an origin that can't be reached")
    for (isStrict, limit, isServed) in [
      (false, nil, false), (true, nil, true), (true, Duration.seconds(10), false),
    ] {
      _ = calls.drain()
      let origin = failing(after: 1)
      let http = HTTPCache(
        storedIn: .dictionary(), from: isStrict ? strict(origin) : origin,
        policy: HTTPCachePolicy(staleWhenUnreachable: limit), clock: clock)
      _ = try http.answer(to: URLRequest(url: url)).wait()
      time.advance(by: .seconds(80))
      let answer = http.answer(to: URLRequest(url: url)).outcome?.value
      XCTAssertEqual(answer?.response.status == 200, isServed, "\(isStrict) \(limit as Any)")
    }
  }

  func testOnlyAStoredResponseAnswersARequestThatMustNotLoad() throws {
    try expect("FromNSCacheAndURLCache", states: "The answer is a 504 if nothing is stored.")
    let http = HTTPCache(storedIn: .dictionary(), from: failing(after: 1), clock: clock)
    var request = URLRequest(url: url)
    request.cachePolicy = .returnCacheDataDontLoad
    XCTAssertEqual(try http.answer(to: request).wait().response.status, 504)
    _ = try http.answer(to: URLRequest(url: url)).wait()
    XCTAssertEqual(try http.answer(to: request).wait().response.status, 200)
    XCTAssertEqual(calls.count, 1)
  }
}
