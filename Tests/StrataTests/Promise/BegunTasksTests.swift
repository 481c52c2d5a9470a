import Dispatch
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// A task of a get counts until it has ended, even if the get began it on another thread, and even
/// if the get has been cancelled.
final class BegunTasksTests: XCTestCase {
  private typealias Pipeline = @Sendable (Fetcher<Int, Int>) -> Cache<Int, Int>

  /// Loads that ignore that they were cancelled.
  private final class Loads: Sendable {
    private let begun = Pending<Void>()
    private let gate = Pending<Void>()
    private let (running, fails) = (Lock(0), Lock(false))

    init(failingFirst: Bool = false) { fails.withLock { $0 = failingFirst } }

    var isRunning: Bool { running.withLock { $0 > 0 } }

    func load(_ key: Int) async throws -> Int {
      if fails.withLock({ fails in
        defer { fails = false }
        return fails
      }) {
        throw CacheError.abandoned
      }
      running.withLock { $0 += 1 }
      begun.settle(.success(()))
      await withUnsafeContinuation { end in gate.promise.observed { _ in end.resume() } }
      running.withLock { $0 -= 1 }
      return key
    }

    func hasBegun() async throws { try await begun.promise.map {}.value }

    func end() { gate.settle(.success(())) }
  }

  private let absent = Cache<Int, Int>(
    get: { _ async throws -> Int in throw CacheError.notFound }, set: { _, _ async throws in })

  private var pipelines: [(String, Pipeline)] {
    [
      ("an origin", { $0 }), ("a sum", { [absent] in absent + $0 }),
      ("a condition", { $0.conditioned { _ async in true } }),
      ("a key map", { $0.mapKeys(Transformer<Int, Int> { key async throws in key }) }),
      ("a queue", { $0.dispatched(on: .global()) }),
      ("a pool", { [absent] in (absent + $0).pooled() }),
      ("a time limit", { [absent] in (absent + $0).timingOut(after: .seconds(60)) }),
      ("a promise of an origin", { origin in Fetcher { key in origin.get(key) } }),
    ]
  }

  func testAPermitWaitsForATaskThatBeginsOnAnotherThread() async throws {
    for (name, pipeline) in pipelines {
      let loads = Loads()
      try await check(name, loads, pipeline(Fetcher { try await loads.load($0) }))
    }
  }

  func testAPermitWaitsForARetry() async throws {
    for (name, delay) in [("immediate", Duration.zero), ("later", .milliseconds(1))] {
      let loads = Loads(failingFirst: true)
      let origin = Fetcher { try await loads.load($0) }
      try await check(name, loads, origin.retrying(1, backoff: .constant(delay)))
    }
  }

  func testAPermitWaitsForAFunctionInAPromise() async throws {
    let loads = Loads()
    try await check("promise", loads, Fetcher { key in Promise { try await loads.load(key) } })
  }

  func testAPermitWaitsForABulkLoader() async throws {
    let loads = Loads()
    let origin = Fetcher<Int, Int>.bulkLoading(window: .zero) { keys async throws -> [Int: Int] in
      [keys[0]: try await loads.load(keys[0])]
    }
    try await check("bulk", loads, origin)
  }

  /// Cancels a get of a cache while its load runs.
  private func check(_ name: String, _ loads: Loads, _ origin: Cache<Int, Int>) async throws {
    let cache = origin.limited(toConcurrentGets: 1)
    let get = cache.get(1)
    try await loads.hasBegun()
    get.cancel()
    XCTAssertTrue(loads.isRunning, name)
    XCTAssertEqual(permits(cache), 1, name)
    let drained = cache.draining(atMost: .seconds(600))
    XCTAssertNil(drained.outcome, name)
    loads.end()
    try await drained.value
    XCTAssertFalse(loads.isRunning, name)
    while permits(cache) > 0 { await Task.yield() }
  }

  func testAGetThatIsCancelledBeforeItsTaskBeginsLeavesNothing() {
    let answer = Later<Int>()
    let cache = Fetcher<Int, Int> { _ in answer.promise.flatMap { key in Promise { key } } }
      .limited(toConcurrentGets: 1)
    cache.get(1).cancel()
    XCTAssertEqual(permits(cache), 0)
    XCTAssertNotNil(cache.draining(atMost: .seconds(600)).outcome)
  }

  func testABulkGetThatIsCancelledInItsWindowLeavesNothing() {
    let (clock, _) = TimeSource.manual()
    let cache = Fetcher<Int, Int>.bulkLoading(window: .seconds(5), clock: clock) {
      keys async throws -> [Int: Int] in [:]
    }.limited(toConcurrentGets: 1)
    cache.get(1).cancel()
    XCTAssertEqual(permits(cache), 0)
  }

  /// A back-fill doesn't belong to the get that causes it.
  func testAPermitDoesNotWaitForABackFill() async throws {
    let gate = Pending<Void>()
    let store = Cache<Int, Int>(
      get: { _ async throws -> Int in throw CacheError.notFound },
      set: { _, _ async throws in
        await withUnsafeContinuation { end in gate.promise.observed { _ in end.resume() } }
      })
    let cache = (store + Fetcher<Int, Int> { key async throws in key }).limited(toConcurrentGets: 1)
    _ = try await cache.value(for: 1)
    while permits(cache) > 0 { await Task.yield() }
    let drained = cache.draining(atMost: .seconds(600))
    XCTAssertNil(drained.outcome)
    gate.settle(.success(()))
    try await drained.value
  }

  private func permits(_ cache: Cache<Int, Int>) -> Int {
    Int(cache.currentGauges.first { $0.name == "permits" }?.value ?? -1)
  }
}
