import StrataLaws
import XCTest

@testable import Strata

/// How a sum is made of its members.
final class CacheSumTests: XCTestCase {
  private let (a, b, c) = (
    ScriptedLevel(0, LevelScript()), ScriptedLevel(1, LevelScript()),
    ScriptedLevel(2, LevelScript())
  )

  func testASumOfSumsIsOneSumOfAllTheirMembers() {
    let sum = (a.cache + b.cache) + (.empty + c.cache)
    XCTAssertEqual(sum.spine.members.count, 3)
    XCTAssertEqual(sum.get(0).answer, "not found")
    XCTAssertEqual([a.events, b.events, c.events], Array(repeating: ["get 0"], count: 3))
  }

  func testASumOfOneIsThatOneAndOfNoneTheEmptyCache() {
    let one = a.cache
    XCTAssertTrue((.empty + one).spine === one.spine)
    XCTAssertTrue((one + .empty).spine === one.spine)
    XCTAssertTrue((Cache<Int, Int>.empty + .empty).spine.isEmpty)
  }

  func testItIsReadOnlyIfAllOfItsMembersAre() {
    let fetcher = b.cache.fetcher
    XCTAssertFalse((a.cache + fetcher).spine.isReadOnly)
    XCTAssertTrue((fetcher + c.cache.fetcher).cache.spine.isReadOnly)
  }

  func testForgettingReachesEveryMember() {
    let pools = [a, b].map { _ in ScriptedLevel(0, LevelScript(hasSlowGets: true)) }
    let sum = pools[0].cache.fetcher.pooled() + pools[1].cache.fetcher.pooled()
    let direct = sum.cache.spine.members.map { $0.cache.get(7) }
    sum.cache.spine.forget(7)
    let again = sum.cache.spine.members.map { $0.cache.get(7) }
    XCTAssertEqual(pools.map(\.events), Array(repeating: ["get 7", "get 7"], count: 2))
    withExtendedLifetime((direct, again)) {}
  }
}
