import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class ConditionedTests: XCTestCase {
  private let level = ScriptedLevel(0, LevelScript(contents: [0: 5], getFaults: [2: .failure]))
  private let below = ScriptedLevel(1, LevelScript(contents: [0: 6, 1: 7]))
  private let unmet = Promise<Int>(error: CacheError.conditionNotSatisfied).answer

  func testTheLevelAnswersIfTheConditionHolds() {  // T26
    let cache = level.cache.conditioned { _ in true }
    XCTAssertEqual(
      [cache.get(0).answer, cache.get(1).answer, cache.get(2).answer],
      ["5", "not found", level.cache.get(2).answer])
    XCTAssertEqual(level.events, ["get 0", "get 1", "get 2", "get 2"])
  }

  func testACancellationPasses() {  // T26
    let slow = ScriptedLevel(0, LevelScript(contents: [0: 5], hasSlowGets: true))
    let get = slow.cache.conditioned { _ in true }.get(0)
    get.cancel()
    XCTAssertEqual(slow.events, ["get 0", "cancel get 0"])
  }

  func testTheNextLevelAnswersIfTheConditionDoesNotHold() {  // T27
    let cache = level.cache.conditioned { $0 != 0 }
    XCTAssertEqual(cache.get(0).answer, unmet)
    XCTAssertEqual((cache + below.cache).get(0).answer, "6")
    XCTAssertEqual(level.events, ["remove 0"])
  }

  func testAnUnmetConditionIsAMiss() async throws {  // T27
    let found = try await level.cache.conditioned { _ in false }.findValue(for: 0)
    XCTAssertNil(found)
  }

  func testTheErrorOfAConditionFailsTheGet() {  // T28
    let conditions: [Cache<Int, Int>] = [
      level.cache.conditioned { _ in throw Broken.here },
      level.cache.conditioned { _ in Promise<Bool>(error: Broken.here) },
    ]
    XCTAssertEqual(conditions.map { $0.get(0).answer }, ["Broken.here", "Broken.here"])
    XCTAssertEqual(level.events, [])
  }

  func testASetOfASkippedKeyRemovesTheOldValue() {
    let cache = level.cache.conditioned { $0 == 0 }
    XCTAssertEqual([cache.set(0, 1).answer, cache.set(3, 1).answer], ["()", "()"])
    XCTAssertEqual(level.events, ["set 0 1", "remove 3"])
    let late = level.cache.conditioned { Promise($0 == 0) }
    XCTAssertEqual([late.set(0, 2).answer, late.set(3, 2).answer], ["()", "()"])
    XCTAssertEqual(level.events.suffix(2), ["set 0 2", "remove 3"])
  }

  func testASecretNeverReachesTheDiskThroughASum() {
    let disk: Cache<String, Int> = .dictionary()
    let cache =
      .memory() + disk.conditioned { !$0.hasPrefix("private/") }
      + Fetcher { Promise($0.utf8.count) }
    XCTAssertEqual(cache.get("private/a").answer, "9")
    XCTAssertEqual(cache.get("public/a").answer, "8")
    _ = cache.set("private/b", 1)
    let keys = ["private/a", "public/a", "private/b"]
    XCTAssertEqual(keys.map { disk.get($0).outcome?.value }, [nil, 8, nil])
  }

  func testTheErrorOfAConditionFailsTheSet() {
    for cache in [
      level.cache.conditioned { _ in throw Broken.here },
      level.cache.conditioned { _ in Promise<Bool>(error: Broken.here) },
    ] { XCTAssertEqual(cache.set(3, 1).answer, "Broken.here") }
    XCTAssertEqual(level.events, ["remove 3", "remove 3"])
  }

  func testOfflineIsAConditionOnTheRemoteLevelAlone() {
    let isOffline = Lock(true)
    let cache: Cache<Int, Int> =
      .memory() + level.cache.fetcher.conditioned { _ in !isOffline.withLock { $0 } }
    XCTAssertEqual(cache.get(0).answer, unmet)
    isOffline.withLock { $0 = false }
    XCTAssertEqual(cache.get(0).answer, "5")
    isOffline.withLock { $0 = true }
    XCTAssertEqual(cache.get(0).answer, "5")
  }

  func testRemovalsAndWarningsIgnoreTheCondition() {  // T29
    let cache = level.cache.conditioned { _ in throw Broken.here }
    _ = cache.remove(0)
    _ = cache.clear()
    cache.memoryWarning()
    XCTAssertEqual(level.events, ["remove 0", "clear", "warn"])
  }

  func testAConditionMayBeAsync() async throws {
    let later = Later<Bool>()
    let get = level.cache.conditioned { _ in later.promise }.get(0)
    XCTAssertEqual(level.events, [])
    later.continuation.succeed(true)
    XCTAssertEqual(get.answer, "5")
    let value = try await level.cache.conditioned { key async throws -> Bool in
      await Task.yield()
      return key == 0
    }.value(for: 0)
    XCTAssertEqual(value, 5)
  }

  func testCancellingInTheConditionStopsItWithoutReachingTheLevel() {  // T68
    let journal = Journal<String>()
    let later = Later<Bool>("condition", in: journal)
    let get = (level.cache.conditioned { _ in later.promise } + below.cache).get(0)
    get.cancel()
    XCTAssertEqual(get.answer, "cancelled")
    XCTAssertEqual(journal.entries, ["condition stopped"])
    XCTAssertEqual(level.events + below.events, [])
  }

  func testAFetcherIsConditionedToo() {
    let fetcher = level.cache.fetcher.conditioned { $0 == 0 }
    XCTAssertEqual([fetcher.get(0).answer, fetcher.get(1).answer], ["5", unmet])
    XCTAssertTrue(fetcher.metadata.isReadOnly)
  }

  func testThePlanShowsIt() {
    let fetcher = Fetcher<Int, Int>(offMainThread: false) { $0 }
    XCTAssertEqual(fetcher.conditioned { _ in true }.plan.description, "fetcher.conditioned()")
  }

  func testTheLevelBelowIsObservedThroughIt() {
    let stages = Journal<String>()
    let cache = level.cache.named("near").conditioned { _ in true }
    _ = cache.observed { stages.note($0.stage) }.get(0)
    XCTAssertEqual(stages.entries.first, "near")
  }
}
