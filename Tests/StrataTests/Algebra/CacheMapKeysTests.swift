import XCTest

@testable import Strata

final class CacheMapKeysTests: XCTestCase {
  private struct NoImage: Error, Equatable {}
  private let level = ScriptedLevel(0, LevelScript(contents: [7: 5]))

  func testTheLevelSeesTheTransformedKey() {  // T16
    let cache = { (key: String) in key.count } <^> level.cache
    XCTAssertEqual(cache.get("seven77").answer, "5")
    cache.set(6, for: "two")
    cache.removeValue(for: "seven77")
    XCTAssertEqual(level.events, ["get 7", "set 3 6", "remove 7"])
  }

  func testAKeyPathIsAFunction() {
    let cache = \String.count <^> level.cache
    XCTAssertEqual(cache.get("seven77").answer, "5")
  }

  func testAKeyWithoutAnImageFailsAndTheLevelIsNotAsked() {  // T17
    let cache = { (_: Int) in throw NoImage() } <^> level.cache
    let answers = [
      cache.get(7).answer, cache.set(1, for: 7).answer, cache.removeValue(for: 7).answer,
    ]
    XCTAssertEqual(answers, Array(repeating: Promise<Int>(error: NoImage()).answer, count: 3))
    XCTAssertEqual(level.events, [])
  }

  func testAClearAndAWarningPassABrokenMap() {  // T20
    let cache = { (_: Int) in throw NoImage() } <^> level.cache
    XCTAssertEqual(cache.removeAll().answer, "()")
    cache.memoryWarning()
    XCTAssertEqual(level.events, ["clear", "warn"])
  }

  func testAWriteOfAFetcherSucceedsWithoutAnImage() {
    let cache = level.cache.fetcher.cache
    let broken = { (_: Int) in throw NoImage() } <^> cache
    XCTAssertEqual(broken.set(1, for: 0).answer, "()")
    let slow = cache.mapKeys(Transformer<Int, Int> { _ in Promise(error: NoImage()) })
    XCTAssertEqual(slow.removeValue(for: 0).answer, "()")
  }

  func testATransformerThatTakesItsTimeKeepsTheOrderOfAKey() {
    let waiting = Lock<[Promise<Int>.Continuation]>([])
    let cache = level.cache.mapKeys(
      Transformer<Int, Int> { _ in
        Promise { continuation in waiting.withLock { $0.append(continuation) } }
      })
    let (first, second) = (cache.set(1, for: 0), cache.set(2, for: 0))
    let read = cache.get(0)
    func release() { waiting.withLock { $0.isEmpty ? nil : $0.removeLast() }?.succeed(3) }
    for _ in 0..<3 { release() }
    XCTAssertEqual([first.answer, second.answer, read.answer], ["()", "()", "2"])
    XCTAssertEqual(level.events, ["set 3 1", "set 3 2", "get 3"])
  }

  func testCancellingInTheTransformerDoesNotAskTheLevel() {  // T68
    let cache = level.cache.mapKeys(
      Transformer<Int, Int> { _ in Promise(.pending(Pending())) })
    let get = cache.get(7)
    get.cancel()
    XCTAssertEqual(get.answer, "cancelled")
    XCTAssertEqual(level.events, [])
  }
}
