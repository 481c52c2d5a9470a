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
