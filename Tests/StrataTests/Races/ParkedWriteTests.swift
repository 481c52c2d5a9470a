import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Writes that are parked because another write of their key is calling the levels. The call of a
/// level runs further operations, so no test needs a second thread.
final class ParkedWriteTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private let inside = Lock<(@Sendable () -> Void)?>(nil)
  private let journal = Journal<String>()

  /// A level that runs `inside` during the first call of its `set`.
  private func level(_ answer: Promise<Void> = Promise()) -> Cache<String, Int> {
    let (store, inside, journal) = (Cache<String, Int>.dictionary(), inside, journal)
    return Cache<String, Int>(
      keepsOrder: true, get: store.get,
      set: { key, value in
        journal.note("set \(value)")
        if let run = inside.withLock({ $0.take() }) {
          run()
          return store.set(key, value)
        }
        return answer.flatMap { store.set(key, value) }
      },
      remove: { key in
        journal.note("remove")
        return store.remove(key)
      }, clear: store.clear
    ).clocked(by: time)
  }

  private func during(_ cache: Cache<String, Int>, _ run: @escaping @Sendable () -> Void) {
    inside.withLock { $0 = run }
    XCTAssertEqual(cache.set("a", 1).answer, "()")
  }

  func testAParkedWriteAboveANestedSumExpires() {
    let found = Lock<[String]>([])
    let cache = .memory().clocked(by: time) + (level() + .dictionary()).pooled()
    during(cache) { [clock] in
      let (second, get) = (cache.set("a", 2), cache.get("a"))
      clock.advance(by: .seconds(60))
      found.withLock { $0 = [second.answer, get.outcome == nil ? "waits" : "answered"] }
    }
    XCTAssertTrue(found.withLock { $0[0] }.contains("timed out"), "\(found.withLock { $0 })")
    XCTAssertEqual(found.withLock { $0[1] }, "answered")
  }

  func testTheErrorOfAnExpiredWriteNamesTheLevelWithTheLongestBound() {
    let error = Lock("")
    let long: Cache<String, Int> = .dictionary().named("long").awaitedInSum(atMost: .seconds(30))
    let cache = level().named("short").awaitedInSum(atMost: .seconds(1)) + long
    during(cache) { [clock] in
      let second = cache.set("a", 2)
      clock.advance(by: .seconds(31))
      error.withLock { $0 = second.answer }
    }
    XCTAssertTrue(error.withLock { $0 }.contains("in long,"), error.withLock { $0 })
  }

  func testACancelledParkedWriteExpires() {
    let hasAnswered = Lock(false)
    let cache = .memory().clocked(by: time) + level()
    during(cache) { [clock] in
      cache.set("a", 2).cancel()
      let get = cache.get("a")
      clock.advance(by: .seconds(5))
      hasAnswered.withLock { $0 = get.outcome != nil }
    }
    XCTAssertTrue(hasAnswered.withLock { $0 })
  }

  func testManyExpiredWritesOfAKeyNeedOneRemoval() {
    let cache = .memory().clocked(by: time) + level()
    during(cache) { [clock] in
      for value in 2..<40 { _ = cache.set("a", value) }
      clock.advance(by: .seconds(5))
    }
    XCTAssertEqual(journal.entries, ["set 1", "remove"])
    XCTAssertEqual(cache.get("a").answer, "not found")
  }

  func testAWriteIsRefusedIfTooManyAreParked() {
    let refused = Lock<[String]>([])
    let cache = .memory().clocked(by: time) + level()
    during(cache) {
      let writes = (0..<10_002).map { cache.set("a", $0) }
      refused.withLock { $0 = writes.compactMap { $0.outcome?.error.map { "\($0)" } } }
    }
    XCTAssertEqual(refused.withLock { $0.count }, 2)
    XCTAssertTrue(refused.withLock { $0[0] }.contains("overloaded"))
  }

  func testACallbackMayWaitForAnyParkedWrite() {
    let results = Lock<[String]>([])
    let note = { @Sendable (name: String, write: Promise<Void>) in
      let isDone = (try? write.wait(for: .seconds(5))) != nil
      results.withLock { $0.append("\(name) \(isDone)") }
    }
    let cache = .memory().clocked(by: time) + level()
    during(cache) {
      let second = cache.set("a", 2)
      let get = cache.get("a")
      let third = cache.set("a", 3)
      _ = second.observed { _ in note("second", third) }
      _ = get.observed { _ in note("get", second) }
    }
    XCTAssertEqual(results.withLock { $0.sorted() }, ["get true", "second true"])
    XCTAssertEqual(cache.get("a").answer, "3")
  }

  func testAWriteThatWasParkedHasItsOwnBound() {
    let (later, second) = (Later<Void>(), Lock<Promise<Void>?>(nil))
    let cache = .memory().clocked(by: time) + level(later.promise)
    during(cache) { [clock] in
      second.withLock { $0 = cache.set("a", 2) }
      clock.advance(by: .milliseconds(4_900))
    }
    clock.advance(by: .milliseconds(200))
    XCTAssertEqual(second.withLock { $0?.answer }, "no answer")
    later.continuation.succeed()
    XCTAssertEqual(second.withLock { $0?.answer }, "()")
  }
}
