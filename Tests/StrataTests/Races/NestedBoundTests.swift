import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Bounds belong to levels, wherever the levels stand: a sum under verbs behaves like a flat sum.
final class NestedBoundTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private let forever = Forever()

  private var hung: Cache<String, Int> { forever.level(time) }

  private var store: Cache<String, Int> {
    let store = Cache<String, Int>.dictionary()
    _ = store.set("a", 7)
    return store
  }

  private let wraps: [(name: String, Cache<String, Int>.Wrap)] = [
    ("nothing", { $0 }), ("named", { $0.named("x") }), ("observed", { $0.observed { _ in } }),
    ("retrying", { $0.retrying(0) }), ("pooled", { $0.pooled() }),
    ("conditioned", { $0.conditioned { _ in true } }),
    ("rememberingMisses", { $0.rememberingMisses(for: .seconds(1)) }),
    ("recovering", { $0.recovering { _, error in throw error } }),
    ("identity", { $0 <*> .identity }), ("keys", { ({ (key: String) in key }) <^> $0 }),
    ("limited", { $0.limited(toConcurrentGets: 9) }),
    ("transforming", { $0.transforming("own") { $0 } }),
  ]

  func testAHungLevelInANestedSumDelaysAGetByItsOwnBound() {
    for (name, wrap) in wraps {
      let cache = .memory().clocked(by: time) + wrap(hung + store)
      let get = cache.get("a")
      clock.advance(by: .seconds(5))
      XCTAssertEqual(get.answer, "7", name)
    }
  }

  func testABoundOfALevelHoldsInANestedSum() {
    for (name, wrap) in wraps where name != "transforming" {
      let slow = Cache<String, Int>(
        get: { _ in .miss },
        set: { [time] _, _ in Promise(()).delayed(by: .seconds(20), clock: time) }
      ).clocked(by: time).awaitedInSum(atMost: .seconds(30))
      let cache =
        .memory().clocked(by: time) + wrap(slow + Fetcher(offMainThread: false) { _ in 1 })
      let write = cache.set("a", 3)
      clock.advance(by: .seconds(19))
      XCTAssertEqual(write.answer, "no answer", name)
      clock.advance(by: .seconds(1))
      XCTAssertEqual(write.answer, "()", name)
    }
  }

  func testMemoryBesideAHungLevelIsFilled() {
    for (name, wrap) in wraps {
      let calls = Lock(0)
      let network = Fetcher<String, Int>(offMainThread: false) { _ in
        calls.withLock { $0 += 1 }
        return 1
      }
      let cache = wrap(.memory().clocked(by: time) + hung) + network
      let first = cache.get("a")
      while first.outcome == nil { clock.advance(by: .seconds(1)) }
      XCTAssertEqual(first.answer, "1", name)
      XCTAssertEqual(cache.get("a").answer, "1", name)
      XCTAssertEqual(calls.withLock { $0 }, 1, name)
    }
  }

  func testALateWriteOfAnotherKeyDoesNotDiscardAValue() {
    let forever = forever
    let gets = Lock<[Promise<Int>.Continuation]>([])
    let level = Cache<String, Int>(
      keepsOrder: true,
      get: { _ in Promise { continuation in gets.withLock { $0.append(continuation) } } },
      set: { _, _ in forever.never() }
    ).clocked(by: time)
    let cache = level + Fetcher(offMainThread: false) { _ in 1 }
    _ = cache.set("b", 2)
    clock.advance(by: .milliseconds(4_999))
    let get = cache.get("a")
    clock.advance(by: .milliseconds(1))
    gets.withLock { $0[0] }.succeed(9)
    XCTAssertEqual(get.answer, "9")
  }

  func testAFailedWriteHidesTheOlderValue() {
    let isBroken = Lock(true)
    let old = Cache<String, Int>.dictionary()
    _ = old.set("a", 1)
    let level = Cache<String, Int>(
      get: { try old.get($0).wait() },
      set: { key, value in
        if isBroken.withLock({ $0 }) { throw CacheError.abandoned }
        _ = old.set(key, value)
      },
      remove: { key in
        if isBroken.withLock({ $0 }) { throw CacheError.abandoned }
        _ = old.remove(key)
      })
    let cache =
      Cache<String, Int>.memory(capacity: 0) + level + Fetcher(offMainThread: false) { _ in 3 }
    XCTAssertTrue(cache.set("a", 2).answer.contains("abandoned"))
    XCTAssertEqual(cache.get("a").answer, "3", "The level holds 1, so it is skipped.")
    isBroken.withLock { $0 = false }
    XCTAssertEqual(cache.get("a").answer, "3", "The get removes the old value first.")
    XCTAssertEqual(old.get("a").answer, "3")
  }

  func testAClearCallsEveryLevelBeforeAnyCallback() {
    let (upper, lower) = (Cache<String, Int>.dictionary(), Cache<String, Int>.dictionary())
    let cache = upper + lower
    _ = cache.set("a", 1)
    var seen: [String] = []
    cache.clear().onSuccess { _ in
      XCTAssertEqual([upper.get("a").answer, lower.get("a").answer], ["not found", "not found"])
    }
    seen.append(cache.get("a").answer)
    XCTAssertEqual(seen, ["not found"])
  }

  func testARefreshedLevelThatHangsIsNotWaitedForForever() {
    let forever = forever
    let hung = Cache<String, Stamped<Int>>(
      get: { _ in forever.never() }, set: { _, _ in forever.never() }
    ).clocked(by: time)
    let cache = hung.refreshing(
      Freshness(for: .seconds(60)), from: Fetcher(offMainThread: false) { _ in 4 })
    let get = cache.get("a")
    for _ in 0..<3 { clock.advance(by: .seconds(5)) }
    XCTAssertEqual(get.answer, "4")
  }

  func testAHangingEncodingDelaysOnlyTheGetsUntilItIsLate() {
    let forever = forever
    let codec = Codec<Int, Int>(decode: { Promise($0) }, encode: { _ in forever.never() })
    let inner: Cache<String, Int> = (.memory() + .memory()).clocked(by: time) <*> codec
    let cache = inner + Cache.dictionary()
    _ = cache.set("a", 1)
    clock.advance(by: .seconds(10))
    XCTAssertEqual(cache.get("a").answer, "1")
    XCTAssertEqual(cache.get("a").answer, "1")
  }

  func testOnePooledLoadBackFillsALevelOnce() {
    let (sets, loads) = (Lock(0), Lock<[Promise<Int>.Continuation]>([]))
    let upper = Cache<String, Int>(
      get: { _ in throw CacheError.notFound }, set: { _, _ in sets.withLock { $0 += 1 } })
    let origin = Fetcher<String, Int> { _ in
      Promise { continuation in loads.withLock { $0.append(continuation) } }
    }
    let cache = upper + origin.pooled()
    let gets = (0..<10).map { _ in cache.get("a") }
    XCTAssertEqual(loads.withLock { $0.count }, 1)
    loads.withLock { $0[0] }.succeed(5)
    XCTAssertEqual(gets.map(\.answer), Array(repeating: "5", count: 10))
    XCTAssertEqual(sets.withLock { $0 }, 1)
  }

  func testATimeLimitBelowAVerbKeepsTheBoundOfTheSum() {
    let limits: [(name: String, Cache<String, Int>.Wrap)] = [
      ("timingOut", { $0.timingOut(after: .seconds(60)) }),
      ("circuit", { $0.breakingCircuit(after: .failures(9), retryAfter: .seconds(1)) }),
    ]
    for (limit, limited) in limits {
      for (name, wrap) in wraps {
        let text = "\(limit) \(name)"
        let cache = wrap(limited(hung)) + store
        let late = "timed out"
        let get = cache.get("a")
        clock.advance(by: .seconds(5))
        XCTAssertEqual(get.answer, "7", text)
        let write = cache.set("a", 8)
        clock.advance(by: .seconds(5))
        XCTAssertTrue(write.answer.contains(late), "\(text): \(write.answer)")
        let short = wrap(limited(hung).awaitedInSum(atMost: .seconds(1))) + store
        let early = (short.get("a"), short.set("a", 8))
        clock.advance(by: .seconds(1))
        XCTAssertEqual(early.0.answer, "8", text)
        XCTAssertTrue(early.1.answer.contains(late), "\(text): \(early.1.answer)")
      }
    }
  }

  func testTheLastBoundOfASumBelowVerbsWins() {
    for (name, wrap) in wraps {
      let inner = wrap(hung + store).awaitedInSum(atMost: .seconds(3))
      let cache = (inner + .memory()).awaitedInSum(atMost: .seconds(9))
      let get = cache.get("a")
      clock.advance(by: .seconds(8))
      XCTAssertEqual(get.answer, "no answer", name)
      clock.advance(by: .seconds(1))
      XCTAssertEqual(get.answer, "7", name)
    }
  }

  func testASumShowsTheQueueOfALevelThatDoesNotKeepOrder() {
    let plain = Cache<String, Int>(get: { _ in Promise(1) }, set: { _, _ in Promise() })
    let ordered = Cache<String, Int>(
      keepsOrder: true, get: { _ in Promise(1) }, set: { _, _ in Promise() })
    XCTAssertEqual((plain + ordered).plan.description, "cache.ordered() + cache")
    XCTAssertEqual(plain.plan.description, "cache")
  }
}

extension Cache {
  fileprivate typealias Wrap = @Sendable (Cache) -> Cache
}
