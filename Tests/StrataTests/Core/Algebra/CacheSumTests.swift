import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests how a sum is built from its members.
final class CacheSumTests: XCTestCase {
  func testARemoveFromAMappedSumOfThreeFetchersEndsTheirPooledLoads() {
    let origins = (0..<3).map { ScriptedLevel($0, LevelScript(hasSlowGets: true)) }
    let fetchers = origins.map { $0.cache.fetcher.pooled() }
    let cache = .memory() + { $0 + 1 } <^> (fetchers[0] + fetchers[1] + fetchers[2])
    let before = cache.get(0)
    for origin in origins.dropLast() { origin.settle(0) }  // Now the third one loads.
    _ = cache.remove(0)
    let after = cache.get(0)
    for origin in origins.dropLast() { origin.settle(0) }
    XCTAssertEqual(origins.map(\.events), Array(repeating: ["get 1", "get 1"], count: 3))
    withExtendedLifetime((before, after)) {}
  }

  private let (a, b, c) = (
    ScriptedLevel(0, LevelScript()), ScriptedLevel(1, LevelScript()),
    ScriptedLevel(2, LevelScript())
  )

  func testASumOfSumsIsOneSumOfAllTheirMembers() {
    let sum = (a.cache + b.cache) + (.empty + c.cache)
    XCTAssertEqual(sum.metadata.members.count, 3)
    XCTAssertEqual(sum.get(0).answer, "not found")
    XCTAssertEqual([a.events, b.events, c.events], Array(repeating: ["get 0"], count: 3))
  }

  func testASumOfOneCacheIsThatCacheAndAnEmptySumIsTheEmptyCache() {
    let one = a.cache
    XCTAssertTrue((.empty + one).metadata === one.metadata)
    XCTAssertTrue((one + .empty).metadata === one.metadata)
    XCTAssertTrue((Cache<Int, Int>.empty + .empty).metadata.isEmpty)
  }

  func testItIsReadOnlyIfAllOfItsMembersAre() {
    let fetcher = b.cache.fetcher
    XCTAssertFalse((a.cache + fetcher).metadata.isReadOnly)
    XCTAssertTrue((fetcher + c.cache.fetcher).metadata.isReadOnly)
  }

  func testAMemoryWarningReachesEveryMember() {
    let levels = (0..<5).map { ScriptedLevel($0, LevelScript()) }
    levels.map(\.cache).reduce(.empty, +).memoryWarning()
    XCTAssertEqual(levels.map(\.rest.isWarned), Array(repeating: true, count: 5))
  }

  func testForgettingReachesEveryMember() {
    let pools = (0..<4).map { _ in ScriptedLevel(0, LevelScript(hasSlowGets: true)) }
    let sum = pools.map { $0.cache.fetcher.pooled() }.reduce(.empty, +)
    let direct = sum.metadata.members.map { $0.cache.get(7) }
    sum.metadata.forget(7)
    let again = sum.metadata.members.map { $0.cache.get(7) }
    XCTAssertEqual(pools.map(\.events), Array(repeating: ["get 7", "get 7"], count: 4))
    withExtendedLifetime((direct, again)) {}
  }
}
