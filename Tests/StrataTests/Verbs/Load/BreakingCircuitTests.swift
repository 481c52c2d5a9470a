import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class BreakingCircuitTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private let calls = Journal<Int>()
  private let isBroken = Lock(true)
  private let broken = ScriptError(level: 0, key: nil, isMiss: false)

  private var origin: Fetcher<Int, Int> {
    Fetcher(offMainThread: false) { [calls, isBroken, broken] key in
      calls.note(key)
      if isBroken.withLock({ $0 }) { throw broken }
      if key < 0 { throw CacheError.notFound }
      return key
    }
  }

  private func cache(_ limit: CircuitLimit = .failures(3)) -> Fetcher<Int, Int> {
    origin.breakingCircuit(after: limit, retryAfter: .seconds(30), clock: time)
  }

  private func open(_ cache: Fetcher<Int, Int>) {
    for key in 0..<3 { XCTAssertTrue(cache.get(key).answer.hasPrefix("ScriptError")) }
  }

  func testItOpensAfterFailuresAndNamesTheStageAndTheTimeOfTheNextAttempt() {
    let cache = cache()
    open(cache)
    XCTAssertEqual(
      cache.get(3).outcome?.error as? CacheError,
      .circuitOpen(stage: "fetcher", until: time.now().advanced(by: .seconds(30))))
    XCTAssertEqual(calls.entries, [0, 1, 2])
  }

  func testOneProbeGoesThroughAndItsSuccessCloses() {
    let cache = cache()
    open(cache)
    clock.advance(by: .seconds(30))
    isBroken.withLock { $0 = false }
    XCTAssertEqual([cache.get(4).answer, cache.get(5).answer], ["4", "5"])
  }

  func testAFailedProbeOpensAgain() {
    let cache = cache()
    open(cache)
    clock.advance(by: .seconds(30))
    _ = [cache.get(4), cache.get(5)]
    XCTAssertEqual(calls.entries, [0, 1, 2, 4])
    clock.advance(by: .seconds(29))
    _ = cache.get(6)
    XCTAssertEqual(calls.entries, [0, 1, 2, 4])
  }

  func testARefusedCallIsNeitherASuccessNorAFailure() {
    let skipped = origin.conditioned { $0 < 100 }
      .breakingCircuit(after: .failures(3), retryAfter: .seconds(30), clock: time)
    for key in [0, 100, 1, 101, 2, 102] { _ = skipped.get(key) }
    XCTAssertEqual(calls.entries, [0, 1, 2])
    XCTAssertTrue(skipped.get(3).answer.contains("circuit open"))
    clock.advance(by: .seconds(30))
    XCTAssertTrue(skipped.get(103).answer.contains("condition not satisfied"))
    XCTAssertTrue(skipped.get(4).answer.hasPrefix("ScriptError"), "A skipped key is no probe.")
    XCTAssertTrue(skipped.get(5).answer.contains("circuit open"))
  }

  func testAFullQueueAndAnotherOpenCircuitDoNotOpenTheCircuit() {
    let hung = ScriptedLevel(0, LevelScript(hasSlowGets: true)).cache.fetcher
    let limited = hung.limited(toConcurrentGets: 1, queue: 0)
      .breakingCircuit(after: .failures(2), retryAfter: .seconds(30), clock: time)
    let first = limited.get(0)
    for key in 1..<5 { XCTAssertTrue(limited.get(key).answer.contains("overloaded")) }
    first.cancel()
    let inner = cache(.failures(1))
    let outer = inner.breakingCircuit(after: .failures(2), retryAfter: .seconds(3600), clock: time)
    for key in 0..<5 { _ = outer.get(key) }
    isBroken.withLock { $0 = false }
    clock.advance(by: .seconds(30))
    XCTAssertEqual(outer.get(5).answer, "5")
  }

  func testNoNumberInALimitTraps() {
    for fraction in [Double.nan, .infinity, -.infinity, 1e300, -1, 0, 1] {
      for window in [Duration.seconds(Int64.max) * 10, .zero, .seconds(Int64.min) * 10] {
        for calls in [Int.min, 0, 1, Int.max] {
          let guarded = cache(.rate(fraction, of: calls, within: window))
          for key in 0..<3 { _ = guarded.get(key) }
          XCTAssertFalse("\(guarded.plan)".contains("nan"))
          XCTAssertFalse("\(guarded.plan)".contains("inf"))
        }
      }
    }
    XCTAssertEqual(CircuitLimit.rate(.nan), .rate(1))
  }

  func testOneProbeRunsAtATimeAndAHungOneIsReplacedAfterTheDelay() {
    let circuit = Circuit(.failures(1), .seconds(30), time)
    guard case .closed = circuit.enter() else { return XCTFail("The circuit should be closed.") }
    XCTAssertNotNil(circuit.leave(.closed(generation: 0), true))
    clock.advance(by: .seconds(30))
    guard case .probe(let first) = circuit.enter() else { return XCTFail("A probe should begin.") }
    guard case .refused = circuit.enter() else { return XCTFail("Only one probe should run.") }
    clock.advance(by: .seconds(30))
    guard case .probe(let second) = circuit.enter() else {
      return XCTFail("A hanging probe should be replaced.")
    }
    XCTAssertNil(
      circuit.leave(.probe(generation: first), false), "A late outcome should not count.")
    XCTAssertNil(circuit.leave(.probe(generation: second), nil))
    guard case .probe = circuit.enter() else { return XCTFail("Another probe should begin.") }
  }

  func testAMissIsNoFailureAndASuccessResetsTheCount() {
    isBroken.withLock { $0 = false }
    let cache = cache()
    for _ in 0..<10 { XCTAssertEqual(cache.get(-1).answer, "not found") }
    for _ in 0..<3 {
      isBroken.withLock { $0 = true }
      _ = [cache.get(1), cache.get(1)]
      isBroken.withLock { $0 = false }
      XCTAssertEqual(cache.get(1).answer, "1")
    }
  }

  func testARateOfFailuresInAWindowOpens() {
    let cache = cache(.rate(0.5, of: 4, within: .seconds(10)))
    _ = [cache.get(0), cache.get(0)]
    clock.advance(by: .seconds(10))  // The failures no longer count.
    isBroken.withLock { $0 = false }
    _ = [cache.get(1), cache.get(1)]
    isBroken.withLock { $0 = true }
    _ = [cache.get(2), cache.get(2), cache.get(3)]
    XCTAssertEqual(calls.entries, [0, 0, 1, 1, 2, 2])
  }

  func testOnlyFailuresCountTowardARate() {
    let cache = cache(.rate(0.5, of: 4, within: .seconds(10)))
    isBroken.withLock { $0 = false }
    for key in 0..<3 { XCTAssertEqual(cache.get(key).answer, "\(key)") }
    isBroken.withLock { $0 = true }
    for key in 3..<8 { _ = cache.get(key) }
    XCTAssertEqual(calls.entries, [0, 1, 2, 3, 4, 5], "Three failures of six calls open it.")
  }

  func testInASumAnOpenLevelIsNeitherCalledNorFilled() {
    let level = ScriptedLevel(0, LevelScript(getFaults: [0: .failure]))
    let cache =
      level.cache.breakingCircuit(after: .failures(1), retryAfter: .seconds(30), clock: time)
      + Fetcher(offMainThread: false) { $0 + 9 }
    XCTAssertEqual([0, 0, 1].map { cache.get($0).answer }, ["9", "9", "10"])
    XCTAssertEqual(level.events, ["get 0"])
  }

  func testAStaleValueIsReturnedImmediately() {
    isBroken.withLock { $0 = false }
    let news = Cache<Int, Stamped<Int>>.dictionary().clocked(by: time).refreshing(
      Freshness(for: .seconds(1), staleIfError: .seconds(3_600)), from: cache(.failures(1)))
    XCTAssertEqual(news.get(7).answer, "7")
    clock.advance(by: .seconds(2))
    isBroken.withLock { $0 = true }
    XCTAssertEqual([news.get(7).answer, news.get(7).answer], ["7", "7"])
    XCTAssertEqual(calls.entries, [7, 7])
  }

  func testAKeyWhoseWriteWasRefusedIsRemovedBeforeItIsReadAgain() {
    let level = ScriptedLevel(0, LevelScript(contents: [1: 5, 2: 6], getFaults: [0: .failure]))
    let cache = level.cache.breakingCircuit(
      after: .failures(1), retryAfter: .seconds(30), clock: time)
    _ = cache.get(0)
    XCTAssertTrue(cache.set(1, 7).answer.contains("circuit open"))
    clock.advance(by: .seconds(30))
    XCTAssertEqual([2, 1, 1].map { cache.get($0).answer }, ["6", "not found", "not found"])
    XCTAssertEqual(level.events, ["get 0", "get 2", "remove 1", "get 1"])
    _ = cache.get(0)
    _ = cache.clear()
    clock.advance(by: .seconds(30))
    XCTAssertEqual(cache.get(2).answer, "not found")
    XCTAssertEqual(level.rest.contents, [:])
  }

  func testAClearThatSucceedsMakesEarlierRemovalsUnnecessary() {
    let level = ScriptedLevel(0, LevelScript(contents: [1: 5], getFaults: [0: .failure]))
    let cache = level.cache.breakingCircuit(
      after: .failures(1), retryAfter: .seconds(30), clock: time)
    _ = cache.get(0)
    XCTAssertTrue(cache.set(1, 7).answer.contains("circuit open"))
    clock.advance(by: .seconds(30))
    XCTAssertEqual(cache.clear().answer, "()")
    XCTAssertEqual(cache.get(1).answer, "not found")
    XCTAssertEqual(level.events, ["get 0", "clear", "get 1"])
    _ = cache.get(0)
    XCTAssertTrue(cache.clear().answer.contains("circuit open"))
    clock.advance(by: .seconds(30))
    XCTAssertEqual([cache.clear().answer, cache.set(1, 9).answer], ["()", "()"])
    XCTAssertEqual(cache.get(1).answer, "9")
  }

  func testTheLevelIsClearedAfterRefusedWritesToMoreThanTenThousandKeys() {
    let level = ScriptedLevel(0, LevelScript(contents: [5: 5, -5: 6], getFaults: [0: .failure]))
    let cache = level.cache.breakingCircuit(
      after: .failures(1), retryAfter: .seconds(30), clock: time)
    _ = cache.get(0)
    for key in 1...10_000 { _ = cache.set(key, 7) }
    clock.advance(by: .seconds(30))
    XCTAssertEqual(cache.get(-5).answer, "6")
    _ = cache.get(0)
    for key in 1...10_001 { _ = cache.set(key, 7) }
    clock.advance(by: .seconds(30))
    XCTAssertEqual(cache.get(-5).answer, "not found")
    XCTAssertEqual(level.events.last { $0 == "clear" }, "clear")
  }

  func testEventsAndStatisticsShowTheState() {
    let statistics = CacheStatistics()
    let cache = cache().named("origin")
      .observed(by: statistics.observer)
    open(cache)
    XCTAssertEqual(statistics.snapshot["origin"]?.circuitOpenings, 1)
    XCTAssertEqual(statistics.snapshot["origin"]?.isCircuitOpen, true)
    clock.advance(by: .seconds(30))
    isBroken.withLock { $0 = false }
    _ = cache.get(1)
    XCTAssertEqual(statistics.snapshot["origin"]?.isCircuitOpen, false)
  }

  func testAFetcherHasACircuitToo() {
    XCTAssertEqual(
      cache().plan.description, "fetcher.breakingCircuit(after: 3, retryAfter: 30 s)")
    XCTAssertEqual(
      cache(.rate(0.5)).plan.description,
      "fetcher.breakingCircuit(after: 0.5, of: 20, within: 60 s, retryAfter: 30 s)")
  }

  func testAPeekDoesNotOpenACircuit() {
    let store = Cache<Int, Int>(
      keepsOrder: true, get: { _ in Promise(error: Broken.here) }, set: { _, _ in Promise() }
    ).breakingCircuit(after: .failures(1), retryAfter: .seconds(60))
    _ = store.peeking.get(1)
    XCTAssertEqual(store.get(1).answer, "Broken.here")
  }
}
