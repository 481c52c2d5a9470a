import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Checks that a get skips a level after a write to the level has timed out. If the write leaves an
/// outdated value in the level, gets skip the level until a removal or a later write succeeds.
final class OwedRemovalTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private let memory = ScriptedLevel(0, LevelScript())
  private let store = OpenStore([0: 7])

  private func sum() -> Cache<Int, Int> {
    memory.cache + store.cache.clocked(by: time) + Fetcher(offMainThread: false) { $0 + 10 }
  }

  func testAGetInFlightDoesNotReturnWhatALateWriteShouldHaveReplaced() {
    let slow = ScriptedLevel(0, LevelScript(contents: [0: 7], hasSlowGets: true))
    let level = Cache<Int, Int>(
      get: slow.cache.get, set: store.cache.set, remove: store.cache.remove,
      clear: store.cache.clear)
    let sum = memory.cache + level.clocked(by: time) + Fetcher(offMainThread: false) { $0 + 10 }
    let cache = sum.timingOut(after: .seconds(1))
    let clear = cache.clear()
    clock.advance(by: .milliseconds(4_500))
    XCTAssertTrue(clear.answer.contains("timed out"))
    // The timed-out `clear` is still in flight, so the level might run the `clear` before this get.
    let get = cache.get(0)
    clock.advance(by: .milliseconds(500))
    store.fail()
    store.succeed()
    slow.settle(0)
    XCTAssertEqual(get.answer, "10", "The get should ignore 7, which the level returns.")
  }

  func testAHungClearThatFailsIsRepeatedUntilItSucceeds() {
    let cache = sum()
    let clear = cache.clear()
    clock.advance(by: .seconds(5))
    XCTAssertTrue(clear.answer.contains("timed out"))
    XCTAssertEqual(cache.get(0).answer, "10")
    store.fail()
    XCTAssertEqual(
      store.events, ["clear", "clear"], "A failed clear should be repeated immediately.")
    store.fail()
    _ = memory.cache.clear()
    XCTAssertEqual(
      cache.get(0).answer, "10", "The level still holds 7, so the origin should answer.")
    XCTAssertEqual(
      store.events, ["clear", "clear", "clear"], "The next get should repeat the clear.")
    XCTAssertEqual(cache.get(1).answer, "11")
    XCTAssertEqual(store.events.count, 3, "Only one clear should be in flight.")
    store.succeed()
    _ = memory.cache.clear()
    XCTAssertEqual(cache.get(0).answer, "10")
    XCTAssertEqual(store.events.suffix(2), ["get 0", "set 0 10"])
  }

  func testALostClearIsRepeatedAtItsBoundAndLateOnesDoNoHarm() {
    let cache = sum()
    _ = cache.clear()
    clock.advance(by: .seconds(5))
    XCTAssertEqual(cache.get(1).answer, "11")
    XCTAssertEqual(store.events, ["clear", "clear"])
    clock.advance(by: .seconds(5))
    XCTAssertEqual(cache.get(2).answer, "12")
    XCTAssertEqual(store.events, ["clear", "clear", "clear"])
    store.succeed(last: true)
    _ = memory.cache.clear()
    XCTAssertEqual(cache.get(0).answer, "10")
    XCTAssertEqual(store.events.suffix(2), ["get 0", "set 0 10"])
    store.succeed(last: true)
    XCTAssertEqual(cache.get(0).answer, "10")
  }

  func testALaterClearMakesUpForAHungOne() {
    let cache = sum()
    _ = cache.clear()
    clock.advance(by: .seconds(5))
    let clear = cache.clear()
    store.succeed(last: true)
    XCTAssertEqual(clear.answer, "()")
    XCTAssertEqual(cache.get(0).answer, "10")
    XCTAssertEqual(store.events, ["clear", "clear", "get 0", "set 0 10"])
  }

  func testAFailedRemovalIsRepeatedByTheNextGetOfItsKey() {
    let cache = sum()
    _ = cache.set(0, 1)
    clock.advance(by: .seconds(5))
    store.fail()
    XCTAssertEqual(store.events, ["set 0 1", "remove 0"])
    store.fail()
    XCTAssertEqual(cache.get(1).answer, "11")
    store.succeed(last: true)
    XCTAssertEqual(
      store.events.suffix(2), ["get 1", "set 1 11"], "Another key should not be affected.")
    _ = memory.cache.clear()
    XCTAssertEqual(cache.get(0).answer, "10", "The get should not wait for the removal.")
    XCTAssertEqual(store.events.last, "remove 0")
    store.succeed()
    _ = memory.cache.clear()
    XCTAssertEqual(cache.get(0).answer, "10")
    XCTAssertEqual(store.events.suffix(2), ["get 0", "set 0 10"])
  }

  /// A `clear` begins during a `set`, so the cache must remove the value of the `set` afterwards. A
  /// second `set` begins after this removal has begun, but before the removal takes effect in the
  /// level. In the second case, the first removal fails, and a get begins the removal again.
  func testARemovalDoesNotRemoveTheValueOfALaterSet() {
    for failures in 0...1 {
      let (values, removals) = (Lock<[Int: Int]>([:]), Lock(0))
      let sum = Lock(Cache<Int, Int>.empty)
      let level = Cache<Int, Int>(
        get: { key in Promise(values.withLock { $0[key] }, or: CacheError.notFound) },
        set: { key, value in
          if value == 6 { _ = sum.withLock { $0 }.clear() }
          values.withLock { $0[key] = value }
          return Promise()
        },
        remove: { key in
          let earlier = removals.withLock { removals in
            defer { removals += 1 }
            return removals
          }
          guard earlier == failures else { return Promise(error: Broken.here) }
          _ = sum.withLock { $0 }.set(key, 8)
          values.withLock { $0[key] = nil }
          return Promise()
        },
        clear: {
          values.withLock { $0 = [:] }
          return Promise()
        })
      let cache = level + Fetcher(offMainThread: false) { _ in throw CacheError.notFound }
      sum.withLock { $0 = cache }
      defer { sum.withLock { $0 = .empty } }
      _ = cache.set(0, 6)
      XCTAssertEqual(cache.get(0).answer, "8")
      XCTAssertEqual(values.withLock { $0 }, [0: 8])
    }
  }
}

