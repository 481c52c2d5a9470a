import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class ObservedTests: XCTestCase {
  /// Records the reported events, one per line, without their durations.
  private final class Journal: Sendable {
    private let lines = Lock<[String]>([])

    var text: [String] { lines.withLock { $0 } }

    func take(_ event: CacheEvent) {
      let key = event.key.map { " \($0)" } ?? ""
      let end = event.description.split(separator: ": ", maxSplits: 1)[1]
      let line = "\(event.stage)\(key): " + end.split(separator: " in ")[0]
      lines.withLock { $0.append(line) }
    }
  }

  private let journal = Journal()
  private let (time, _) = TimeSource.manual()

  func testHitsMissesAndBackFillsAreReportedWithTheirStages() {
    let cache =
      (Cache<Int, Int>.memory().named("memory")
      + Cache<Int, Int>.memory().named("disk")
      + Fetcher(offMainThread: false) { $0 * 2 }.named("network"))
      .named("all").observed(journal.take)
    XCTAssertEqual([cache.get(1).answer, cache.get(1).answer], ["2", "2"])
    XCTAssertEqual(
      journal.text,
      [
        "memory 1: get miss", "disk 1: get miss", "network 1: get hit", "memory 1: set done",
        "all 1: backFill done", "disk 1: set done", "all 1: backFill done", "all 1: get hit",
        "memory 1: get hit", "all 1: get hit",
      ])
  }

  func testWritesAndWarningsAreReported() {
    let cache = Cache<Int, Int>.memory().named("memory").observed(journal.take)
    _ = cache.set(0, 1)
    _ = cache.remove(0)
    _ = cache.clear()
    cache.memoryWarning()
    XCTAssertEqual(
      journal.text,
      [
        "memory 0: set done", "memory 0: remove done", "memory: clear done",
        "memory: memoryWarning done",
      ])
  }

  func testAFailingBackFillIsReportedAndTheGetIsAHit() {
    let upper = ScriptedLevel(0, LevelScript(writeFaults: [0: .failure]))
    let cache = (upper.cache + Fetcher(offMainThread: false) { $0 + 5 }).named("sum").observed(
      journal.take)
    XCTAssertEqual(cache.get(0).answer, "5")
    let error = ScriptError(level: 0, key: 0, isMiss: false)
    XCTAssertEqual(journal.text, ["sum 0: backFill failed: \(error)", "sum 0: get hit"])
  }

  func testAnEvictionIsReportedWithItsKey() {
    let cache = Cache<Int, Int>.memory(capacity: 1, onMemoryWarning: .trim(to: 0))
      .named("memory").observed(journal.take)
    _ = cache.set(1, 1)
    _ = cache.set(2, 2)
    cache.memoryWarning()
    XCTAssertEqual(
      journal.text,
      [
        "memory 1: set done", "memory 1: eviction done", "memory 2: set done",
        "memory 2: eviction done", "memory: memoryWarning done",
      ])
  }

  func testAnExpiredEntryIsReportedWhenItIsEvicted() {
    let (time, clock) = TimeSource.manual()
    let events = Lock<[String]>([])
    for level: Cache<Int, Stamped<String>> in [
      .memory(clock: time), .memory(expiringAfterAccess: .seconds(5), clock: time),
    ] {
      let cache = level.named("memory").observed { event in
        guard event.operation == .eviction else { return }
        let key = event.key.map { "\($0)" } ?? ""
        events.withLock {
          $0.append("\(key) \(event.cause.map { "\($0)" } ?? "") \(event.bytes ?? -1)")
        }
      }
      let stamp = { Stamped("four", storedAt: clock.now, lasting: .seconds(5)) }
      for key in 0..<20 { _ = cache.set(key, stamp()) }
      clock.advance(by: .seconds(6))
      XCTAssertEqual(events.withLock { $0 }, [])
      for key in 20..<22 { _ = cache.set(key, stamp()) }
      XCTAssertEqual(
        events.withLock { $0.sorted() }, (0..<20).map { "\($0) expired 4" }.sorted())
      events.withLock { $0 = [] }
    }
  }

  func testFailuresAndCancellationsAreSeparateFromMisses() {
    let level = ScriptedLevel(
      0,
      LevelScript(getFaults: [0: .failure, 1: .miss, 2: .cancellation], hasSlowGets: true))
    let cache = level.cache.named("level").observed(journal.take)
    for key in 0..<4 { _ = cache.get(key) }
    cache.get(4).cancel()
    while level.settle(0) {}
    let error = ScriptError(level: 0, key: 0, isMiss: false)
    XCTAssertEqual(
      journal.text,
      [
        "level 4: get cancelled", "level 0: get failed: \(error)", "level 1: get miss",
        "level 2: get cancelled", "level 3: get miss",
      ])
  }

  func testAnUnnamedCacheIsReportedUnderItsPlan() {
    let cache = Cache<Int, Int>.memory().observed(journal.take)
    _ = cache.get(0)
    XCTAssertEqual(journal.text, ["memory(1000) 0: get miss"])
  }

  func testAStageIsSeenThroughMapsAndPools() {
    let inner = Cache<Int, Int>.memory().named("memory")
    let cache = ({ (key: String) in key.count } <^> inner <*> .shifted).pooled()
      .named("pooled").observed(journal.take)
    _ = cache.set("abc", 12)
    XCTAssertEqual(cache.get("abc").answer, "12")
    XCTAssertEqual(
      journal.text,
      ["memory 3: set done", "pooled abc: set done", "memory 3: get hit", "pooled abc: get hit"])
  }

  func testAnOuterObserverReceivesTheEventsOfAnInnerOne() {
    let outer = Journal()
    let inner = Cache<Int, Int>.memory().named("near").observed(journal.take)
    let cache = (inner + Fetcher(offMainThread: false) { $0 }.named("far")).named("sum").observed(
      outer.take)
    _ = cache.get(1)
    XCTAssertEqual(journal.text, ["near 1: get miss", "near 1: set done"])
    XCTAssertEqual(
      outer.text,
      [
        "near 1: get miss", "far 1: get hit", "near 1: set done", "sum 1: backFill done",
        "sum 1: get hit",
      ])
  }

  func testTheObservedAndTheUnobservedCacheAreOneCache() {
    let level = ScriptedLevel(0, LevelScript(contents: [0: 1], hasSlowGets: true))
    let pooled = level.cache.named("level").pooled()
    let observed = pooled.observed(journal.take)
    let gets = [pooled.get(0), observed.get(0)]
    level.settle(0)
    XCTAssertEqual(gets.map(\.answer), ["1", "1"])
    XCTAssertEqual(level.events, ["get 0"])
  }

  func testDurationsComeFromTheTimeSource() {
    let (time, clock) = TimeSource.manual()
    let durations = Lock<[Duration?]>([])
    let level = ScriptedLevel(0, LevelScript(hasSlowGets: true))
    let cache = level.cache.observed(clock: time) { event in
      durations.withLock { $0.append(event.duration) }
    }
    _ = cache.get(0)
    clock.advance(by: .milliseconds(25))
    level.settle(0)
    XCTAssertEqual(durations.withLock { $0 }, [.milliseconds(25)])
  }

  func testAnImmediateAnswerIsMeasuredOnRequestOnly() {
    let reads = Lock(0)
    let time = TimeSource(
      now: {
        .init(
          milliseconds: Int64(
            reads.withLock { reads in
              reads += 1
              return reads
            }))
      }, after: TimeSource.system.after)
    let durations = Lock<[Duration?]>([])
    for measures in [false, true] {
      reads.withLock { $0 = 0 }
      let cache = Cache<Int, Int>.dictionary([1: 1]).named("memory")
        .observed(clock: time, measuringHits: measures) { event in
          durations.withLock { $0.append(event.duration) }
        }
      for key in [1, 2] { _ = cache.get(key) }
      XCTAssertEqual(reads.withLock { $0 }, measures ? 4 : 0)
    }
    XCTAssertEqual(
      durations.withLock { $0 }, [nil, nil, .milliseconds(1), .milliseconds(1)])
  }

  func testTheAnswersOfAnOriginAreMeasured() {
    let durations = Lock<[Duration?]>([])
    let origin = Fetcher<Int, Int>(offMainThread: false) { $0 }.named("origin").observed(
      clock: time
    ) { event in
      durations.withLock { $0.append(event.duration) }
    }
    _ = origin.get(1)
    XCTAssertEqual(durations.withLock { $0 }, [.zero])
  }

  func testStatisticsAndAListenerSeeTheSameOperations() throws {
    let (inner, outer) = (CacheStatistics(), CacheStatistics())
    let cache = Cache<Int, String>.dictionary([1: "four"]).named("memory")
      .observed(by: inner.observer).observed(journal.take).observed(by: outer.observer)
    for _ in 0..<200 { _ = cache.get(1) }
    _ = cache.get(2)
    XCTAssertEqual(journal.text.filter { $0.hasPrefix("memory ") }.count, 201)
    for statistics in [inner, outer] {
      let stage = try XCTUnwrap(statistics.snapshot["memory"])
      XCTAssertEqual([stage.hits, stage.misses, stage.bytesRead], [200, 1, 800])
      XCTAssertEqual(stage.latency.count, 201)
    }
  }

  func testAFetcherIsObservedToo() {
    let fetcher = Fetcher<Int, Int>(offMainThread: false) { $0 }.named("origin").observed(
      journal.take)
    _ = fetcher.get(3)
    XCTAssertEqual(journal.text, ["origin 3: get hit"])
  }
}
