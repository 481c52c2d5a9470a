import Dispatch
import StrataLaws
import XCTest

@testable import Strata

final class SumTests: XCTestCase {
  func testAGetThatMissesWhileAWriteArrivesDoesNotFillOverIt() {
    let (began, looked, stored) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let held = Lock<Int?>(nil)
    let upper = Cache<Int, Int>(
      get: { _ throws -> Int in
        if let value = held.withLock({ $0 }) { return value }
        looked.signal()
        stored.wait()
        throw CacheError.notFound
      },
      set: { _, value in
        if value == 2 {
          began.signal()
          looked.wait()
        }
        held.withLock { $0 = value }
      })
    let cache = upper + Fetcher { _ in 1 }
    DispatchQueue.global().async {
      cache.set(2, for: 0)
      stored.signal()
    }
    began.wait()
    XCTAssertEqual(cache.get(0).answer, "1", "It began before the write had settled.")
    XCTAssertEqual(cache.get(0).answer, "2")
  }

  func testAGetDoesNotWaitForTheBackFillsOfOthers() {
    let upper = ScriptedLevel(0, LevelScript(hasSlowWrites: true))
    let lower = ScriptedLevel(1, LevelScript(contents: [0: 5], hasSlowGets: true))
    let cache = upper.cache + lower.cache
    let (first, second) = (cache.get(0), cache.get(0))
    lower.settle(0)
    lower.settle(0)
    XCTAssertEqual(first.answer, "5")
    XCTAssertEqual(second.answer, "5")
    XCTAssertEqual(cache.get(0).answer, "5")
    upper.settle(0)
    upper.settle(0)
    XCTAssertEqual(upper.events, ["get 0", "get 0", "set 0 5", "get 0", "set 0 5"])
  }

  func testAWriteWaitsForABackFillAndAGetAfterItForTheWrite() {
    let upper = ScriptedLevel(0, LevelScript(hasSlowWrites: true))
    let lower = ScriptedLevel(1, LevelScript(contents: [0: 5]))
    let cache = upper.cache + lower.cache
    XCTAssertEqual(cache.get(0).answer, "5")
    let written = cache.set(6, for: 0)
    let read = cache.get(0)
    XCTAssertEqual(read.answer, "no answer")
    upper.settle(0)
    XCTAssertEqual(written.answer, "no answer")
    upper.settle(0)
    XCTAssertEqual(written.answer, "()")
    XCTAssertEqual(read.answer, "6")
    XCTAssertEqual(upper.events, ["get 0", "set 0 5", "set 0 6", "get 0"])
    XCTAssertEqual(lower.rest.contents, [0: 6])
  }

  func testGetsAndWritesThatWaitKeepTheirOrder() {
    let upper = ScriptedLevel(0, LevelScript(hasSlowWrites: true))
    let cache = upper.cache + Fetcher { _ in throw CacheError.notFound }
    cache.set(1, for: 0)
    cache.set(2, for: 0)
    let read = cache.get(0)
    cache.set(3, for: 0)
    for _ in 0..<3 { upper.settle(0) }
    XCTAssertEqual(read.answer, "2")
    XCTAssertEqual(upper.events, ["set 0 1", "set 0 2", "get 0", "set 0 3"])
  }
}
