import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests which values an in-flight read delivers, and when the read's stream ends.
final class UpdatingReadTests: XCTestCase {
  private let upper = ScriptedLevel(0, LevelScript(contents: [0: 1]))
  private let lower = ScriptedLevel(1, LevelScript(contents: [0: 2, 1: 3], hasSlowGets: true))

  private func text(_ update: CacheUpdate<Int>?) -> String {
    update.map { "\($0.source) \($0.value)" } ?? "the end"
  }

  func testALateValueIsNotDelivered() async throws {
    let slow = ScriptedLevel(0, LevelScript(contents: [0: 1], hasSlowGets: true))
    let stream = slow.cache.updating(from: Fetcher(offMainThread: false) { _ in 2 }).values(0)
    XCTAssertEqual(slow.events, ["get 0", "set 0 2", "cancel get 0"])
    slow.settle(0)
    var seen: [String] = []
    for try await update in stream { seen.append(text(update)) }
    XCTAssertEqual(seen, ["fresh 2"])
  }

  func testEachRequestReceivesItsOwnAnswer() async throws {
    let sent = Lock(0)
    let origin = Fetcher<URLRequest, String> { request throws -> String in
      sent.withLock { $0 += 1 }
      let body = request.httpBody.map { String(decoding: $0, as: UTF8.self) } ?? "none"
      return "\(request.httpMethod ?? "") \(body) \(request.allHTTPHeaderFields ?? [:])"
    }
    let updates = Cache<URLRequest, String>.memory().updating(from: origin)
    var requests: [URLRequest] = []
    for (method, body, user) in [
      ("GET", nil, "alice"), ("GET", nil, "bob"), ("POST", "one", "bob"), ("POST", "two", "bob"),
      ("POST", "two", "bob"),
    ] as [(String, String?, String)] {
      var request = URLRequest(url: URL(fileURLWithPath: "/a"))
      request.httpMethod = method
      request.httpBody = body.map { Data($0.utf8) }
      request.setValue(user, forHTTPHeaderField: "Authorization")
      requests.append(request)
    }
    for (count, request) in requests.enumerated() {
      var seen: [String] = []
      for try await update in updates.values(request) {
        seen.append(text(update.source, update.value))
      }
      let own = try await origin.value(for: request)
      XCTAssertEqual(seen, [text(.fresh, own)])
      XCTAssertEqual(sent.withLock { $0 }, 2 * count + 2)
    }
  }

  private func text(_ source: UpdateSource, _ value: String) -> String { "\(source) \(value)" }

  func testNoCachedValueFollowsTheFreshOneOnThreads() async throws {
    for _ in 0..<Extent.rounds(300, full: 10_000) {
      let cache = Cache<Int, Int> { _ async throws in 1 }
      let stream = cache.updating(from: Fetcher { _ async throws in 2 }).values(0)
      var seen: [UpdateSource] = []
      for try await update in stream { seen.append(update.source) }
      XCTAssertTrue([[.fresh], [.cached, .fresh]].contains(seen), "\(seen)")
    }
  }

  func testAReleasedStreamCancelsTheWork() {
    var stream: AsyncThrowingStream<CacheUpdate<Int>, any Error>? =
      upper.cache.updating(from: lower.cache.fetcher).values(0)
    XCTAssertNotNil(stream)
    stream = nil
    XCTAssertEqual(lower.events, ["get 0", "cancel get 0"])
  }

  func testAReadThatEndsWhileAWriteBeginsDoesNotChangeTheCache() async throws {
    let (values, read) = (Journal<Int>(), Lock<(@Sendable () -> Void)?>(nil))
    let streams = Journal<AsyncThrowingStream<CacheUpdate<Int>, any Error>>()
    let level = Cache<Int, Int>(
      get: { _ in .miss },
      set: { _, value in
        values.note(value)
        read.withLock { $0.take() }?()
        return Promise()
      })
    let updates = level.updating(from: Fetcher(offMainThread: false) { _ in 2 })
    read.withLock { $0 = { streams.note(updates.values(0)) } }
    _ = updates.cache.set(0, 9)
    var seen: [String] = []
    for stream in streams.drain() {
      for try await update in stream { seen.append(text(update)) }
    }
    XCTAssertEqual(seen, ["fresh 2"])
    XCTAssertEqual(values.entries, [9])
  }

  func testTheNumberOfReleasedStreamsDoesNotAffectTheMemory() throws {
    guard try runsAlone() else { return }
    let growth = Memory.sizeOfThousandKeys { keys in
      let updates = Cache<Int, Int>.dictionary().updating(
        from: Fetcher { _ in Promise(.pending(Pending())) })
      for key in keys { _ = updates.values(key) }
      return updates
    }
    XCTAssertLessThan(growth, 10_000)
  }
}
