import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class CacheMapValuesForReadingTests: XCTestCase {
  private struct Broken: Error, Equatable {}
  private let level = ScriptedLevel(0, LevelScript(contents: [0: 5]))

  func testAFetcherIsMappedByAFunctionAndWritesDoNothing() {  // T21
    let fetcher = level.cache.fetcher.mapValues { "\($0)!" }
    XCTAssertEqual(fetcher.get(0).answer, "5!")
    XCTAssertEqual(fetcher.set(0, "6!").answer, "()")
    let decoded = level.cache.fetcher <*> Codec<Int, Int>(decode: { $0 }, encode: { _ in 0 })
    XCTAssertEqual(decoded.set(0, 7).answer, "()")
    XCTAssertEqual(level.events, ["get 0"])
  }

  func testAFunctionThatThrowsFailsTheGet() {
    let fetcher = level.cache.fetcher.mapValues { (_: Int) -> Int in throw Broken() }
    XCTAssertEqual(fetcher.get(0).answer, Promise<Int>(error: Broken()).answer)
  }
}
