import StrataLaws
import XCTest

@testable import Strata

final class TimingOutTests: XCTestCase {
  private let source = ScriptedLevel(0, LevelScript(contents: [0: 5], hasSlowGets: true))
  private let late = Promise<Int>(error: CacheError.timedOut).answer

  func testAGetWithoutAnAnswerInTimeFailsAndIsStopped() {  // T57
    let (time, clock) = TimeSource.manual()
    let get = source.cache.timingOut(after: .seconds(5), on: time).get(0)
    clock.advance(by: .milliseconds(4_999))
    XCTAssertEqual(get.answer, "no answer")
    clock.advance(by: .milliseconds(1))
    XCTAssertEqual(get.answer, late)
    XCTAssertEqual(source.events, ["get 0", "cancel get 0"])
  }

  func testAnAnswerInTimePassesAndCallsTheTimerOff() {  // T57
    let (time, clock) = TimeSource.manual()
    let get = source.cache.timingOut(after: .seconds(5), on: time).get(0)
    source.settle(0)
    XCTAssertEqual(get.answer, "5")
    XCTAssertEqual(clock.waiting, 0)
  }

  func testWhatIsThereAtOnceStartsNoTimer() {
    let (time, clock) = TimeSource.manual()
    let level = ScriptedLevel(0, LevelScript(contents: [0: 5]))
    let cache = level.cache.timingOut(after: .zero, on: time)
    XCTAssertEqual([cache.get(0).answer, cache.get(1).answer], ["5", "not found"])
    XCTAssertEqual(clock.waiting, 0)
  }

  func testInASumTheLevelBeneathAnswersThen() {
    let (time, clock) = TimeSource.manual()
    let get = (source.cache.timingOut(after: .seconds(5), on: time) + Fetcher { _ in 9 }).get(0)
    clock.advance(by: .seconds(5))
    XCTAssertEqual(get.answer, "9")
  }

  func testThoseWhoShareALoadHaveEachTheirTime() {
    let (time, clock) = TimeSource.manual()
    let cache = source.cache.pooled().timingOut(after: .seconds(5), on: time)
    let first = cache.get(0)
    clock.advance(by: .seconds(3))
    let second = cache.get(0)
    clock.advance(by: .seconds(2))
    XCTAssertEqual([first.answer, second.answer], [late, "no answer"])
    source.settle(0)
    XCTAssertEqual(second.answer, "5")
    XCTAssertEqual(source.events, ["get 0"])
  }

  func testALoadThatWaitsForItselfIsBounded() {
    let (time, clock) = TimeSource.manual()
    let own = Lock<Cache<Int, Int>?>(nil)
    let cache = Fetcher<Int, Int> { key in own.withLock { $0 }!.get(key) }.pooled().cache
      .timingOut(after: .seconds(5), on: time)
    own.withLock { $0 = cache }
    let get = cache.get(0)
    clock.advance(by: .seconds(5))
    XCTAssertEqual(get.answer, late)
  }

  func testCancellingStopsTheLoadAndTheTimer() {  // T68
    let (time, clock) = TimeSource.manual()
    source.cache.timingOut(after: .seconds(5), on: time).get(0).cancel()
    XCTAssertEqual(source.events, ["get 0", "cancel get 0"])
    XCTAssertEqual(clock.waiting, 0)
  }

  func testAFetcherTimesOutToo() {
    let (time, clock) = TimeSource.manual()
    let fetcher = source.cache.fetcher.timingOut(after: .seconds(5), on: time)
    let get = fetcher.get(0)
    clock.advance(by: .seconds(5))
    XCTAssertEqual(get.answer, late)
    XCTAssertEqual(fetcher.plan.description, "cache.timingOut(after: 5 s)")
  }
}
