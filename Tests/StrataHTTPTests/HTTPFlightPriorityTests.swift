import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

/// A request that waits for the leader of its flight raises the leader's request.
final class HTTPFlightPriorityTests: XCTestCase {
  /// Starts a request in a task of a priority, and returns when it has started.
  private func start(
    _ path: String, _ priority: TaskPriority, in cache: HTTPCache
  ) async throws -> Promise<HTTPAnswer> {
    let url = try XCTUnwrap(URL(string: "http://a.test/\(path)"))
    let answer = Lock<Promise<HTTPAnswer>?>(nil)
    // Awaiting a task would raise its priority.
    Task.detached(priority: priority) {
      answer.withLock { $0 = cache.answer(to: URLRequest(url: url)) }
    }
    while true {
      if let answer = answer.withLock({ $0 }) { return answer }
      await Task.yield()
    }
  }

  /// Returns the order in which the requests of the last tasks were sent.
  private func order(_ last: [(String, TaskPriority)], store: Cache<String, Data>) async throws
    -> [String]
  {
    let origin = FakeOrigin()
    origin.replies(["Cache-Control": "max-age=60"])
    origin.hold()
    let cache = HTTPCache(
      storedIn: store, from: origin.fetcher.limited(toConcurrentGets: 1), clock: origin.time)
    var answers: [Promise<HTTPAnswer>] = []
    for (path, priority) in [("first", .medium)] + last {
      answers.append(try await start(path, priority, in: cache))
    }
    while answers.contains(where: { $0.outcome == nil }) { origin.step() }
    for answer in answers { XCTAssertEqual(try answer.wait().response.text, "body") }
    return origin.requests.dropFirst().map { $0.url.lastPathComponent }
  }

  func testAnUrgentRequestRaisesTheLeaderOfItsFlight() async throws {
    let early: [(String, TaskPriority)] = [("a", .background), ("b", .background)]
    let plain = try await order(early, store: .dictionary())
    XCTAssertEqual(plain, ["a", "b"])
    let raised = try await order(early + [("b", .high)], store: .dictionary())
    XCTAssertEqual(raised, ["b", "a"])
    let equal = try await order(early + [("b", .background)], store: .dictionary())
    XCTAssertEqual(equal, ["a", "b"])
  }

  func testAPriorityThatArrivesBeforeTheLeadersRequestIsKept() {
    let keys = ActiveKeys(StoreActivity.of(.dictionary()))
    let (now, raised) = (HTTPFixtures.start, Lock<[TaskPriority]>([]))
    guard case .leader = keys.join("a", canLead: true, at: now, priority: .low),
      case .waiter = keys.join("a", canLead: true, at: now, priority: .medium),
      case .waiter = keys.join("a", canLead: true, at: now, priority: .low)
    else { return XCTFail("The first request leads.") }
    keys.lead("a") { priority in raised.withLock { $0.append(priority) } }
    for priority in [TaskPriority.low, .high, .high] {
      _ = keys.join("a", canLead: true, at: now, priority: priority)
    }
    XCTAssertEqual(raised.withLock { $0 }, [.medium, .high])
    keys.end("a", .retry)
  }
}
