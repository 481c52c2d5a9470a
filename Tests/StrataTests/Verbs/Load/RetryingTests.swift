import StrataLaws
import Synchronization
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class RetryingTests: XCTestCase {
  private let attempts = Journal<Int>()

  /// Returns a fetcher whose first calls fail.
  private func flaky(failing count: Int, with error: any Error = Broken.here) -> Fetcher<Int, Int> {
    Fetcher { [attempts] key in
      attempts.note(key)
      return attempts.count > count ? Promise(key) : Promise(error: error)
    }
  }

  func testThereIsOneAttemptMoreThanRetries() {  // T57
    XCTAssertEqual(flaky(failing: 9).retrying(3, backoff: .none).get(1).answer, "Broken.here")
    XCTAssertEqual(attempts.count, 4)
  }

  func testItStopsAtTheFirstSuccess() {  // T57
    XCTAssertEqual(flaky(failing: 2).retrying(5, backoff: .none).get(1).answer, "1")
    XCTAssertEqual(attempts.count, 3)
  }

  func testZeroAndFewerRetriesAreOneAttempt() {  // T57
    for count in [0, -1, .min] {
      _ = attempts.drain()
      XCTAssertEqual(flaky(failing: 9).retrying(count, backoff: .none).get(1).answer, "Broken.here")
      XCTAssertEqual(attempts.count, 1)
    }
  }

  func testACancelledAttemptIsNotRetried() {  // T57
    let journal = Journal<Int>()
    let fetcher = Fetcher<Int, Int> { key in
      journal.note(key)
      return .cancelled
    }
    XCTAssertEqual(fetcher.retrying(3, backoff: .none).get(1).answer, "cancelled")
    XCTAssertEqual(journal.count, 1)
  }

  func testAMissIsNotRetriedByDefault() {
    let origin = flaky(failing: 2, with: CacheError.notFound)
    XCTAssertEqual(origin.retrying(3, backoff: .none).get(1).answer, "not found")
    XCTAssertEqual(attempts.count, 1)
    XCTAssertEqual(origin.retrying(3, backoff: .none, if: { _ in true }).get(1).answer, "1")
    XCTAssertEqual(attempts.count, 3)
  }

  func testDelaysFollowTheBackoff() {
    let (time, clock) = TimeSource.manual()
    let start = clock.now
    let moments = Journal<Duration>()
    let fetcher = Fetcher<Int, Int> { _ in
      moments.note(start.duration(to: clock.now))
      return Promise(error: Broken.here)
    }
    let get = fetcher.retrying(3, backoff: .exponential(from: .seconds(1)), clock: time).get(1)
    for _ in 0..<20 { clock.advance(by: .milliseconds(500)) }
    XCTAssertEqual(moments.entries, [0, 1, 3, 7].map { .seconds($0) })
    XCTAssertEqual(get.answer, "Broken.here")
  }

  func testCancellingInAnAttemptOrADelayBeginsNoMoreAttempts() {  // T68
    let (time, clock) = TimeSource.manual()
    let origin = ScriptedLevel(0, LevelScript(getFaults: [0: .failure], hasSlowGets: true))
    let cache = origin.cache.retrying(3, backoff: .constant(.seconds(1)), clock: time)
    cache.get(0).cancel()
    XCTAssertEqual(origin.events, ["get 0", "cancel get 0"])
    let get = cache.get(0)
    while origin.settle(0) {}
    XCTAssertEqual(clock.waiting, 1)
    get.cancel()
    XCTAssertEqual(clock.waiting, 0)
    XCTAssertEqual(get.answer, "cancelled")
  }

  func testManyRetriesUseNoStack() {
    let count = Extent.rounds(200_000, full: 10_000_000)
    let (answer, asked) = onSmallStack { () -> (String, Int) in
      let asked = Atomic(0)
      let fetcher = Fetcher<Int, Int> { _ in
        asked.add(1, ordering: .relaxed)
        return Promise(error: Broken.here)
      }
      let answer = fetcher.retrying(count, backoff: .none).get(0).answer
      return (answer, asked.load(ordering: .relaxed))
    }
    XCTAssertEqual(answer, "Broken.here")
    XCTAssertEqual(asked, count + 1)
  }

  func testRetriesAfterLaterAnswersUseNoStack() {
    let answer = onSmallStack {
      let first = Later<Int>()
      let asked = Lock(0)
      let fetcher = Fetcher<Int, Int> { key in
        let count = asked.withLock {
          $0 += 1
          return $0
        }
        return count == 1
          ? first.promise : count > 50_000 ? Promise(key) : Promise(error: Broken.here)
      }
      let get = fetcher.retrying(.max, backoff: .none).get(7)
      first.continuation.fail(Broken.there)
      return get.answer
    }
    XCTAssertEqual(answer, "7")
  }

  func testAFetcherIsRetriedToo() {
    let fetcher = flaky(failing: 1).retrying(1, backoff: .constant(.zero))
    XCTAssertEqual(fetcher.get(3).answer, "3")
    XCTAssertEqual(fetcher.plan.description, "fetcher.retrying(1)")
  }

  func testAHitIsTheLevelsOwnPromise() {
    let cache: Cache<Int, Int> = .memory()
    _ = cache.set(0, 1)
    guard cache.retrying(3, backoff: .none).get(0).isReady else { return XCTFail("pending") }
  }

  func testWaitingAndRetryingGetsAreDrained() {
    let (clock, time) = TimeSource.manual()
    let fails = Lock(true)
    let origin = Fetcher<Int, Int> { key in
      let isFirst = fails.withLock { fails in
        defer { fails = false }
        return fails
      }
      return isFirst
        ? Promise(error: Broken.here) : Promise(key).delayed(by: .seconds(1), clock: clock)
    }
    let cache = origin.retrying(1, backoff: .constant(.seconds(10)), clock: clock)
      .limited(toConcurrentGets: 1)
    let gets = (0..<5).map { cache.get($0) }
    let drained = cache.draining(atMost: .seconds(600))
    time.advance(by: .seconds(12))
    XCTAssertNil(gets[4].outcome)
    XCTAssertNil(drained.outcome)
    for _ in 0..<10 { time.advance(by: .seconds(1)) }
    XCTAssertNotNil(gets[4].outcome)
    XCTAssertNotNil(drained.outcome)
  }
}
