import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class CacheTests: XCTestCase {
  private struct Broken: Error, Equatable {}

  func testCallSitesNameTheStoredFunctions() async throws {
    let level = ScriptedLevel(0, LevelScript())
    let cache = level.cache
    try await cache.set(1, for: 0)
    try await cache.removeValue(for: 0)
    try await cache.removeAll()
    XCTAssertEqual(level.events, ["set 0 1", "remove 0", "clear"])
  }

  func testACancelledTaskDoesNotAffectOtherGets() async throws {
    let level = ScriptedLevel(0, LevelScript(contents: [0: 5], hasSlowGets: true))
    let get = level.cache.get(0)
    let other = get.map { $0 }
    let task = Task { try await get.value }
    task.cancel()
    do {
      _ = try await task.value
      XCTFail("The cancelled task should throw an error.")
    } catch { XCTAssertTrue(error is CancellationError) }
    level.settle(0)
    XCTAssertEqual(other.answer, "5")
    XCTAssertEqual(level.events, ["get 0"])
  }

  func testTheEmptyCacheStoresNothing() {
    let cache = Cache<Int, Int>.empty
    XCTAssertEqual(cache.set(0, 1).answer, "()")
    XCTAssertEqual(cache.get(0).answer, "not found")
    XCTAssertEqual(cache.remove(0).answer, "()")
    XCTAssertEqual(cache.clear().answer, "()")
  }
}
