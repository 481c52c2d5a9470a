import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class FetcherComposeTests: XCTestCase {
  func testALevelAboveAFetcherStoresValues() async throws {  // T58
    let held = Lock<[Int: Int]>([:])
    let store = Cache<Int, Int>(
      get: { key async throws -> Int in
        guard let value = held.withLock({ $0[key] }) else { throw CacheError.notFound }
        return value
      },
      set: { key, value async throws in held.withLock { $0[key] = value } })
    let cache = store + Fetcher(offMainThread: false) { _ in throw CacheError.notFound }
    for key in 0..<100 {
      try await cache.set(key * 2, for: key)
      XCTAssertEqual(held.withLock { $0[key] }, key * 2)
    }
  }

  func testAFetcherAboveACacheIsReadFirstAndNotWritten() {
    let lower = ScriptedLevel(1, LevelScript())
    let cache = Fetcher<Int, Int> { key in key == 0 ? Promise(7) : .miss } + lower.cache
    XCTAssertEqual(cache.get(0).answer, "7")
    XCTAssertEqual(cache.set(1, 9).answer, "()")
    XCTAssertEqual(cache.get(1).answer, "9")
    XCTAssertEqual(lower.rest.contents, [1: 9])
  }
}
