import StrataLaws
import XCTest

@testable import StrataCore

final class SkippingTests: XCTestCase {
  private let level = ScriptedLevel(0, LevelScript(contents: [0: 5, 1: 6]))
  private let unmet = Promise<Int>(error: CacheError.conditionNotSatisfied).answer

  func testASkippedKeyIsAMissWithoutReachingTheLevel() {  // T27
    let cache = level.cache.skipping { $0 == 0 }
    XCTAssertEqual([cache.get(0).answer, cache.get(1).answer], [unmet, "6"])
    XCTAssertEqual((cache + Fetcher { _ in 9 }).get(0).answer, "9")
    XCTAssertEqual(level.events, ["get 1", "set 0 9"])
  }

  func testAnAsyncConditionMaySkip() {
    let later = Later<Bool>()
    let get = level.cache.skipping { _ in later.promise }.get(0)
    later.continuation.succeed(true)
    XCTAssertEqual(get.answer, unmet)
    XCTAssertEqual(level.events, [])
  }

  func testOfflineIsAConditionOnTheRemoteLevelAlone() {
    let isOffline = Lock(true)
    let cache: Cache<Int, Int> =
      .memory() + level.cache.fetcher.skipping { _ in isOffline.withLock { $0 } }
    XCTAssertEqual(cache.get(0).answer, unmet)
    isOffline.withLock { $0 = false }
    XCTAssertEqual(cache.get(0).answer, "5")
    isOffline.withLock { $0 = true }
    XCTAssertEqual(cache.get(0).answer, "5")
  }

  func testAFetcherIsSkippedToo() {
    let fetcher = level.cache.fetcher.skipping { $0 == 0 }
    XCTAssertEqual([fetcher.get(0).answer, fetcher.get(1).answer], [unmet, "6"])
    XCTAssertEqual(fetcher.plan.description, "cache.skipping()")
  }
}
