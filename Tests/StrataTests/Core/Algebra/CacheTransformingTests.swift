import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class CacheTransformingTests: XCTestCase {
  private let level = ScriptedLevel(0, LevelScript(contents: [0: 1]))

  func testGetsAreTransformedAndOtherOperationsReachTheLevel() {
    let cache = level.cache.transformingGet("novel", [nil: .count(1)]) { get in
      { key in get(key).map { $0 + 100 } }
    }
    XCTAssertEqual(cache.get(0).answer, "101")
    _ = cache.set(1, 2)
    _ = cache.remove(1)
    _ = cache.clear()
    cache.memoryWarning()
    XCTAssertEqual(level.events, ["get 0", "set 1 2", "remove 1", "clear", "warn"])
    XCTAssertEqual("\(cache.plan)", "cache.novel(1)")
  }

  func testAReadOnlyCacheStaysReadOnly() {
    let same:
      @Sendable (@escaping @Sendable (Int) -> Promise<Int>) -> @Sendable (Int) -> Promise<Int> =
        { $0 }
    XCTAssertTrue(level.cache.fetcher.transformingGet("novel", [:], same).metadata.isReadOnly)
    XCTAssertFalse(level.cache.transformingGet("novel", [:], same).metadata.isReadOnly)
  }

  func testForgettingReachesTheLevelBelow() {
    let slow = ScriptedLevel(0, LevelScript(hasSlowGets: true))
    let cache = slow.cache.fetcher.pooled().transformingGet("novel") { $0 }
    let first = cache.get(0)
    cache.metadata.forget(0)
    let second = cache.get(0)
    XCTAssertEqual(slow.events, ["get 0", "get 0"])
    withExtendedLifetime((first, second)) {}
  }

  func testAVerbThatChangesNothingChangesNothing() throws {
    try Laws.check(.transparent("named") { $0.transforming("v") { $0 } }, cases: Extent.cases(60))
    try Laws.check(
      .transparent("named") { $0.transformingGet("v") { $0 } }, cases: Extent.cases(60))
  }

  func testStagesBelowAUsersVerbReport() {
    let journal = Journal<String>()
    let cache = level.cache.named("level").transforming("mine") { operations in
      var result = operations
      result.get = { key in operations.get(key + 1) }
      return result
    }.observed { journal.note("\($0.stage) \($0.operation)") }
    _ = cache.get(-1)
    XCTAssertEqual(journal.entries, ["level get", "cache.named(\"level\").mine() get"])
  }

  func testAVerbMayChangeTheTypes() {
    let cache: Cache<String, String> = level.cache.transforming("text") { below in
      CacheOperations<String, String>(
        get: { key in below.get(key.count).map { "\($0)" } },
        set: { key, value in below.set(key.count, value.count) },
        remove: { below.remove($0.count) }, clear: below.clear,
        memoryWarning: below.memoryWarning, dropLoad: { below.dropLoad($0.map(\.count)) })
    }
    XCTAssertEqual(cache.get("").answer, "1")
    _ = cache.set("ab", "abc")
    XCTAssertEqual(level.events, ["get 0", "set 2 3"])
    XCTAssertEqual(cache.plan.types, CachePlan.Types(key: "String", value: "String"))
  }
}
