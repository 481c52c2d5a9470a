import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests gets of a refreshing cache while writes haven't settled.
final class RefreshingLoadTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private let level = ScriptedLevel(1, LevelScript(contents: [0: 5], hasSlowWrites: true))
  private let origin = ScriptedLevel(0, LevelScript(contents: [0: 6], hasSlowGets: true))

  private var caches: [Cache<Int, Int>] { caches(above: level) }

  /// One cache for each overload of `refreshing`. All caches share the level and the origin.
  private func caches(above level: ScriptedLevel) -> [Cache<Int, Int>] {
    let now = clock.now
    let stamped =
      (level.cache
      <*> Codec<Int, Stamped<Int>>(decode: { Stamped($0, storedAt: now) }, encode: { $0.value }))
      .clocked(by: time)
    let freshness = Freshness(for: .seconds(60), staleWhileRevalidate: .seconds(600))
    return [
      stamped.refreshing(freshness, from: origin.cache.fetcher),
      stamped.refreshing(from: origin.cache.fetcher) { _, _ in freshness },
    ]
  }

  func testAStaleValueIsReturnedImmediatelyWhileAWriteToAnotherKeyWaits() {
    let caches = caches
    clock.advance(by: .seconds(60))
    for cache in caches {
      let writes = [cache.set(1, 7), cache.set(1, 8)]
      XCTAssertEqual(cache.get(0).answer, "5")
      XCTAssertEqual(writes.map(\.answer), ["no answer", "no answer"])
      while level.settle(0) {}
    }
    XCTAssertEqual(origin.events, ["get 0", "get 0"], "Each cache should begin a refresh.")
  }

  func testAGetSeesAWriteBeforeAnEarlierWriteHasSettled() {
    for cache in caches {
      let writes = [cache.set(1, 7), cache.set(1, 8)]
      let get = cache.get(1)
      XCTAssertEqual([get.answer] + writes.map(\.answer), ["8", "no answer", "no answer"])
      while level.settle(0) {}
      XCTAssertEqual([get.answer] + writes.map(\.answer), ["8", "()", "()"])
    }
    XCTAssertEqual(origin.events, [])
  }

  func testAKeyWhoseWriteFailedIsLoadedAndNotReadFromTheLevel() {
    let level = ScriptedLevel(1, LevelScript(contents: [0: 5], writeFaults: [0: .failure]))
    for cache in caches(above: level) {
      XCTAssertEqual(cache.get(0).answer, "5")
      XCTAssertTrue(cache.set(0, 7).answer.hasPrefix("ScriptError"))
      let get = cache.get(0)
      origin.settle(0)
      XCTAssertEqual(get.answer, "6", "The level may have either value.")
    }
  }
}
