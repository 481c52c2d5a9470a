import Foundation
import StrataLaws
import XCTest

@testable import Strata

/// Checks that a `clear` of a sum doesn't make a key absent before the level has received the
/// `clear`.
final class UnreceivedWritesTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private let level = GatedLevel([0: 1, 1: 2])

  private func sum() -> Cache<Int, Int> {
    level.cache.clocked(by: time) + Fetcher { _ in throw CacheError.notFound }
  }

  func testAGetDoesNotMissBeforeTheLevelHasReceivedTheClear() {
    let cache = sum()
    cache.set(3, for: 0)
    let end = level.clearing(cache)
    let get = cache.get(0)
    XCTAssertEqual(get.answer, "no answer", "Key 1 is still found, so key 0 must not be a miss.")
    XCTAssertEqual(cache.get(1).answer, "2", "A get of a key without writes should not wait.")
    level.mayClear.signal()
    end.wait()
    XCTAssertEqual([get.answer, cache.get(1).answer], ["not found", "not found"])
    XCTAssertEqual(cache.get(0).answer, "not found", "The write is still in flight.")
  }

  func testTheEndOfAWriteDoesNotRemoveItsKeyBeforeTheLevelHasReceivedTheClear() {
    let cache = sum()
    let written = cache.set(3, for: 0)
    let end = level.clearing(cache)
    level.settleSets()
    XCTAssertEqual(written.answer, "()")
    XCTAssertEqual(level.events, ["set 0", "clear"])
    let get = cache.get(0)
    XCTAssertEqual(get.answer, "no answer")
    let later = cache.set(4, for: 0)
    level.mayClear.signal()
    end.wait()
    XCTAssertEqual(level.events, ["set 0", "clear", "cleared", "remove 0", "set 0"])
    XCTAssertEqual(get.answer, "not found")
    level.settleSets()
    XCTAssertEqual([later.answer, cache.get(0).answer], ["()", "4"])
  }

  func testAGetWaitsNoLongerThanTheTimeBoundForALevelThatBlocksInItsClear() {
    // By default, a sum doesn't limit the time of a get from a level with an origin.
    for role in [CachePlan.Role.storage, .origin] {
      let level = GatedLevel([0: 1])
      let upper = Cache(
        level.cache.operations, metadata: CacheMetadata(plan: .level("gated", role)))
      let cache = upper.clocked(by: time) + Fetcher { $0 + 10 }
      cache.set(3, for: 0)
      clock.advance(by: .seconds(1))
      let end = level.clearing(cache)
      let get = cache.get(0)
      clock.advance(by: .milliseconds(4_999))
      XCTAssertEqual(get.answer, "no answer")
      clock.advance(by: .milliseconds(1))
      XCTAssertEqual(get.answer, "10", "The lower level should answer.")
      level.mayClear.signal()
      end.wait()
      level.settleSets()
      XCTAssertEqual(level.events, ["set 0", "clear", "cleared", "remove 0"])
    }
  }

  func testAGetDoesNotWaitForAClearThatTheLevelHasReceived() {
    let slow = ScriptedLevel(0, LevelScript(contents: [0: 1], hasSlowWrites: true))
    let cache = slow.cache.clocked(by: time) + Fetcher { $0 + 10 }
    cache.set(3, for: 0)
    let clears = [cache.removeAll(), cache.removeAll()]
    XCTAssertEqual(
      cache.get(0).answer, "10", "A get should not wait for a clear that hangs in the level.")
    XCTAssertEqual(clears.map(\.answer), ["no answer", "no answer"])
  }

  func testAGetThatWaitsForAClearIsReleasedOnceAndNotByALaterClear() throws {
    let (journal, work): (Journal<String>, WriteQueue.Work) = (Journal(), {})
    var queue = WriteQueue()
    XCTAssertTrue(queue.add(1, of: 7) { work })
    XCTAssertNil(queue.waitForClear(7, work))
    XCTAssertTrue(queue.add(2, of: nil) { work })
    XCTAssertNotNil(queue.waitForClear(7) { journal.note("get") })
    XCTAssertNil(queue.waitForClear(8, work), "Key 8 has no write in flight.")
    let cancelled = try XCTUnwrap(queue.waitForClear(7) { journal.note("cancelled") })
    XCTAssertNotNil(queue.cancel(cancelled))
    queue.receive(clear: 2).begin()
    queue.receive(clear: 2).begin()
    XCTAssertEqual(journal.entries, ["get"])
    XCTAssertFalse(queue.add(3, of: nil) { work })
    XCTAssertNil(queue.waitForClear(7, work), "The level has received an earlier clear.")
    XCTAssertFalse(queue.add(4, of: 7) { work })
    for id in [2, 3] { queue.finish(id, of: nil, removal: 9).begin() }
    let removal = try XCTUnwrap(queue.finish(1, of: 7, removal: 9).removal)
    XCTAssertNil(queue.wait(removal, work))
    queue.receive(removal, of: 7).begin()
    queue.finish(4, of: 7, removal: 10).begin()
    queue.endRemoval(removal, of: 7, succeeded: true)
    XCTAssertEqual([queue.detours, queue.count], [0, 0])
  }

  func testARemovalWaitsForAnEarlierClearButNotForALaterOne() throws {
    for isSettled in [true, false] {
      let (journal, work): (Journal<String>, WriteQueue.Work) = (Journal(), {})
      var queue = WriteQueue()
      XCTAssertTrue(queue.add(1, of: 7) { work })
      XCTAssertTrue(queue.add(2, of: nil) { work })
      let removal = try XCTUnwrap(queue.finish(1, of: 7, removal: 3).removal)
      XCTAssertFalse(queue.add(4, of: nil) { work })
      XCTAssertNotNil(queue.wait(removal) { journal.note("removal") })
      let next = isSettled ? queue.finish(2, of: nil, removal: 5) : queue.expire(2, of: nil)
      next?.begin()
      XCTAssertEqual(journal.entries, ["removal"], "The end of a clear should imply its receipt.")
      XCTAssertNil(queue.wait(removal, work), "The clear waits for the removal.")
    }
  }

  func testAWriteHidesTheReceiptOfAnEarlierClearOnly() {
    var unreceived = UnreceivedWrites()
    for clear in [2, 4] { unreceived.add(clear: clear) }
    XCTAssertEqual([1, 3, 5].map { unreceived.clear(after: $0) }, [2, 4, nil])
    XCTAssertEqual([1, 3, 5].map { unreceived.clear(before: $0) }, [nil, 2, 2])
    XCTAssertTrue(unreceived.receive(clear: 2))
    XCTAssertFalse(unreceived.receive(clear: 2))
    XCTAssertEqual([1, 3, nil].map { unreceived.clear(after: $0) }, [nil, 4, 4])
  }
}

