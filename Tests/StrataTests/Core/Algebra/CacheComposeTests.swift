import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class CacheComposeTests: XCTestCase {
  private func levels(
    _ upper: LevelScript = LevelScript(), _ lower: LevelScript = LevelScript()
  ) -> (upper: ScriptedLevel, lower: ScriptedLevel, cache: Cache<Int, Int>) {
    let (upper, lower) = (ScriptedLevel(0, upper), ScriptedLevel(1, lower))
    return (upper, lower, upper.cache + lower.cache)
  }

  private func error(_ level: Int, isMiss: Bool = false) -> String {
    Promise<Int>(error: ScriptError(level: level, key: 0, isMiss: isMiss)).answer
  }

  func testAHitAboveDoesNotReachTheLevelBelow() {  // T1
    let (upper, lower, cache) = levels(LevelScript(contents: [0: 5]))
    XCTAssertEqual(cache.get(0).answer, "5")
    XCTAssertEqual(upper.events, ["get 0"])
    XCTAssertEqual(lower.events, [])
  }

  func testAMissAboveReadsEachLevelOnce() {  // T2
    let (upper, lower, cache) = levels(LevelScript(), LevelScript(contents: [0: 5]))
    XCTAssertEqual(cache.get(0).answer, "5")
    XCTAssertEqual(upper.events.filter { $0.hasPrefix("get") }, ["get 0"])
    XCTAssertEqual(lower.events, ["get 0"])
  }

  func testAHitBelowIsWrittenAboveOnceAndNotBelow() {  // T3
    let (upper, lower, cache) = levels(LevelScript(), LevelScript(contents: [0: 5]))
    _ = cache.get(0)
    XCTAssertEqual(upper.events, ["get 0", "set 0 5"])
    XCTAssertEqual(lower.events, ["get 0"])
  }

  func testAMissInBothIsAMiss() {  // T4
    let (upper, lower, cache) = levels()
    XCTAssertEqual(cache.get(0).answer, "not found")
    XCTAssertEqual(upper.events + lower.events, ["get 0", "get 0"])
  }

  func testAFailureAboveFallsThrough() {  // T5
    let broken = LevelScript(getFaults: [0: .failure])
    XCTAssertEqual(levels(broken, LevelScript(contents: [0: 5])).cache.get(0).answer, "5")
  }

  func testAFailingBackFillDoesNotFailTheGet() {  // T6
    let (upper, _, cache) = levels(
      LevelScript(writeFaults: [0: .failure]), LevelScript(contents: [0: 5]))
    XCTAssertEqual(cache.get(0).answer, "5")
    XCTAssertEqual(upper.events, ["get 0", "set 0 5"])
  }

  func testASlowBackFillDoesNotHoldUpTheGet() {
    let (upper, _, cache) = levels(
      LevelScript(hasSlowWrites: true), LevelScript(contents: [0: 5]))
    XCTAssertEqual(cache.get(0).answer, "5")
    XCTAssertEqual(upper.waiting, 1)
  }

  func testACancelledGetGivesNeitherValueNorFailure() {  // T7
    let (upper, lower, cache) = levels(
      LevelScript(hasSlowGets: true), LevelScript(contents: [0: 5], hasSlowGets: true))
    let inUpper = cache.get(0)
    inUpper.cancel()
    upper.settle(0)
    XCTAssertEqual(inUpper.answer, "cancelled")
    XCTAssertEqual(lower.events, [])
    let inLower = cache.get(0)
    upper.settle(0)
    inLower.cancel()
    lower.settle(0)
    XCTAssertEqual(inLower.answer, "cancelled")
    XCTAssertEqual(upper.rest.contents, [:])
  }

  func testCancellingStopsTheLevelThatIsRead() {  // T68
    let (upper, lower, cache) = levels(
      LevelScript(hasSlowGets: true), LevelScript(contents: [0: 5], hasSlowGets: true))
    let get = ({ (key: Int) throws -> Int in key } <^> cache).get(0)
    upper.settle(0)
    get.cancel()
    XCTAssertEqual(upper.events, ["get 0"])
    XCTAssertEqual(lower.events, ["get 0", "cancel get 0"])
    XCTAssertEqual(get.answer, "cancelled")
  }

  func testALevelThatCancelsStopsTheGet() {
    let (_, lower, cache) = levels(
      LevelScript(getFaults: [0: .cancellation]), LevelScript(contents: [0: 5]))
    XCTAssertEqual(cache.get(0).answer, "cancelled")
    XCTAssertEqual(lower.events, [])
  }

  func testASetReachesBothAndSettlesAfterBoth() {  // T8
    let slow = LevelScript(hasSlowWrites: true)
    let (upper, lower, cache) = levels(slow, slow)
    let set = cache.set(0, 5)
    upper.settle(0)
    XCTAssertEqual(set.answer, "no answer")
    lower.settle(0)
    XCTAssertEqual(set.answer, "()")
    XCTAssertEqual(upper.events + lower.events, ["set 0 5", "set 0 5"])
  }

  func testAFailingSetFailsWithTheUppermostError() {  // T9
    let broken = LevelScript(writeFaults: [0: .failure])
    let cancelled = LevelScript(writeFaults: [0: .cancellation])
    XCTAssertEqual(levels(broken).cache.set(0, 5).answer, error(0))
    let (upper, _, cache) = levels(LevelScript(), broken)
    XCTAssertEqual(cache.set(0, 5).answer, error(1))
    XCTAssertEqual(upper.rest.contents, [0: 5])
    XCTAssertEqual(levels(broken, broken).cache.set(0, 5).answer, error(0))
    XCTAssertEqual(levels(cancelled, broken).cache.set(0, 5).answer, error(1))
    XCTAssertEqual(levels(cancelled).cache.set(0, 5).answer, "cancelled")
  }

  func testWritesOfTheLevelsOverlap() {  // T10
    let slow = LevelScript(hasSlowWrites: true)
    let (upper, lower, cache) = levels(slow, slow)
    for write in [{ cache.set(0, 5) }, { cache.remove(0) }, { cache.clear() }] {
      let promise = write()
      XCTAssertEqual([upper.waiting, lower.waiting], [1, 1])
      lower.settle(0)
      upper.settle(0)
      XCTAssertEqual(promise.answer, "()")
    }
  }

  func testAClearAndAWarningReachBothOnce() {  // T11
    let (upper, lower, cache) = levels()
    _ = cache.clear()
    cache.memoryWarning()
    XCTAssertEqual(upper.events, ["clear", "warn"])
    XCTAssertEqual(lower.events, ["clear", "warn"])
  }

  func testARemoveReachesBothAndReportsEitherFailure() {  // T12
    let broken = LevelScript(contents: [0: 5], writeFaults: [0: .failure])
    let whole = LevelScript(contents: [0: 5])
    let (upper, _, cache) = levels(whole, broken)
    XCTAssertEqual(cache.remove(0).answer, error(1))
    XCTAssertEqual(upper.rest.contents, [:])
    let (_, lower, other) = levels(broken, whole)
    XCTAssertEqual(other.remove(0).answer, error(0))
    XCTAssertEqual(lower.rest.contents, [:])
  }

  func testAStoredValueIsFoundAndNothingElse() {  // T14
    let cache: Cache<String, Int> = .memory() + .memory()
    _ = cache.set("known", 5)
    XCTAssertEqual(cache.get("known").answer, "5")
    XCTAssertEqual(cache.get("unknown").answer, "not found")
  }

  func testAGetOutlivesTheCacheAndThenReleasesTheLevels() {  // T15
    weak var weakUpper: ScriptedLevel?
    weak var weakLower: ScriptedLevel?
    do {
      let upper = ScriptedLevel(0, LevelScript())
      let lower = ScriptedLevel(1, LevelScript(contents: [0: 5], hasSlowGets: true))
      (weakUpper, weakLower) = (upper, lower)
      let get = (upper.cache + lower.cache).get(0)
      lower.settle(0)
      XCTAssertEqual(get.answer, "5")
      XCTAssertEqual(upper.rest.contents, [0: 5])
    }
    XCTAssertNil(weakUpper)
    XCTAssertNil(weakLower)
  }

  func testARecordThatNoLongerDecodesIsHealed() {
    let old = ScriptedLevel(0, LevelScript(contents: [0: 1]))
    let origin = Fetcher<Int, Int> { _ in Promise(17) }
    let cache = old.cache <*> .fragile + origin
    XCTAssertEqual(cache.get(0).answer, "17")
    XCTAssertEqual(old.rest.contents, [0: 7])
    XCTAssertEqual((old.cache <*> .fragile).get(0).answer, "17")
  }

  func testAStoredNilIsAValue() async throws {
    let cache: Cache<Int, Int?> = .memory() + .memory()
    try await cache.set(nil, for: 0)
    let (stored, missing) = (try await cache.findValue(for: 0), try await cache.findValue(for: 1))
    XCTAssertEqual(stored, .some(nil))
    XCTAssertEqual(missing, nil)
  }
}
