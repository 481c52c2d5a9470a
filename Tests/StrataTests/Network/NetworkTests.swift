import Foundation
import Strata
import XCTest

/// Tests the network level through its public API.
final class NetworkTests: NetworkCase {
  func testACompleteAnswerIsTheValue() async throws {
    let origin = try LoopbackOrigin { request in .respond(body: "body of \(request.path)") }
    defer { origin.stop() }
    let network: Fetcher<URL, Data> = .network()
    let body = try await network.value(for: origin.url("/a"))
    XCTAssertEqual(body, Data("body of /a".utf8))
  }

  func testARequestIsSentAsItIs() async throws {
    let origin = try LoopbackOrigin { request in
      .respond(body: "\(request.method) \(request.headers["x-token"] ?? "none")")
    }
    defer { origin.stop() }
    var request = URLRequest(url: origin.url("/a"))
    request.httpMethod = "POST"
    request.setValue("secret", forHTTPHeaderField: "X-Token")
    let network: Fetcher<URLRequest, Data> = .network()
    let body = try await network.value(for: request)
    XCTAssertEqual(body, Data("POST secret".utf8))
  }

  func testRulesAndListenersDoNotRunOnTheTransportsThread() async throws {
    let origin = try LoopbackOrigin { _ in .respond(body: "x") }
    defer { origin.stop() }
    let rule = ResponseRule<String?> { _ in Thread.current.name }
    let named = try await Fetcher<URL, String?>.network(accepting: rule).value(for: origin.url("/"))
    XCTAssertNotEqual(named, "strata.network")
    let plain: Fetcher<URL, Data> = .network()
    let heard = expectation(description: "listener")
    plain.get(origin.url("/")).onSuccess { _ in
      XCTAssertNotEqual(Thread.current.name, "strata.network")
      heard.fulfill()
    }
    await fulfillment(of: [heard], timeout: 300)
  }

  func test404And410AreMissesAnd500IsAFailure() async throws {
    let origin = try LoopbackOrigin { request in
      .respond(status: Int(request.path.dropFirst()) ?? 200)
    }
    defer { origin.stop() }
    let network: Fetcher<URL, Data> = .network()
    let (notFound, gone) = (
      try await network.findValue(for: origin.url("/404")),
      try await network.findValue(for: origin.url("/410"))
    )
    XCTAssertNil(notFound)
    XCTAssertNil(gone)
    do {
      _ = try await network.findValue(for: origin.url("/500"))
      XCTFail("a 500 is no miss")
    } catch let error as NetworkError {
      XCTAssertEqual(error.status, 500)
      XCTAssertEqual(error.url, origin.url("/500"))
      XCTAssertFalse((error as any Error).isMiss)
    }
  }

  func testTheErrorOfTheOriginOutranksTheMissesAboveIt() async throws {
    let origin = try LoopbackOrigin { _ in .respond(status: 503) }
    defer { origin.stop() }
    let pipeline: Cache<URL, Data> = .memory() + .network()
    do {
      _ = try await pipeline.value(for: origin.url())
      XCTFail("the origin failed")
    } catch let error as NetworkError {
      XCTAssertEqual(error.status, 503)
    }
  }

  func testThreeConcurrentGetsComplete() async throws {  // T48
    let origin = try LoopbackOrigin { request in .respond(body: request.path) }
    defer { origin.stop() }
    let network: Fetcher<URL, Data> = .network()
    let gets = (1...3).map { network.get(origin.url("/\($0)")) }
    let bodies = try await Promise.all(gets).value
    XCTAssertEqual(bodies, (1...3).map { Data("/\($0)".utf8) })
  }

  func testWritingToTheNetworkSucceedsAndSendsNothing() async throws {  // T48
    let origin = try LoopbackOrigin { _ in .respond() }
    defer { origin.stop() }
    let network = Fetcher<URL, Data>.network()
    try await network.set(Data(), for: origin.url())
    try await network.removeValue(for: origin.url())
    try await network.removeAll()
    XCTAssertEqual(origin.requests.count, 0)
  }

  func testCancellingAGetBehindAMissStopsTheTransferAndFillsNothing() async throws {  // T68
    let opened = Promise<Void>.Continuation.pair()
    let closed = Promise<Void>.Continuation.pair()
    let origin = try LoopbackOrigin { _ in
      .stream { connection in
        opened.continuation.succeed()
        connection.waitUntilClosed()
        closed.continuation.succeed()
      }
    }
    defer { origin.stop() }
    let memory: Cache<URL, Data> = .memory()
    let get = (memory + .network()).get(origin.url())
    try await opened.promise.value
    get.cancel()
    try await closed.promise.value
    XCTAssertTrue(get.outcome?.isCancelled == true)
    let filled = try await memory.findValue(for: origin.url())
    XCTAssertNil(filled)
  }

  func testTheDeadlineIsMeasuredWithTheGivenTime() async throws {
    let opened = Promise<Void>.Continuation.pair()
    let origin = try LoopbackOrigin { _ in
      .stream { connection in
        opened.continuation.succeed()
        connection.waitUntilClosed()
      }
    }
    defer { origin.stop() }
    let (time, clock) = TimeSource.manual()
    let network: Fetcher<URL, Data> = .network(deadline: .seconds(30), clock: time)
    let get = network.get(origin.url())
    try await opened.promise.value
    clock.advance(by: .seconds(30))
    do {
      _ = try await get.value
      XCTFail("The get should fail, because its time is up.")
    } catch let error as NetworkError {
      guard case .deadlinePassed = error.reason else { return XCTFail("\(error)") }
    }
  }
}

extension Promise.Continuation {
  /// A promise and its continuation.
  static func pair() -> (promise: Promise, continuation: Promise.Continuation) {
    let ends = Journal<Promise.Continuation>()
    let promise = Promise { ends.note($0) }
    return (promise, ends.entries[0])
  }
}
