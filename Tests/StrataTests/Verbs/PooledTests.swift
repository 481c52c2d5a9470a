import XCTest

@testable import Strata

final class PooledTests: XCTestCase {
  func testALoadIsLetGoOfBeforeAWriteIsSeenToHaveSettled() {
    let later = Lock<Promise<Int>?>(nil)
    let written = Lock<Promise<Void>?>(nil)
    let source = ScriptedLevel(0, LevelScript(contents: [0: 1], hasSlowGets: true))
    let write = Pending<Void>()
    let asksWhenSettled = Lock<(@Sendable () -> Void)?>(nil)
    let cache = Cache<Int, Int>(
      get: source.cache.get,
      set: { _, _ in
        // The first to hear of the end of the write, before whoever was given the promise.
        Promise(.pending(write)).observed { _ in asksWhenSettled.withLock { $0 }?() }
      }
    ).pooled()
    asksWhenSettled.withLock {
      $0 = {
        guard written.withLock({ $0 })?.outcome != nil else { return }
        later.withLock { $0 = cache.get(0) }
      }
    }
    let promise = cache.set(2, for: 0)
    written.withLock { $0 = promise }
    let early = cache.get(0)
    write.settle(.success(()))
    source.settle(0)
    XCTAssertEqual(early.answer, "1")
    XCTAssertEqual(promise.answer, "()")
    XCTAssertNotEqual(later.withLock { $0 }?.answer, "1")
  }
}
