import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// After a write has failed or is late, no get returns an older value, and no newer value is lost.
final class HiddenKeyTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private let memory = Cache<String, Int>.dictionary()

  private typealias Wrap = @Sendable (Cache<String, Int>) -> Cache<String, Int>

  /// A level with old values whose `set` fails.
  private func failing() -> Cache<String, Int> {
    let store = Cache<String, Int>.dictionary()
    _ = store.set("a", 1)
    return Cache<String, Int>(
      keepsOrder: true, get: store.get, set: { _, _ in Promise(error: Broken.here) },
      remove: store.remove, clear: store.clear
    ).clocked(by: time)
  }

  func testAFailureInTimeBelowAVerbOfOneLevelHidesTheKey() {
    let verbs: [(String, Wrap)] = [
      ("timingOut", { $0.timingOut(after: .seconds(1)) }),
      ("circuit", { $0.breakingCircuit(after: .failures(9), retryAfter: .seconds(1)) }),
      (
        "both",
        {
          $0.timingOut(after: .seconds(1))
            .breakingCircuit(after: .failures(9), retryAfter: .seconds(1))
        }
      ),
    ]
    let wraps: [Wrap] = [
      { $0 }, { $0.named("x") }, { $0.pooled() }, { $0 <*> .identity },
      { $0.rememberingMisses(for: .seconds(1)) },
    ]
    for (name, verb) in verbs {
      for (index, wrap) in wraps.enumerated() {
        let cache = memory + wrap(verb(failing()))
        XCTAssertEqual(cache.set("a", 2).answer, "Broken.here", name)
        _ = memory.clear()
        XCTAssertEqual(cache.get("a").answer, "not found", "\(name) \(index)")
      }
    }
  }

  func testAHungLevelBelowANamedCircuitDelaysAGetByItsBound() {
    let hung = Later<Int>()
    let level = Cache<String, Int>(
      keepsOrder: true, get: { _ in hung.promise }, set: { _, _ in Promise() }
    ).clocked(by: time)
    let circuit = level.breakingCircuit(after: .failures(9), retryAfter: .seconds(1)).named("r")
    let get = (memory.clocked(by: time) + circuit + Fetcher(offMainThread: false) { _ in 3 }).get(
      "a")
    clock.advance(by: .seconds(5))
    XCTAssertEqual(get.answer, "3")
  }

  func testAClearThatRepairsOneLevelKeepsASetInTheOthers() {
    let (sum, failures) = (Lock<Cache<String, Int>?>(nil), Lock(2))
    let (upper, lower) = (Cache<String, Int>.dictionary(), Cache<String, Int>.dictionary())
    let top = Cache<String, Int>(
      keepsOrder: true, get: upper.get,
      set: { key, value in
        if value == 5, let sum = sum.withLock({ $0.take() }) { _ = sum.get("b") }
        return upper.set(key, value)
      }, remove: upper.remove, clear: upper.clear)
    let bottom = Cache<String, Int>(
      keepsOrder: true, get: lower.get, set: lower.set, remove: lower.remove,
      clear: {
        let fails = failures.withLock { count in
          count -= 1
          return count >= 0
        }
        return fails ? Promise(error: Broken.here) : lower.clear()
      })
    let cache = top + bottom
    XCTAssertEqual(cache.clear().answer, "Broken.here")
    sum.withLock { $0 = cache }
    XCTAssertEqual(cache.set("a", 5).answer, "()")
    XCTAssertEqual(failures.withLock { $0 }, -1, "The get should clear the lower level.")
    XCTAssertEqual(cache.get("a").answer, "5")
  }

  func testALateWriteThatFailsKeepsANewerValue() {
    let (first, journal) = (Later<Void>(), Journal<String>())
    let level = Cache<String, Int>(
      keepsOrder: true, get: { _ in Promise(2) },
      set: { _, value in value == 1 ? first.promise : Promise() },
      remove: { _ in
        journal.note("remove")
        return Promise()
      }
    ).clocked(by: time)
    let cache = memory.clocked(by: time) + level
    _ = cache.set("a", 1)
    clock.advance(by: .seconds(5))
    XCTAssertEqual(cache.set("a", 2).answer, "()")
    first.continuation.fail(Broken.here)
    XCTAssertEqual(journal.entries, [])
    _ = memory.clear()
    XCTAssertEqual(cache.get("a").answer, "2")
  }

  private struct Same: Hashable, Sendable {
    let name: String
    func hash(into hasher: inout Hasher) {}
  }

  func testALevelThatIsHiddenAsAWholeIsSkippedForEqualHashesToo() {
    let store = Cache<Same, Int>.dictionary()
    _ = store.set(Same(name: "b"), 7)
    let level = Cache<Same, Int>(
      keepsOrder: true, get: store.get, set: { _, _ in Promise(error: Broken.here) },
      remove: { _ in Promise(error: Broken.here) }, clear: { Promise(error: Broken.here) })
    let cache = Cache<Same, Int>.dictionary() + level + Fetcher(offMainThread: false) { _ in 8 }
    _ = cache.set(Same(name: "a"), 1)
    _ = cache.clear()
    XCTAssertEqual(cache.get(Same(name: "b")).answer, "8")
  }

  func testACancelledEncodingAboveASumRemovesTheOldValue() {
    let (one, two) = (Cache<String, Int>.dictionary(), Cache<String, Int>.dictionary())
    let codec = Codec<Int, Int>(
      decode: { Promise($0) }, encode: { $0 == 2 ? .cancelled : Promise($0) })
    let cache = memory + (one + two) <*> codec
    _ = cache.set("a", 1)
    XCTAssertEqual(cache.set("a", 2).answer, "cancelled")
    _ = memory.clear()
    XCTAssertEqual(cache.get("a").answer, "not found")
  }

  func testALevelThatNeverSettlesABackFillIsFilledAgainAfterItsBound() {
    let (sets, hung) = (Journal<Int>(), Later<Void>())
    let level = Cache<String, Int>(
      keepsOrder: true, get: { _ in .miss },
      set: { _, value in
        sets.note(value)
        return hung.promise
      }
    ).clocked(by: time)
    let cache = level + Fetcher(offMainThread: false) { _ in 4 }
    for _ in 0..<3 { XCTAssertEqual(cache.get("a").answer, "4") }
    XCTAssertEqual(sets.count, 1)
    clock.advance(by: .seconds(5))
    XCTAssertEqual(cache.get("a").answer, "4")
    XCTAssertEqual(sets.count, 2)
  }

  func testAForwardedReadAndItsCacheShareOneQueue() async throws {
    let (first, journal) = (Later<Void>(), Journal<Int>())
    let level = Cache<String, Int>(
      get: { _ in .miss },
      set: { _, value in
        journal.note(value)
        return value == 1 ? first.promise : Promise()
      })
    let updates = level.updating(from: Fetcher(offMainThread: false) { _ in 1 })
    for try await update in updates.values("a") { XCTAssertEqual(update.value, 1) }
    let write = updates.cache.set("a", 2)
    XCTAssertEqual(journal.entries, [1], "The write should wait for the fetched value.")
    first.continuation.succeed()
    XCTAssertEqual(write.answer, "()")
    XCTAssertEqual(journal.entries, [1, 2])
  }
}
