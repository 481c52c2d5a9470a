import StrataLaws
import XCTest

@testable import Strata

/// What the verbs that age have in common.
final class AgingTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()

  func testAReadOnlyCacheStaysOneAndForgetsThroughTheVerb() {
    let source = ScriptedLevel(0, LevelScript(contents: [0: 1], hasSlowGets: true))
    let now = time.now()
    let fetcher = source.cache.fetcher.pooled() <*> { Stamped($0, storedAt: now) }
    let cache = .memory() + fetcher.cache.expiring(after: .seconds(1), on: time) as Cache<Int, Int>
    _ = cache.get(0)
    cache.set(2, for: 0)
    _ = cache.get(0)
    XCTAssertEqual(source.events, ["get 0"])  // It found what was set above.
    cache.removeValue(for: 0)
    _ = cache.get(0)
    XCTAssertEqual(source.events, ["get 0", "get 0"])
  }
}
