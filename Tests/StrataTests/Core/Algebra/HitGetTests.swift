import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class HitGetTests: XCTestCase {
  private let calls = Lock(0)

  private var origin: Fetcher<Int, Int> {
    Fetcher(offMainThread: false) { [calls] key in
      calls.withLock { $0 += 1 }
      return 100 * key
    }
  }

  func testAHitPassesThroughEachVerbSynchronously() {
    let storage = MemoryStorage<Int, Int>(capacity: 10)
    let level = Cache.memory(storage)
    _ = level.set(1, 5)
    let statistics = CacheStatistics()
    let verbs: [Cache<Int, Int>] = [
      level.named("a"), level.retrying(3), level.recovering { _, _ in 0 },
      level.timingOut(after: .seconds(1)), level.pooled(), level.conditioned { $0 > 0 },
      level.postProcessed(.identity), level.postProcessed { $1 }, level <*> .identity,
      level.mapValues(decode: { $1 }, encode: { $1 }), level.broadcasting().cache,
      level.observed { _ in }, level.observed(by: statistics), level.limited(toConcurrentGets: 1),
      level + origin, (level + origin).pooled(), (level + origin).retrying(1).pooled().pooled(),
    ]
    for (index, verb) in verbs.enumerated() {
      let answer = verb.get(1)
      XCTAssertTrue(answer.isReady, "\(verb.plan)")
      XCTAssertEqual(answer.answer, "5", "\(verb.plan)")
      XCTAssertEqual(storage.statistics.hits, index + 1, "\(verb.plan)")
    }
    XCTAssertEqual(storage.statistics.misses, 0)
  }

  func testAVerbThatKeepsTheValuesKeepsTheWayOfAHit() {
    let level = Cache<Int, Int>.memory()
    _ = level.set(1, 5)
    for verb in [level <*> .identity, level.postProcessed(.identity)] {
      XCTAssertEqual(verb.metadata.properties.hit?(1).answer, "5", "\(verb.plan)")
      XCTAssertTrue(verb.metadata.conduct.addsNoTime, "\(verb.plan)")
    }
  }

  func testAMissThroughAPoolIsCountedOnce() {
    let storage = MemoryStorage<Int, Int>(capacity: 10)
    let verbs: [(Cache<Int, Int>) -> Cache<Int, Int>] = [
      { $0.pooled() }, { $0.pooled().pooled() },
      { $0.retrying(2).recovering { _, _ in 0 }.pooled() },
      { $0.timingOut(after: .seconds(1)).pooled() }, { $0.named("a").pooled() },
    ]
    for (index, verb) in verbs.enumerated() {
      let cache = verb(.memory(storage) + origin)
      XCTAssertEqual(cache.get(index).answer, "\(100 * index)")
      XCTAssertEqual([storage.statistics.hits, storage.statistics.misses], [index, index + 1])
      XCTAssertEqual(cache.get(index).answer, "\(100 * index)")
      XCTAssertEqual([storage.statistics.hits, storage.statistics.misses], [index + 1, index + 1])
    }
    XCTAssertEqual(calls.withLock { $0 }, verbs.count)
  }

  func testAPoolReturnsWhatIsInMemoryWhileALoadRuns() {
    let (level, load) = (Cache<Int, Int>.memory(), Pending<Int>())
    let pool = (level + Cache { _ in Promise(.pending(load)) }).pooled()
    let waiting = pool.get(1)
    _ = level.set(1, 5)
    XCTAssertEqual([waiting.answer, pool.get(1).answer], ["no answer", "5"])
    load.settle(.success(7))
    XCTAssertEqual(waiting.answer, "7")
  }

  func testAPooledGetSeesTheWritesThatWereCalledBeforeIt() {
    for isSlow in [false, true] {
      let lower = ScriptedLevel(1, LevelScript(hasSlowWrites: isSlow))
      let pool = (.memory() + lower.cache).pooled()
      for value in 1...3 {
        _ = pool.set(0, value)
        XCTAssertEqual(pool.get(0).answer, "\(value)")
      }
      _ = pool.remove(0)
      XCTAssertNotEqual(pool.get(0).answer, "3")
    }
  }

  /// A write that is called while another write of its key calls the levels waits for it. A get that is
  /// called afterwards must see the waiting write, although memory still has an older value.
  func testAPooledGetSeesAWriteThatWaitsForItsTurn() {
    let verbs: [(Cache<Int, Int>) -> Cache<Int, Int>] = [
      { $0 }, { $0.pooled() }, { $0.retrying(1).pooled() }, { [origin] in ($0 + origin).pooled() },
    ]
    for verb in verbs {
      let (cache, get) = (Lock<Cache<Int, Int>?>(nil), Lock<Promise<Int>?>(nil))
      let lower = Cache<Int, Int>(
        get: { _ in .miss },
        set: { key, value in
          guard value == 2, let cache = cache.withLock({ $0 }) else { return Promise() }
          _ = cache.set(key, 3)
          get.withLock { $0 = cache.get(key) }
          return Promise()
        }, remove: { _ in Promise() }, clear: { Promise() })
      let made = verb(.memory() + lower)
      cache.withLock { $0 = made }
      _ = made.set(1, 1)
      _ = made.set(1, 2)
      XCTAssertEqual(get.withLock { $0?.answer }, "3", "\(made.plan)")
      cache.withLock { $0 = nil }
    }
  }

  func testAPoolOfAnUnsettledKeyDoesNotAnswerFromMemory() {
    // A level whose write has failed may have an older value, so a sum skips it.
    let memory = Cache<Int, Int>.memory()
    let broken = memory.transforming("broken") { operations in
      var result = operations
      result.set = { _, _ in Promise(error: CacheError.timedOut()) }
      result.remove = { _ in Promise(error: CacheError.timedOut()) }
      return result
    }
    _ = memory.set(1, 5)
    let pool = (broken + origin).pooled()
    XCTAssertEqual(pool.get(1).answer, "5")
    _ = pool.set(1, 6)
    XCTAssertNotEqual(pool.get(1).answer, "5")
  }

  func testReadModesOfAPoolReadAsTheySay() {
    let storage = MemoryStorage<Int, Int>(capacity: 10)
    let pool = (.memory(storage) + origin).pooled()
    _ = pool.set(1, 5)
    XCTAssertEqual(pool.reloading.get(1).answer, "100")
    XCTAssertEqual(pool.get(1).answer, "100")
    let counts = storage.statistics
    XCTAssertEqual(pool.peeking.get(1).answer, "100")
    XCTAssertEqual(pool.peeking.get(2).answer, "not found")
    XCTAssertEqual(storage.statistics.hits, counts.hits)
    XCTAssertEqual(storage.statistics.misses, counts.misses)
    XCTAssertEqual(pool.stored.get(2).answer, "not found")
  }

  func testAnObservedPoolReportsEachGetOnce() {
    let events = Lock<[String]>([])
    let pool = (.memory().named("memory") + origin).named("sum").pooled()
    let seen = pool.observed { event in
      if event.operation == .get { events.withLock { $0.append("\(event)") } }
    }
    _ = seen.get(1)
    _ = seen.get(1)
    let gets = events.withLock { $0 }.filter { $0.hasPrefix("memory:") }
    XCTAssertEqual(gets.map { $0.contains("hit") }, [false, true])
  }

  func testAnOpenCircuitAndAVerbThatMayRejectHideWhatIsInMemory() {
    let (clock, _) = TimeSource.manual()
    let memory = Cache<Int, Int>.memory()
    _ = memory.set(1, 5)
    let verbs: [Cache<Int, Int>] = [
      memory.conditioned { $0 > 1 }, memory.postProcessed { _, _ in throw CacheError.notFound },
      memory.breakingCircuit(after: .failures(1), retryAfter: .seconds(9), clock: clock),
    ]
    for verb in verbs { XCTAssertNil(verb.metadata.properties.hit, "\(verb.plan)") }
    for verb in verbs.dropLast() { XCTAssertNotEqual(verb.pooled().get(1).answer, "5") }
  }
}
