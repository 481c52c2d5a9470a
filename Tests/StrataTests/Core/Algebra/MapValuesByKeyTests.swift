import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class MapValuesByKeyTests: XCTestCase {
  private let level = ScriptedLevel(0, LevelScript(contents: [0: 5, 1: 6]))
  private lazy var cache: Cache<Int, String> = level.cache.mapValues(
    decode: { key, value in "\(key):\(value)" },
    encode: { key, text in
      guard let value = Int(text), key != 3 else { throw Broken.here }
      return value + key
    })

  func testBothDirectionsSeeTheKey() {  // T25
    XCTAssertEqual(cache.get(1).answer, "1:6")
    XCTAssertEqual(cache.set(2, "7").answer, "()")
    XCTAssertEqual(level.events, ["get 1", "set 2 9"])
  }

  func testAKeyThatIsNotEncodedFailsWithoutReachingTheLevel() {  // T25
    XCTAssertEqual(cache.set(3, "7").answer, "Broken.here")
    XCTAssertEqual(level.events, [])
  }

  func testOtherOperationsDoNotUseTheFunctions() {  // T20
    let broken: Cache<Int, Int> = level.cache.mapValues(
      decode: { _, _ in throw Broken.here }, encode: { _, _ in throw Broken.here })
    XCTAssertEqual(
      [broken.remove(0).answer, broken.clear().answer], ["()", "()"])
    broken.memoryWarning()
    XCTAssertEqual(level.events, ["remove 0", "clear", "warn"])
  }

  func testAnAsyncEncodingKeepsTheOrderOfAKey() {
    let works = (0..<2).map { _ in Later<Int>() }
    let cache = level.cache.mapValues(
      decoding: { _, value in Promise(value) }, encoding: { _, number in works[number].promise })
    let (first, second) = (cache.set(4, 0), cache.set(4, 1))
    let get = cache.get(4)
    works[1].continuation.succeed(11)
    XCTAssertEqual(level.events, [])
    works[0].continuation.succeed(10)
    XCTAssertEqual([first.answer, second.answer, get.answer], ["()", "()", "11"])
    XCTAssertEqual(level.events, ["set 4 10", "set 4 11", "get 4"])
  }

  func testASetThatIsCancelledBeforeItIsEncodedIsNotStored() {  // T68
    let journal = Journal<String>()
    let later = Later<Int>("encode", in: journal)
    let cache: Cache<Int, Int> = level.cache.mapValues(
      decoding: { _, value in Promise(value) }, encoding: { _, _ in later.promise })
    cache.set(4, 1).cancel()
    XCTAssertEqual(journal.entries, ["encode stopped"])
    XCTAssertEqual(level.events, [])
  }

  func testAFetcherIsDecodedWithItsKey() async throws {
    let fetcher = level.cache.fetcher
    let text = fetcher.mapValues(decode: { key, value in "\(key):\(value)" })
    XCTAssertEqual(text.get(1).answer, "1:6")
    XCTAssertEqual(text.plan.description, "cache <*> values")
    let slow = fetcher.mapValues(decode: { key, value async throws -> Int in value * 10 + key })
    let value = try await slow.value(for: 1)
    XCTAssertEqual(value, 61)
    XCTAssertEqual(
      fetcher.mapValues(decode: { _, value in value + 1 }).get(0).answer,
      fetcher.mapValues { $0 + 1 }.get(0).answer)
    XCTAssertEqual(cache.plan.description, "cache <*> values")
  }

  func testAReadOnlyCacheStaysReadOnly() {
    let cache = level.cache.fetcher.mapValues(
      decode: { key, value in value + key }, encode: { _, _ in throw Broken.here })
    XCTAssertEqual(cache.set(0, 1).answer, "()")
    XCTAssertTrue(cache.metadata.isReadOnly)
  }
}
