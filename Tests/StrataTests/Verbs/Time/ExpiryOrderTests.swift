import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// An expiration and other writes to the key at the same time.
final class ExpiryOrderTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()

  /// A refreshed cache over a level that gives each value a new stamp.
  private func cache(over level: ScriptedLevel) -> Cache<Int, Int> {
    let stamped =
      level.cache
      <*> Codec<Int, Stamped<Int>>(
        decode: { [time] in Stamped($0, storedAt: time.now()) }, encode: { $0.value })
    return stamped.clocked(by: time).refreshing(
      Freshness(for: .seconds(60)), from: Fetcher(offMainThread: false) { _ in 9 })
  }

  private struct Overtaken: StorageFailure {
    let isOfOneValue = false
    let isOvertaken = true
  }

  /// A refreshed cache over a level that other processes write, too.
  private func cache(
    over shared: Cache<Int, Stamped<Int>>, takes: Lock<Int>, grants: Bool = true,
    set: @escaping @Sendable (Int, Stamped<Int>) -> Promise<Void>
  ) -> Cache<Int, Int> {
    let level = shared.filledByTicket { _, _ in
      takes.withLock { $0 += 1 }
      return Promise(grants ? 0 : nil)
    } set: { key, value, _ in
      set(key, value)
    }
    return level.refreshing(
      Freshness(for: .seconds(60), staleIfError: .seconds(60)),
      from: Fetcher(offMainThread: false) { _ in 9 })
  }

  func testAValueThatAnotherProcessWritesDuringAnExpirationStays() {
    let (shared, takes) = (Cache<Int, Stamped<Int>>.dictionary().clocked(by: time), Lock(0))
    let cache = cache(over: shared, takes: takes) { [time] key, _ in
      _ = shared.set(key, Stamped(6, storedAt: time.now()))
      return Promise(error: Overtaken())
    }
    _ = shared.set(1, Stamped(5, storedAt: time.now()))
    XCTAssertEqual(cache.operations.expire(1).answer, "()")
    XCTAssertEqual(cache.get(1).answer, "6")
  }

  func testAnExpirationTakesNoTicketForAnAbsentValueAndRemovesAValueWithoutATicket() {
    let (shared, takes) = (Cache<Int, Stamped<Int>>.dictionary().clocked(by: time), Lock(0))
    let cache = cache(over: shared, takes: takes, grants: false) { shared.set($0, $1) }
    XCTAssertEqual(cache.operations.expire(1).answer, "()")
    XCTAssertEqual(takes.withLock { $0 }, 0)
    _ = shared.set(1, Stamped(5, storedAt: time.now()))
    XCTAssertEqual(cache.operations.expire(1).answer, "()")
    XCTAssertEqual(takes.withLock { $0 }, 1)
    XCTAssertNil(shared.get(1).outcome?.value)
  }

  func testASetDuringTheWriteOfAnExpirationStays() {
    for settled in [0, 1] {
      let level = ScriptedLevel(0, LevelScript(contents: [1: 5], hasSlowWrites: true))
      let cache = cache(over: level)
      let expiry = cache.operations.expire(1)
      let set = cache.set(1, 6)
      level.settle(settled)
      while level.settle(0) {}
      XCTAssertEqual([expiry.answer, set.answer], ["()", "()"])
      XCTAssertEqual(cache.get(1).answer, "6", "\(level.events)")
    }
  }

  func testWithoutAnotherWriteALevelThatCannotKeepAStaleValueRemovesIt() {
    let level = ScriptedLevel(0, LevelScript(contents: [1: 5], hasSlowWrites: true))
    let cache = cache(over: level)
    let expiry = cache.operations.expire(1)
    while level.settle(0) {}
    XCTAssertEqual(expiry.answer, "()")
    XCTAssertEqual(level.rest.contents, [:])
  }

  func testARemovalDuringAnExpirationRemovesTheValue() {
    for key in [1, nil] {
      let level = ScriptedLevel(
        0, LevelScript(contents: [1: 5], hasSlowGets: true, hasSlowWrites: true))
      let cache = cache(over: level)
      _ = cache.operations.expire(1)
      _ = key.map { cache.remove($0) } ?? cache.clear()
      while level.settle(0) {}
      XCTAssertEqual(level.rest.contents, [:])
    }
  }

  /// Each value that a thread has set is fresh afterward, although another thread expires the key.
  func testNoExpirationOnAnotherThreadLosesASet() {
    let level: Cache<Int, Stamped<Int>> = .memory()
    let cache = level.refreshing(
      Freshness(for: .seconds(600), staleIfError: .seconds(600)),
      from: Fetcher(offMainThread: false) { _ in -1 })
    let isOver = Lock(false)
    let ended = expectation(description: "The other thread has ended.")
    Thread.detachNewThread {
      while !isOver.withLock({ $0 }) { _ = cache.operations.expire(1) }
      ended.fulfill()
    }
    var last = 0
    for number in 1...2_000 {
      _ = cache.set(1, number)
      last = number
    }
    isOver.withLock { $0 = true }
    wait(for: [ended], timeout: 60)
    _ = cache.set(1, last)
    XCTAssertEqual(cache.get(1).outcome?.value, last)
    _ = cache.operations.expire(1)
    XCTAssertEqual(cache.stored.get(1).outcome?.value, last, "The fallback is the last value.")
  }
}
