import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class CacheTransformKeysTests: XCTestCase {
  private let level = ScriptedLevel(0, LevelScript(contents: [7: 5]))

  func testAnAsyncTransformerKeepsTheOrderOfAKey() {
    let waiting = Lock<[Promise<Int>.Continuation]>([])
    let cache = level.cache.mapKeys(
      Transformer<Int, Int> { _ in
        Promise { continuation in waiting.withLock { $0.append(continuation) } }
      })
    let (first, second) = (cache.set(0, 1), cache.set(0, 2))
    let read = cache.get(0)
    func release() { waiting.withLock { $0.isEmpty ? nil : $0.removeLast() }?.succeed(3) }
    for _ in 0..<3 { release() }
    XCTAssertEqual([first.answer, second.answer, read.answer], ["()", "()", "2"])
    XCTAssertEqual(level.events, ["set 3 1", "set 3 2", "get 3"])
  }

  func testCancellingInTheTransformerDoesNotReachTheLevel() {  // T68
    let cache = level.cache.mapKeys(
      Transformer<Int, Int> { _ in Promise(.pending(Pending())) })
    let get = cache.get(7)
    get.cancel()
    XCTAssertEqual(get.answer, "cancelled")
    XCTAssertEqual(level.events, [])
  }
}
