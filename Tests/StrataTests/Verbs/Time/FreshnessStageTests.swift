import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests early refreshes, and pauses that fail immediately.
final class FreshnessStageTests: XCTestCase {
  private struct Down: Error {}

  private let (time, clock) = TimeSource.manual()
  private let calls = Journal<Int>()
  private let fails = Lock(false)

  private func cache(_ freshness: Freshness) -> Cache<Int, Int> {
    Cache<Int, Stamped<Int>>.memory(clock: time).refreshing(
      freshness,
      from: Fetcher { [calls, fails] key in
        calls.note(key)
        return fails.withLock { $0 } ? Promise(error: Down()) : Promise(calls.entries.count)
      })
  }

  func testAPopularKeyIsRefreshedBeforeItExpires() {
    let cache = cache(Freshness(for: .seconds(100), refreshingAfter: 0.8))
    XCTAssertEqual(cache.get(1).answer, "1")
    for _ in 0..<79 {
      clock.advance(by: .seconds(1))
      XCTAssertEqual(cache.get(1).answer, "1")
    }
    XCTAssertEqual(calls.entries.count, 1)
    clock.advance(by: .seconds(1))
    XCTAssertEqual(cache.get(1).answer, "1", "The get that begins the refresh doesn't wait.")
    XCTAssertEqual(cache.get(1).answer, "2")
    XCTAssertEqual(calls.entries.count, 2)
  }

  func testAnEarlyRefreshRunsOnce() {
    let work = Later<Int>()
    let calls = calls
    let cache = Cache<Int, Stamped<Int>>.memory(clock: time).refreshing(
      Freshness(for: .seconds(100), refreshingAfter: 0.5),
      from: Fetcher { key in
        calls.note(key)
        return work.promise
      })
    _ = cache.set(1, 5)
    clock.advance(by: .seconds(50))
    for _ in 0..<3 { XCTAssertEqual(cache.get(1).answer, "5") }
    XCTAssertEqual(calls.entries, [1])
  }

  func testAFractionIsClampedAndOneRefreshesNothingEarly() {
    let fractions = [-1, 0, 0.5, 1, 7, .nan].map {
      Freshness(for: .seconds(1), refreshingAfter: $0).refreshingAfter
    }
    XCTAssertEqual(fractions, [0, 0, 0.5, 1, 1, 1])
    let now = time.now()
    let age = Freshness(for: .seconds(10), refreshingAfter: 0)
    XCTAssertEqual(age.stage(of: Stamped(1, storedAt: now), at: now), .stale)
    XCTAssertNotEqual(age, Freshness(for: .seconds(10)))
  }

  func testJitterSpreadsEarlyRefreshes() {
    let cache = cache(Freshness(for: .seconds(100), jitter: 0.5, refreshingAfter: 0.8))
    for key in 0..<100 { _ = cache.get(key) }
    clock.advance(by: .seconds(60))
    for key in 0..<100 { _ = cache.get(key) }
    XCTAssertTrue((120..<180).contains(calls.entries.count), "\(calls.entries.count)")
  }

  func testAGetWithoutAValueFailsImmediatelyInAPauseIfTheFreshnessSaysSo() {
    fails.withLock { $0 = true }
    for failsInPause in [false, true] {
      let cache = cache(Freshness(for: .seconds(60), failsInPause: failsInPause))
      let before = calls.entries.count
      for _ in 0..<3 { XCTAssertTrue(cache.get(1).outcome?.error is Down) }
      XCTAssertEqual(calls.entries.count - before, failsInPause ? 1 : 3)
      _ = cache.get(2)
      XCTAssertEqual(calls.entries.count - before, failsInPause ? 2 : 4, "A pause is of one key.")
      clock.advance(by: .seconds(60))
      _ = cache.get(1)
      XCTAssertEqual(calls.entries.count - before, failsInPause ? 3 : 5)
    }
  }

  func testTheFirstStageEndsWhenTheStageChanges() {
    let now = clock.now
    let freshnesses = [1, 0.8, 0].flatMap { early in
      [0, 0.5].map { jitter in
        Freshness(
          for: .seconds(60), staleWhileRevalidate: .seconds(5), jitter: jitter,
          refreshingAfter: early)
      }
    }
    for freshness in freshnesses.flatMap({ [$0, $0.followingDeadlines] }) {
      for lifetime in [nil, -5, 0, 5, 40, 90] {
        let entry = Stamped(1, storedAt: now, lasting: lifetime.map { .seconds($0) })
        let end = freshness.endOfStage(of: entry, 7)
        for offset in [-1, 0, 1] {
          let time = end.advanced(byNanoseconds: Int64(offset))
          XCTAssertEqual(
            freshness.stage(of: entry, 7, at: time) == .fresh, offset < 0,
            "\(freshness), \(lifetime ?? -1), \(offset)")
        }
      }
    }
  }

  func testAFreshHitReadsOnlyTheCoarseTime() {
    let (clock, reads) = (clock, Lock(0))
    let lagging = TimeSource(
      now: {
        reads.withLock { $0 += 1 }
        return clock.now
      }, coarse: { clock.now.advanced(by: .milliseconds(-9_999)) }, after: time.after)
    let cache = Cache<Int, Stamped<Int>>.dictionary().clocked(by: lagging)
      .refreshing(Freshness(for: .seconds(60)), from: Fetcher { Promise($0 + 1) })
    _ = cache.set(0, 5)
    clock.advance(by: .seconds(20))
    reads.withLock { $0 = 0 }
    XCTAssertEqual(cache.get(0).answer, "5")
    XCTAssertEqual(reads.withLock { $0 }, 0, "The coarse clock should be sufficient.")
    clock.advance(by: .nanoseconds(39_999_999_999))
    XCTAssertEqual(cache.get(0).answer, "5")
    clock.advance(by: .nanoseconds(1))
    XCTAssertEqual(cache.get(0).answer, "1")
  }

  func testAWriteIsReadInAPause() {
    fails.withLock { $0 = true }
    let cache = cache(Freshness(for: .seconds(60), failsInPause: true))
    _ = cache.get(1)
    _ = cache.set(1, 9)
    XCTAssertEqual(cache.get(1).answer, "9")
  }
}
