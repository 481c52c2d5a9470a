import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class NamedTests: XCTestCase {
  func testANameDoesNotWrapTheFunctions() {
    // Without an observer, a name must not slow down a cache, so the named cache has the closures
    // of the original cache, without wrappers.
    let cache = ScriptedLevel(0, LevelScript()).cache
    XCTAssertEqual(functions(of: cache.named("level")), functions(of: cache))
    XCTAssertNotEqual(functions(of: cache.observed { _ in }), functions(of: cache))
  }

  /// Returns two pointers for each of the cache's five functions: a code pointer and a context
  /// pointer. The first five stored properties of a `Cache` are these functions.
  private func functions(of cache: Cache<Int, Int>) -> [UInt] {
    withUnsafeBytes(of: cache) { Array($0.bindMemory(to: UInt.self).prefix(10)) }
  }

  func testANamedReadOnlyCacheStaysReadOnly() {
    let fetcher = Fetcher<Int, Int>(offMainThread: false) { $0 }.named("origin")
    let level = ScriptedLevel(0, LevelScript())
    let cache = fetcher + level.cache
    XCTAssertEqual(cache.set(0, 1).answer, "()")
    XCTAssertEqual(level.events, ["set 0 1"])
    XCTAssertTrue(fetcher.metadata.isReadOnly)
  }

  func testANameOfASumKeepsItClosedInThePlan() {
    let memory: Cache<Int, Int> = .memory()
    XCTAssertEqual(
      ((memory + memory).named("near") + memory).plan.description,
      "(memory(1000) + memory(1000)).named(\"near\") + memory(1000)")
  }
}
