import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests that the statistics of a named origin count only the calls that reached the origin.
final class CacheStatisticsOriginTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private let calls = Lock(0)

  /// An origin that fails for odd keys, and answers with a delay for keys above 100.
  private var origin: Fetcher<Int, Int> {
    let (calls, time) = (calls, time)
    return Fetcher<Int, Int> { key -> Promise<Int> in
      calls.withLock { $0 += 1 }
      let answer =
        key % 2 == 0
        ? Promise(key) : Promise<Int>(error: key % 3 == 0 ? CacheError.notFound : Broken.here)
      return key > 100 ? answer.delayed(by: .seconds(1), clock: time) : answer
    }
  }

  private func verbs(
    _ origin: Fetcher<Int, Int>
  ) -> [(name: String, cache: Fetcher<Int, Int>)] {
    [
      ("none", origin), ("pooled", origin.pooled()),
      ("retrying", origin.retrying(2, backoff: .none, clock: time)),
      ("limited", origin.limited(toConcurrentGets: 1, queue: 2)),
      ("timingOut", origin.timingOut(after: .milliseconds(100), clock: time)),
      (
        "breakingCircuit",
        origin.breakingCircuit(after: .failures(2), retryAfter: .seconds(60), clock: time)
      ),
      ("rememberingMisses", origin.rememberingMisses(for: .seconds(60), clock: time)),
      ("conditioned", origin.conditioned { $0 % 4 != 0 }),
      ("recovering", origin.recovering { _, _ in 0 }),
      ("mapped", origin.mapValues { $0 + 1 }), ("keys", { $0 + 1 } <^> origin),
      ("awaitedInSum", origin.awaitedInSum(atMost: .seconds(1))),
      (
        "chain",
        origin.retrying(1, backoff: .none, clock: time).pooled().limited(toConcurrentGets: 2)
      ),
      ("switching", .switching(origin, origin) { $0 % 2 == 0 ? .first : .second }),
    ]
  }

  private func exercise(_ cache: Cache<Int, Int>) {
    for key in 0..<12 { _ = cache.get(key) }
    let slow = [102, 102, 103, 103, 104, 105].map { cache.get($0) }
    slow[4].cancel()
    for _ in 0..<4 { clock.advance(by: .seconds(1)) }
  }

  func testLoadsAreTheCallsThatReachTheOrigin() {
    for index in verbs(origin).indices {
      for isOutside in [false, true] {
        let statistics = CacheStatistics()
        let (name, fetcher) = verbs(isOutside ? origin : origin.named("origin"))[index]
        let observed = (isOutside ? fetcher.named("origin") : fetcher)
          .observed(by: statistics.observer, clock: time)
        calls.withLock { $0 = 0 }
        exercise(observed)
        let (stage, count) = (statistics.snapshot["origin"], calls.withLock { $0 })
        XCTAssertEqual(stage?.loads, count, "\(name), \(isOutside ? "below" : "above") the name")
      }
    }
  }

  func testEachNameOfAnOriginCountsItsCalls() {
    for index in verbs(origin).indices {
      let statistics = CacheStatistics()
      let (name, fetcher) = verbs(origin.named("inner"))[index]
      let observed = fetcher.named("same").named("same").named("outer")
        .observed(by: statistics.observer, clock: time)
      calls.withLock { $0 = 0 }
      exercise(observed)
      let loads = ["inner", "same", "outer"].map { statistics.snapshot[$0]?.loads }
      XCTAssertEqual(loads, Array(repeating: calls.withLock { $0 }, count: 3), name)
    }
  }

  func testAnObservedOriginWithoutANameCountsItsCalls() {
    let statistics = CacheStatistics()
    let observed = origin.pooled().observed(by: statistics.observer, clock: time)
    for _ in 0..<3 { _ = observed.get(102) }
    clock.advance(by: .seconds(1))
    XCTAssertEqual(statistics.snapshot.stages.map(\.loads), [1])
    XCTAssertEqual(statistics.snapshot.stages.map(\.hits), [3])
  }

  func testACallThatHangsIsALoad() {
    let statistics = CacheStatistics()
    let work = Later<Int>()
    let hanging = Fetcher<Int, Int> { _ -> Promise<Int> in work.promise }
    let limited = hanging.named("origin").timingOut(after: .seconds(1), clock: time)
    let get = limited.observed(by: statistics.observer, clock: time).get(1)
    clock.advance(by: .seconds(1))
    XCTAssertTrue(get.outcome?.error is CacheError)
    XCTAssertEqual(statistics.snapshot["origin"]?.loads, 1)
  }
}