/// A level whose `set` settles when the test calls `settleSets`, and whose `clear` blocks its
/// thread until the test signals `mayClear`. A `set` takes effect when it settles.
private final class GatedLevel: Sendable {
  private struct State {
    var contents: [Int: Int]
    var events: [String] = []
    var sets: [@Sendable () -> Void] = []
  }

  private let state: Lock<State>
  private let isClearing = DispatchSemaphore(value: 0)
  let mayClear = DispatchSemaphore(value: 0)

  init(_ contents: [Int: Int]) { state = Lock(State(contents: contents)) }

  var events: [String] { state.withLock { $0.events } }

  func note(_ event: String) { state.withLock { $0.events.append(event) } }

  func settleSets() {
    let sets = state.withLock { state in
      defer { state.sets = [] }
      return state.sets
    }
    for set in sets { set() }
  }

  /// Calls `removeAll` on another thread. Returns after the level's `clear` has been called, but
  /// before the `clear` has taken effect. The other thread signals the returned semaphore when
  /// `removeAll` has returned.
  func clearing(_ cache: Cache<Int, Int>) -> DispatchSemaphore {
    let end = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      cache.removeAll()
      end.signal()
    }
    isClearing.wait()
    return end
  }

  var cache: Cache<Int, Int> {
    Cache(
      get: { [state] key in
        Promise(state.withLock { $0.contents[key] }, or: CacheError.notFound)
      },
      set: { [self] key, value in
        note("set \(key)")
        return Promise { continuation in
          state.withLock { state in
            state.sets.append { [self] in
              self.state.withLock { $0.contents[key] = value }
              continuation.succeed()
            }
          }
        }
      },
      remove: { [self] key in
        note("remove \(key)")
        state.withLock { $0.contents[key] = nil }
        return Promise()
      },
      clear: { [self] in
        note("clear")
        isClearing.signal()
        mayClear.wait()
        state.withLock { $0.contents = [:] }
        note("cleared")
        return Promise()
      })
  }
}
