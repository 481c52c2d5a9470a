import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class CacheMapKeysTests: XCTestCase {
  private struct NoImage: Error, Equatable {}
  private let level = ScriptedLevel(0, LevelScript(contents: [7: 5]))

  func testTheLevelSeesTheTransformedKey() {  // T16
    let cache = { (key: String) in key.count } <^> level.cache
    XCTAssertEqual(cache.get("seven77").answer, "5")
    _ = cache.set("two", 6)
    _ = cache.remove("seven77")
    XCTAssertEqual(level.events, ["get 7", "set 3 6", "remove 7"])
  }

  func testAKeyPathIsAFunction() {
    let cache = \String.count <^> level.cache
    XCTAssertEqual(cache.get("seven77").answer, "5")
  }

  func testAKeyThatTheMapRejectsFailsWithoutReachingTheLevel() {  // T17
    let cache = { (_: Int) in throw NoImage() } <^> level.cache
    let answers = [
      cache.get(7).answer, cache.set(7, 1).answer, cache.remove(7).answer,
    ]
    XCTAssertEqual(answers, Array(repeating: Promise<Int>(error: NoImage()).answer, count: 3))
    XCTAssertEqual(level.events, [])
  }

  func testAClearAndAWarningPassABrokenMap() {  // T20
    let cache = { (_: Int) in throw NoImage() } <^> level.cache
    XCTAssertEqual(cache.clear().answer, "()")
    cache.memoryWarning()
    XCTAssertEqual(level.events, ["clear", "warn"])
  }

  func testAWriteOfAFetcherSucceedsWithoutAnImage() {
    let cache = level.cache.fetcher
    let broken = { (_: Int) in throw NoImage() } <^> cache
    XCTAssertEqual(broken.set(0, 1).answer, "()")
    let slow = cache.mapKeys(Transformer<Int, Int> { _ in Promise(error: NoImage()) })
    XCTAssertEqual(slow.remove(0).answer, "()")
  }
}
