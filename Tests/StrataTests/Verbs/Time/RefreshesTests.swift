import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests the pauses after failed refreshes, and refreshes that hang.
final class RefreshesTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private lazy var stamped: Cache<Int, Stamped<Int>> = .memory(clock: time)
  private let origin = ScriptedLevel(0, LevelScript(contents: [0: 1], hasSlowGets: true))
  private lazy var cache = stamped.clocked(by: time).refreshing(
    Freshness(
      for: .seconds(60), staleWhileRevalidate: .seconds(30), staleIfError: .seconds(600),
      timeout: .seconds(5)),
    from: origin.cache.fetcher)

  private func warm() {
    let get = cache.get(0)
    origin.settle(0)
    XCTAssertEqual(get.answer, "1")
  }

  private func failing(
    _ freshness: Freshness, _ calls: Journal<TimeSource.Instant>
  ) -> Cache<Int, Int> {
    stamped.clocked(by: time).refreshing(
      freshness,
      from: Fetcher(offMainThread: false) { [clock] _ in
        calls.note(clock.now)
        throw CacheError.abandoned
      })
  }

  func testAfterAFailureAGrowingPauseSparesTheOrigin() {
    for stale in [true, false] {
      let freshness = Freshness(
        for: .seconds(60), staleWhileRevalidate: stale ? .seconds(86_400) : .zero,
        staleIfError: .seconds(86_400))
      let calls = Journal<TimeSource.Instant>()
      let cache = failing(freshness, calls)
      _ = cache.set(0, 1)
      clock.advance(by: .seconds(60))
      XCTAssertEqual((0..<300).map { _ in cache.get(0).answer }, Array(repeating: "1", count: 300))
      XCTAssertEqual(calls.entries.count, 1)
      for _ in 0..<6_000 {
        clock.advance(by: .milliseconds(100))
        XCTAssertEqual(cache.get(0).answer, "1")
      }
      let pauses = zip(calls.entries, calls.entries.dropFirst()).map { $0.duration(to: $1) }
      for (number, pause) in pauses.enumerated() {
        let longest = min(Duration.seconds(1 << min(number, 10)), .seconds(60))
        XCTAssertTrue(longest / 2 <= pause && pause <= longest + .milliseconds(100), "\(pauses)")
      }
      XCTAssertGreaterThan(pauses.count, 8)
    }
  }

  func testASuccessEndsThePauseAndARefusalBeginsNone() {
    let isFailing = Lock(true)
    let calls = Journal<Int>()
    let cache = stamped.clocked(by: time).refreshing(
      Freshness(for: .seconds(60), staleIfError: .seconds(86_400)),
      from: Fetcher(offMainThread: false) { key in
        calls.note(key)
        if isFailing.withLock({ $0 }) { throw CacheError.abandoned }
        if key == 1 { throw CacheError.conditionNotSatisfied }
        return 2
      })
    for key in 0...1 { _ = cache.set(key, 1) }
    clock.advance(by: .seconds(60))
    XCTAssertEqual(cache.get(0).answer, "1")
    isFailing.withLock { $0 = false }
    for _ in 0..<3 { XCTAssertEqual(cache.get(1).answer, "1") }
    XCTAssertEqual(calls.entries, [0, 1, 1, 1])
    clock.advance(by: .seconds(1))
    XCTAssertEqual(cache.get(0).answer, "2")
  }

  func testOneKeyMoreThanTenThousandEndsAllPauses() {
    let (refreshes, freshness) = (Refreshes(), Freshness(for: .seconds(60)))
    func fail(_ key: Int) {
      refreshes.note(Promise<Int>.Outcome.failure(Broken.here), of: key, at: clock.now)
    }
    func isPausing(_ key: Int) -> Bool { refreshes.pausing(key, freshness, at: clock.now) != nil }
    for key in 0..<10_000 { fail(key) }
    fail(0)
    XCTAssertTrue([0, 1, 9_999].allSatisfy(isPausing))
    fail(10_000)
    XCTAssertFalse([0, 1, 9_999].contains(where: isPausing))
    XCTAssertTrue(isPausing(10_000))
  }

  func testAHungOriginIsNotWaitedForAndItsLateAnswerIsStored() {
    warm()
    clock.advance(by: .seconds(100))
    let first = cache.get(0)
    XCTAssertNil(first.outcome)
    clock.advance(by: .seconds(1))
    XCTAssertEqual(first.answer, "1")
    XCTAssertEqual((0..<20).map { _ in cache.get(0).answer }, Array(repeating: "1", count: 20))
    XCTAssertEqual(origin.events, ["get 0", "get 0"])
    _ = origin.cache.set(0, 2)
    let late = stamped.get(0).outcome?.value?.storedAt
    origin.settle(0)
    XCTAssertNotEqual(stamped.get(0).outcome?.value?.storedAt, late)
    XCTAssertEqual(stamped.get(0).outcome?.value?.storedAt, clock.now)
  }

  /// A write detaches the load that hangs, so the next load is another one.
  func testALoadThatEndsIsWaitedForAgainAlthoughAnEarlierOneHangs() {
    let cache = stamped.clocked(by: time).refreshing(
      Freshness(for: .seconds(60), staleIfError: .seconds(600), timeout: .seconds(3_600)),
      from: origin.cache.fetcher)
    _ = cache.set(0, 1)
    clock.advance(by: .seconds(60))
    let first = cache.get(0)
    clock.advance(by: .seconds(1))
    XCTAssertEqual(first.answer, "1")
    _ = cache.set(0, 2)
    clock.advance(by: .seconds(60))
    XCTAssertEqual(cache.get(0).answer, "2", "No get should wait while a load hangs.")
    origin.settle(1)
    clock.advance(by: .seconds(60))
    let last = cache.get(0)
    XCTAssertNil(last.outcome, "The last load has ended.")
    origin.settle(1)
    XCTAssertEqual(last.answer, "1")
    XCTAssertEqual(origin.events, ["get 0", "get 0", "get 0"])
  }

  func testAGetThatHasWaitedLeavesNoTimer() {
    warm()
    clock.advance(by: .seconds(100))
    let get = cache.get(0)
    XCTAssertNil(get.outcome)
    origin.settle(0)
    XCTAssertEqual(get.answer, "1")
    XCTAssertEqual(clock.waiting, 0)
  }

  func testACancelledGetThatWaitsStopsItsLoad() {
    warm()
    clock.advance(by: .seconds(100))
    let get = cache.get(0)
    get.cancel()
    XCTAssertEqual(origin.events.last, "cancel get 0")
    XCTAssertEqual(clock.waiting, 0)
  }

  func testNoDurationInAFreshnessTraps() {
    let extremes = [Duration.seconds(Int64.max) * 10, .seconds(Int64.min) * 10, .zero]
    for one in extremes {
      for other in extremes {
        let freshness = Freshness(
          for: one, staleWhileRevalidate: other, staleIfError: one, jitter: .nan, timeout: other,
          waitingAtMost: one, pause: other, longestPause: one)
        let cache = failing(freshness, Journal())
        _ = cache.set(0, 1)
        for _ in 0..<3 {
          _ = cache.get(0)
          clock.advance(by: .seconds(1))
        }
      }
    }
  }

  /// The timer of a get takes its closure, then the load ends, and then the closure runs.
  func testATimerThatIsLateDoesNotLetALoadHangForEver() {
    let timers = Lock<[@Sendable () -> Void]>([])
    let lateTime = TimeSource(now: { [time] in time.now() }) { delay, work in
      if delay == .seconds(1) { timers.withLock { $0.append(work) } }
      return {}
    }
    let cache = stamped.clocked(by: lateTime).refreshing(
      Freshness(for: .seconds(60), staleIfError: .seconds(600), timeout: .seconds(5)),
      from: origin.cache.fetcher)
    _ = cache.get(0)
    origin.settle(0)
    clock.advance(by: .seconds(100))
    let first = cache.get(0)
    origin.settle(0)
    XCTAssertEqual(first.answer, "1")
    for timer in timers.withLock({ $0 }) { timer() }
    clock.advance(by: .seconds(100))
    let second = cache.get(0)
    XCTAssertNil(second.outcome, "The get should wait for the load, because no load hangs.")
    origin.settle(0)
    XCTAssertEqual(second.answer, "1")
  }
}