/// A level whose writes take effect or fail only when the test settles them.
private final class OpenStore: Sendable {
  private struct State {
    var contents: [Int: Int]
    var events: [String] = []
    var writes: [@Sendable (_ succeeds: Bool) -> Void] = []
  }

  private struct Failure: Error {}
  private let state: Lock<State>

  init(_ contents: [Int: Int]) { state = Lock(State(contents: contents)) }

  var events: [String] { state.withLock { $0.events } }

  func fail() { settle(last: false, succeeds: false) }

  func succeed(last: Bool = false) { settle(last: last, succeeds: true) }

  private func settle(last: Bool, succeeds: Bool) {
    state.withLock { $0.writes.remove(at: last ? $0.writes.count - 1 : 0) }(succeeds)
  }

  private func write(
    _ event: String, _ effect: @escaping @Sendable (inout [Int: Int]) -> Void
  ) -> Promise<Void> {
    Promise { continuation in
      state.withLock { state in
        state.events.append(event)
        state.writes.append { [self] succeeds in
          guard succeeds else { return _ = continuation.fail(Failure()) }
          self.state.withLock { effect(&$0.contents) }
          continuation.succeed()
        }
      }
    }
  }

  var cache: Cache<Int, Int> {
    Cache(
      get: { [self] key in
        state.withLock { state in
          state.events.append("get \(key)")
          return Promise(state.contents[key], or: CacheError.notFound)
        }
      },
      set: { [self] key, value in write("set \(key) \(value)") { $0[key] = value } },
      remove: { [self] key in write("remove \(key)") { $0[key] = nil } },
      clear: { [self] in write("clear") { $0 = [:] } })
  }

  /// A clear that begins while a back-fill calls the levels hides the key in each level that it
  /// reaches. It doesn't reach the origin.
  func testAGetDuringABackFillThatAClearHasOutrunReadsTheOrigin() {
    let (sum, found) = (Lock<Cache<Int, Int>?>(nil), Lock<[Promise<Int>.Outcome?]>([]))
    let level = Cache<Int, Int>(
      keepsOrder: true, get: { _ in .miss },
      set: { key, _ in
        guard let sum = sum.withLock({ $0.take() }) else { return Promise() }
        _ = sum.clear()
        let outcome = sum.get(key).outcome
        found.withLock { $0.append(outcome) }
        return Promise()
      })
    let all = level + Fetcher<Int, Int>(offMainThread: false) { $0 + 1 }
    sum.withLock { $0 = all }
    XCTAssertEqual(all.get(1).outcome?.value, 2)
    XCTAssertEqual(found.withLock { $0.map { $0?.value } }, [2])
  }
}
