import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// A raise reaches the waiting load that a get joins, whatever is between them.
final class RaiseTests: XCTestCase {
  private let source = ScriptedLevel(
    0,
    LevelScript(
      contents: Dictionary(uniqueKeysWithValues: (0..<6).map { ($0, 10 + $0) }),
      hasSlowGets: true))
  private let urgent = Lock<Set<Int>>([])
  /// One get at a time, with the priority that `urgent` says.
  private lazy var limited = source.cache.limited(toConcurrentGets: 1) { [urgent] key in
    urgent.withLock { $0.contains(key) } ? .high : .background
  }

  /// Gets five keys, joins the load of the last one, and returns the order of the loads.
  private func order(
    of cache: Cache<Int, Int>, line: UInt = #line, before: () -> Void = {}
  ) -> [String] {
    let gets = (0..<5).map { cache.get($0) }
    urgent.withLock { _ = $0.insert(4) }
    let joined = cache.get(4)
    before()
    while source.settle(0) {}
    XCTAssertEqual(joined.answer, "14", line: line)
    XCTAssertEqual(gets.map(\.answer), (10..<15).map { "\($0)" }, line: line)
    return source.events.filter { $0.hasPrefix("get") }
  }

  private let raised = ["get 0", "get 4", "get 1", "get 2", "get 3"]

  func testAJoinRaisesTheLoadOfAPool() {
    XCTAssertEqual(order(of: limited.pooled()), raised)
  }

  func testARaisePassesThroughABulkLoad() {
    let limited = limited
    let bulk = Fetcher<Int, Int>.bulkLoading(window: .zero, limit: 1) { keys in
      limited.get(keys[0]).map { [keys[0]: $0] }
    }
    XCTAssertEqual(order(of: bulk.pooled()), raised)
  }

  func testARaisePassesThroughABatch() {
    let batches = limited.batched().pooled()
    let cache = batches.mapKeys { (key: Int) in [key] }
      .mapValues(decode: { _, values in values[0] }, encode: { _, value in [value] })
    XCTAssertEqual(order(of: cache), raised)
  }

  func testARaisePassesThroughPoolsSumsMapsAndTimeLimits() {
    let cache = (.memory() + (limited <*> .identity).timingOut(after: .seconds(60)).pooled())
      .retrying(1).pooled()
    XCTAssertEqual(order(of: { $0 } <^> cache), raised)
  }

  func testARaiseWaitsForALevelAbove() {
    let slow = ScriptedLevel(1, LevelScript(hasSlowGets: true))
    let cache = (slow.cache + limited).pooled()
    let joined = order(of: cache) { while slow.settle(0) {} }
    XCTAssertEqual(joined, raised)
  }

  func testAPoolBelowALimitLeavesTheOrderToTheLimit() {
    let cache = source.cache.pooled().limited(toConcurrentGets: 1) { $0 == 3 ? .high : .low }
    let gets = (0..<4).map { cache.get($0) }
    while source.settle(0) {}
    XCTAssertEqual(gets.map(\.answer), ["10", "11", "12", "13"])
    XCTAssertEqual(source.events, ["get 0", "get 3", "get 1", "get 2"])
  }

  func testTheTaskThatJoinsRaisesTheLoad() async {
    let cache = source.cache.limited(toConcurrentGets: 1).pooled()
    func call(_ key: Int, _ priority: TaskPriority) async -> Promise<Int> {
      let get = Lock<Promise<Int>?>(nil)
      Task.detached(priority: priority) { get.withLock { $0 = cache.get(key) } }
      while true {
        if let get = get.withLock({ $0 }) { return get }
        await Task.yield()
      }
    }
    var gets: [Promise<Int>] = []
    for key in 0..<4 { gets.append(await call(key, .background)) }
    gets.append(await call(3, .high))
    gets.append(await call(2, .background))
    while source.settle(0) {}
    XCTAssertEqual(gets.map(\.answer), ["10", "11", "12", "13", "13", "12"])
    XCTAssertEqual(source.events, ["get 0", "get 3", "get 1", "get 2"])
  }

  func testAGetThatWaitsForItsOwnLoadEnds() {
    let own = Lock<Cache<Int, Int>?>(nil)
    let first = Later<Int>()
    let cache = Fetcher<Int, Int> { key in
      first.promise.flatMap { _ in own.withLock { $0 }?.get(key) ?? .cancelled }
    }.pooled()
    own.withLock { $0 = cache }
    let get = cache.get(0)
    first.continuation.succeed(0)
    let joined = (0..<3).map { _ in cache.get(0) }
    XCTAssertEqual([get.answer] + joined.map(\.answer), Array(repeating: "no answer", count: 4))
    own.withLock { $0 = nil }
  }

  func testARaiseThroughALongChainUsesNoStack() {
    let seen = Journal<UInt8>()
    onSmallStack {
      let first = Pending<Int>()
      first.onCancel(.handle { if let raise = $0 { seen.note(raise.priority) } })
      var chain = Promise<Int>(.pending(first))
      for _ in 0..<100_000 { chain = chain.map { $0 } }
      chain.raise(Raise(to: .high))
      first.settle(.success(1))
    }
    XCTAssertEqual(seen.entries, [TaskPriority.high.rawValue])
  }

  func testOnlyARaiseThatAddsSomethingPassesOn() {
    let low = Raise(to: .background)
    let high = Raise(to: .high)
    XCTAssertNil(low.added(to: high))
    XCTAssertEqual(high.added(to: low)?.priority, high.priority)
    XCTAssertNil(high.added(to: high))
    // A later raise passes on, because the priority of its key may have changed.
    XCTAssertEqual(Raise(to: .low).added(to: high)?.priority, high.priority)
  }
}
