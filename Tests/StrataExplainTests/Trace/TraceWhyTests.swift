import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

/// Tests how traces explain verbs that can call a level more than once.
final class TraceWhyTests: XCTestCase {
  private let manual = TimeSource.manual()
  private let far = ScriptedLevel(1, LevelScript(getFaults: [9: .failure]))
  private lazy var recorder = Recorder(clock: manual.clock)

  /// Two levels that store stamped values, and an origin below them.
  private lazy var cache: Cache<Int, Int> = {
    let levels =
      Cache<Int, Stamped<Int>>.memory(clock: manual.clock).named("memory")
      + Cache<Int, Stamped<Int>>.dictionary().named("disk")
    let life = Freshness(for: .seconds(60), staleIfError: .seconds(600))
    return levels.clocked(by: manual.clock).refreshing(
      life, from: far.cache.fetcher.named("origin")
    )
    .observed(by: recorder)
  }()

  private func why(_ key: Int) throws -> String {
    try XCTUnwrap(recorder.trace { cache.get(key) }.outcome?.value?.trace.why)
  }

  func testAnUnobservedCacheIsNotExplained() throws {
    let unseen = Cache<Int, Int>.constant(1)
    let trace = recorder.trace { unseen.get(1) }.outcome?.value?.trace
    XCTAssertEqual(
      trace?.why,
      "the recorder saw no stage: observe the cache with the recorder, and name its stages")
  }

  func testAStageThatIsReadTwiceIsNamedOnce() throws {
    XCTAssertEqual(
      try why(1), "memory had nothing and disk had nothing and origin had nothing")
    _ = far.cache.set(2, 1)
    XCTAssertEqual(
      try why(2),
      "origin had it, since memory had nothing and disk had nothing; it was written into disk and "
        + "memory")
  }

  func testAStaleValueIsAnsweredBecauseTheRefreshFailed() throws {
    _ = cache.set(9, 5)
    manual.time.advance(by: .seconds(61))
    let error = ScriptError(level: 1, key: 9, isMiss: false)
    XCTAssertEqual(try why(9), "memory had it, stale, since origin failed (\(error))")
  }

  func testALevelThatIsFilledBeforeTheRefreshFailsIsNotNamedAsEmpty() throws {
    _ = cache.set(9, 5)
    cache.memoryWarning()  // Empties the memory, so the value comes from the disk.
    manual.time.advance(by: .seconds(61))
    let error = ScriptError(level: 1, key: 9, isMiss: false)
    XCTAssertEqual(try why(9), "memory had it, stale, since origin failed (\(error))")
  }

  func testAReadOnlyLevelIsNotExpectedToBeFilled() throws {
    let first = ScriptedLevel(2, LevelScript()).cache.fetcher.named("first")
    let second = ScriptedLevel(3, LevelScript(contents: [1: 1])).cache.fetcher.named("second")
    let cache = (Cache<Int, Int>.memory().named("memory") + first + second).observed(by: recorder)
    XCTAssertEqual(
      recorder.trace { cache.get(1) }.outcome?.value?.trace.why,
      "second had it, since memory had nothing and first had nothing; it was written into memory")
  }
}
