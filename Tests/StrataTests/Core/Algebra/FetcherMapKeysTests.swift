import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class FetcherMapKeysTests: XCTestCase {
  private struct NoImage: Error, Equatable {}
  private let level = ScriptedLevel(0, LevelScript(contents: [7: 5]))

  func testTheOriginSeesTheTransformedKey() {
    let length: @Sendable (String) -> Int = { $0.count }
    let fetchers = [
      length <^> level.cache.fetcher, level.cache.fetcher.mapKeys(length),
      level.cache.fetcher.mapKeys(Transformer { Promise($0.count) }),
    ]
    for fetcher in fetchers { XCTAssertEqual(fetcher.get("seven77").answer, "5") }
    XCTAssertEqual(level.events, ["get 7", "get 7", "get 7"])
    XCTAssertEqual(fetchers.map { "\($0.plan)" }, Array(repeating: "keys <^> cache", count: 3))
  }

  func testAKeyWithoutAnImageFailsItsGetAndNoWrite() {
    let broken = { (_: Int) in throw NoImage() } <^> level.cache.fetcher
    XCTAssertEqual(broken.get(7).answer, Promise<Int>(error: NoImage()).answer)
    XCTAssertEqual(broken.set(7, 1).answer, "()")
    XCTAssertEqual(level.events, [])
  }
}
