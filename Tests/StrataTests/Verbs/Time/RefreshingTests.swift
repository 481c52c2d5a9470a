import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class RefreshingTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private lazy var stamped: Cache<Int, Stamped<Int>> = .memory(clock: time)
  private let origin = ScriptedLevel(0, LevelScript(contents: [0: 1], hasSlowGets: true))
  private let events = Lock<[String]>([])
  private lazy var cache = stamped.clocked(by: time).refreshing(
    Freshness(
      for: .seconds(60), staleWhileRevalidate: .seconds(30), staleIfError: .seconds(600),
      timeout: .seconds(5), waitingAtMost: .seconds(60)),
    from: origin.cache.fetcher)

  private func warm() {
    let get = cache.get(0)
    origin.settle(0)
    XCTAssertEqual(get.answer, "1")
  }

  func testAStaleValueIsReturnedWhileOneRefreshRuns() {  // T67
    warm()
    clock.advance(by: .seconds(60))
    XCTAssertEqual((0..<100).map { _ in cache.get(0).answer }, Array(repeating: "1", count: 100))
    XCTAssertEqual(origin.events, ["get 0", "get 0"])
    _ = origin.cache.set(0, 2)
    origin.settle(0)
    XCTAssertEqual(cache.get(0).answer, "1")
    XCTAssertEqual(stamped.get(0).outcome?.value?.storedAt, clock.now)
  }

  func testWithATimeoutOfZeroOnlyASynchronousRefreshCounts() {
    for timeout: Duration in [.zero, .seconds(-1)] {
      let freshness = Freshness(for: .seconds(60), timeout: timeout)
      let slow = stamped.clocked(by: time).refreshing(freshness, from: origin.cache.fetcher).get(0)
      clock.advance(by: .zero)
      XCTAssertTrue(slow.answer.contains("timed out"))
      let quick = stamped.clocked(by: time).refreshing(
        freshness, from: Fetcher(offMainThread: false) { _ in 7 }
      ).get(1)
      XCTAssertEqual(quick.answer, "7")
    }
  }

  func testACancelledGetDoesNotStopABackgroundRefresh() {
    warm()
    clock.advance(by: .seconds(60))
    _ = cache.get(0)
    clock.advance(by: .seconds(4))
    _ = stamped.clear()  // The next get joins the in-flight refresh.
    let waiting = cache.get(0)
    waiting.cancel()
    XCTAssertEqual(origin.events, ["get 0", "get 0"])
    origin.settle(0)
    XCTAssertEqual(cache.get(0).answer, "1")
  }

  func testTheLastCancelledWaiterCancelsTheLoad() {
    let gets = [cache.get(0), cache.get(0)]
    for get in gets { get.cancel() }
    XCTAssertEqual(origin.events, ["get 0", "cancel get 0"])
  }

  func testAFailingRefreshIsReportedAndHidesNothing() {  // T67
    let broken = ScriptedLevel(0, LevelScript(getFaults: [0: .failure]))
    let events = events
    let cache = stamped.clocked(by: time).refreshing(
      Freshness(for: .seconds(60), staleWhileRevalidate: .seconds(30), staleIfError: .seconds(600)),
      from: broken.cache.fetcher
    ).observed(clock: time) { event in
      if event.operation == .refresh { events.withLock { $0.append("\(event)") } }
    }
    _ = cache.set(0, 5)
    clock.advance(by: .seconds(60))
    XCTAssertEqual(cache.get(0).answer, "5")
    clock.advance(by: .seconds(30))
    XCTAssertEqual(cache.get(0).answer, "5")
    clock.advance(by: .seconds(570))
    XCTAssertTrue(cache.get(0).answer.hasPrefix("ScriptError"))
    XCTAssertEqual(broken.events, ["get 0", "get 0", "get 0"])
    let reports = events.withLock { $0 }
    XCTAssertEqual(reports.count, 3)
    XCTAssertTrue(reports.allSatisfy { $0.contains("refresh failed: ScriptError") })
  }

  func testAMissOfTheOriginIsNotAnError() {
    let empty = ScriptedLevel(0, LevelScript())
    let cache = stamped.clocked(by: time).refreshing(
      Freshness(for: .zero, staleIfError: .seconds(600)), from: empty.cache.fetcher)
    _ = cache.set(0, 5)
    XCTAssertEqual(cache.get(0).answer, "not found")
  }

  func testARefreshThatFindsNothingRemovesTheValue() {
    warm()
    clock.advance(by: .seconds(60))
    _ = origin.cache.remove(0)
    XCTAssertEqual(cache.get(0).answer, "1")
    origin.settle(0)
    XCTAssertEqual(stamped.get(0).answer, "not found")
    let get = cache.get(0)
    origin.settle(0)
    XCTAssertEqual(get.answer, "not found")
  }

  func testAColdMissRemovesNothing() {
    let (level, empty) = (ScriptedLevel(1, LevelScript()), ScriptedLevel(0, LevelScript()))
    let now = clock.now
    let aged =
      level.cache
      <*> Codec {
        Stamped($0, storedAt: now)
      } encode: {
        $0.value
      }
    let cache = aged.clocked(by: time).refreshing(
      Freshness(for: .seconds(60)), from: empty.cache.fetcher)
    XCTAssertEqual(cache.get(0).answer, "not found")
    XCTAssertFalse(level.events.contains("remove 0"))
  }

  func testAnOriginThatIsNotCalledChangesNothing() {
    let cache = stamped.clocked(by: time).refreshing(
      Freshness(for: .zero, staleWhileRevalidate: .seconds(1), staleIfError: .seconds(600)),
      from: Fetcher(offMainThread: false) { _ in 7 }.conditioned { _ in false })
    _ = cache.set(0, 5)
    for _ in 0..<2 {
      XCTAssertEqual(cache.get(0).answer, "5")
      clock.advance(by: .seconds(1))
    }
  }

  func testAWriteDuringARefreshThatFindsNothingWins() {
    for isRemoved in [false, true] {
      warm()
      clock.advance(by: .seconds(60))
      _ = origin.cache.remove(0)
      _ = cache.get(0)
      _ = cache.set(0, 7)
      if isRemoved { _ = cache.clear() }
      while origin.settle(0) {}
      XCTAssertEqual(stamped.get(0).outcome?.value?.value, isRemoved ? nil : 7)
      _ = origin.cache.set(0, 1)
      _ = cache.clear()
    }
  }

  func testAWriteOnAnotherThreadWinsOverARefreshThatFindsNothing() async throws {
    let cache = stamped.clocked(by: time).refreshing(
      Freshness(for: .zero, staleWhileRevalidate: .seconds(60)),
      from: Fetcher { _ async throws -> Int in throw CacheError.notFound })
    for round in 0..<Extent.rounds(300, full: 10_000) {
      try await stamped.set(Stamped(-1, storedAt: clock.now), for: 0)
      let load = cache.get(0)
      XCTAssertEqual(load.answer, "-1")
      try await cache.set(round, for: 0)
      await Task.yield()
      XCTAssertEqual(stamped.get(0).outcome?.value?.value, round)
    }
  }

  func testALoadThatHangsEndsWithItsTime() {
    warm()
    clock.advance(by: .seconds(90))
    let get = cache.get(0)
    clock.advance(by: .seconds(4))
    XCTAssertEqual(get.answer, "no answer")
    clock.advance(by: .seconds(1))
    XCTAssertEqual(get.answer, "1")
    XCTAssertEqual(origin.events, ["get 0", "get 0", "cancel get 0"])
    _ = stamped.clear()
    let cold = cache.get(0)
    clock.advance(by: .seconds(5))
    XCTAssertTrue(cold.answer.contains("timed out"))
  }

  func testASetAndARemoveDuringARefreshWin() {
    warm()
    clock.advance(by: .seconds(60))
    _ = cache.get(0)
    _ = cache.set(0, 7)
    while origin.settle(0) {}
    XCTAssertEqual(cache.get(0).answer, "7")
    clock.advance(by: .seconds(60))
    _ = cache.get(0)
    _ = cache.remove(0)
    while origin.settle(0) {}
    XCTAssertEqual(stamped.get(0).answer, "not found")
  }

  func testAnAbsentValueIsNotReturnedIfItsRemovalFails() {
    let level = ScriptedLevel(1, LevelScript(contents: [0: 5], writeFaults: [0: .failure]))
    let now = clock.now
    let cache =
      (level.cache
      <*> Codec<Int, Stamped<Int>>(
        decode: { Stamped($0, storedAt: now) }, encode: { $0.value }))
      .clocked(by: time).refreshing(
        Freshness(for: .seconds(60), staleIfError: .seconds(600)),
        from: Fetcher(offMainThread: false) { _ in throw CacheError.notFound })
    clock.advance(by: .seconds(90))
    XCTAssertEqual(cache.get(0).answer, "not found")
    XCTAssertEqual(level.events, ["get 0", "get 0", "remove 0"])
    XCTAssertEqual(level.rest.contents, [0: 5])
  }

  func testASlowOrFailingLevelDoesNotBlockARefresh() {
    let slow = ScriptedLevel(1, LevelScript(hasSlowGets: true))
    let now = clock.now
    let level =
      slow.cache
      <*> Codec<Int, Stamped<Int>>(
        decode: { Stamped($0, storedAt: now) }, encode: { $0.value })
    let cache = level.clocked(by: time).refreshing(
      Freshness(for: .seconds(60)), from: Fetcher(offMainThread: false) { $0 + 8 })
    let get = cache.get(0)
    while slow.settle(0) {}
    XCTAssertEqual(get.answer, "8")
    let again = cache.get(0)
    while slow.settle(0) {}
    XCTAssertEqual(again.answer, "8")
  }

  func testAGetSeesAWriteBeforeAnEarlierBackFillHasSettled() {
    let slow = ScriptedLevel(1, LevelScript(hasSlowWrites: true))
    let now = clock.now
    let level =
      slow.cache
      <*> Codec<Int, Stamped<Int>>(decode: { Stamped($0, storedAt: now) }, encode: { $0.value })
    let cache = level.clocked(by: time).refreshing(
      Freshness(for: .seconds(60)), from: Fetcher(offMainThread: false) { $0 + 8 })
    XCTAssertEqual(cache.get(0).answer, "8")  // The back-fill of the value 8 has not settled.
    _ = cache.set(0, 9)
    let get = cache.get(0)
    let other = cache.get(1)
    XCTAssertEqual([get.answer, other.answer], ["9", "9"])
    XCTAssertEqual(cache.get(2).answer, "10")
    _ = cache.set(2, 7)
    XCTAssertEqual(cache.get(2).answer, "7")
    while slow.settle(0) {}
    XCTAssertEqual([0, 2].map { cache.get($0).answer }, ["9", "7"])
  }

  func testThePlanShowsTheOrigin() {
    XCTAssertEqual("\(cache.plan)", "memory(1000).refreshing(60 s, from: cache)")
  }
}
