import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class CacheMapValuesTests: XCTestCase {
  private struct Broken: Error, Equatable {}
  private let level = ScriptedLevel(
    0, LevelScript(contents: [0: 5, 1: 1], getFaults: [2: .failure]))

  func testAHitIsDecodedAndErrorsPassUnchanged() {  // T18
    let cache = level.cache <*> .fragile
    XCTAssertEqual(cache.get(0).answer, "15")
    XCTAssertEqual(cache.get(2).answer, level.cache.get(2).answer)
    XCTAssertEqual(cache.get(9).answer, "not found")
    let error = CacheError.undecodable(by: "fragile", reason: "1")
    XCTAssertEqual(cache.get(1).answer, Promise<Int>(error: error).answer)
  }

  func testAResponseThatDoesNotDecodeIsNotCalledDamagedStorage() {
    let origin = Fetcher<Int, Int>(offMainThread: false) { _ in 1 }
    let error = CacheError.undecodableResponse(by: "fragile", reason: "1", key: "7")
    let sum = Cache<Int, Int>.memory() + origin
    let caches = [
      origin <*> .fragile, sum <*> .fragile, sum.pooled() <*> .fragile,
      .memory() + (sum <*> .fragile),
      sum.mapValues(
        decode: { _, value throws in
          throw CacheError.undecodable(by: "fragile", reason: "\(value)")
        }, encode: { _, value throws in value }),
    ]
    for cache in caches {
      for _ in 0..<2 {  // The first get reads the origin, and the second get reads the level.
        XCTAssertEqual(cache.get(7).answer, Promise<Int>(error: error).answer)
      }
    }
  }

  func testAValueIsStoredEncodedOrNotAtAll() {  // T19
    let cache = level.cache <*> .fragile
    XCTAssertEqual(cache.set(3, 13).answer, "()")
    let error = CacheError.unencodable(by: "fragile", reason: "12")
    XCTAssertEqual(cache.set(4, 12).answer, Promise<Void>(error: error).answer)
    XCTAssertEqual(level.events, ["set 3 3"])
  }

  func testOtherOperationsDoNotUseTheCodec() {  // T20
    let cache =
      level.cache
      <*> Codec<Int, Int>(decode: { _ in throw Broken() }, encode: { _ in throw Broken() })
    _ = cache.remove(0)
    _ = cache.clear()
    cache.memoryWarning()
    XCTAssertEqual(level.events, ["remove 0", "clear", "warn"])
  }

  func testAnAsyncCodecKeepsTheOrderOfAKey() {
    let waiting = Lock<[@Sendable () -> Void]>([])
    let slow = Codec<Int, Int>(
      decode: { Promise($0) },
      encode: { value in
        Promise { continuation in waiting.withLock { $0.append { continuation.succeed(value) } } }
      })
    let cache = level.cache <*> slow
    let (first, second) = (cache.set(0, 1), cache.set(0, 2))
    let (read, other) = (cache.get(0), cache.get(1))
    XCTAssertEqual(other.answer, "1", "A get of another key should not wait.")
    waiting.withLock { $0[1] }()
    XCTAssertEqual([first.answer, second.answer], ["no answer", "no answer"])
    waiting.withLock { $0[0] }()
    XCTAssertEqual([first.answer, second.answer, read.answer], ["()", "()", "2"])
    XCTAssertEqual(level.events, ["get 1", "set 0 1", "set 0 2", "get 0"])
  }
}
