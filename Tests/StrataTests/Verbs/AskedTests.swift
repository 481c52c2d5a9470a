import StrataLaws
import XCTest

@testable import Strata

/// What the verbs that only ask in another way have in common.
final class AskedTests: XCTestCase {
  private let level = ScriptedLevel(0, LevelScript(contents: [0: 1]))

  func testGetsAreAskedInAnotherWayAndAllElseGoesToTheLevel() {
    let cache = level.cache.asked("novel", "1") { get in { key in get(key).map { $0 + 100 } } }
    XCTAssertEqual(cache.get(0).answer, "101")
    cache.set(2, for: 1)
    cache.removeValue(for: 1)
    cache.removeAll()
    cache.memoryWarning()
    XCTAssertEqual(level.events, ["get 0", "set 1 2", "remove 1", "clear", "warn"])
    XCTAssertEqual("\(cache.plan)", "cache.novel(1)")
  }

  func testWhatIsReadOnlyStaysSo() {
    let same:
      @Sendable (@escaping @Sendable (Int) -> Promise<Int>) -> @Sendable (Int) -> Promise<Int> =
        { $0 }
    XCTAssertTrue(level.cache.fetcher.cache.asked("novel", by: same).spine.isReadOnly)
    XCTAssertFalse(level.cache.asked("novel", by: same).spine.isReadOnly)
  }

  func testForgettingReachesTheLevelBeneath() {
    let slow = ScriptedLevel(0, LevelScript(hasSlowGets: true))
    let cache = slow.cache.fetcher.pooled().cache.asked("novel") { $0 }
    let first = cache.get(0)
    cache.spine.forget(0)
    let second = cache.get(0)
    XCTAssertEqual(slow.events, ["get 0", "get 0"])
    withExtendedLifetime((first, second)) {}
  }

  func testOnlyAQueueReportsThatAGetHasWaited() {
    for isQueue in [true, false] {
      let (journal, held) = (Journal<String>(), Lock<[@Sendable () -> Void]>([]))
      let cache = level.cache.named("level").asked("novel", isQueue: isQueue) { get in
        { key in
          Promise { continuation in
            let begin: @Sendable () -> Void = {
              get(key).onCompletion { continuation.settle($0) }
            }
            if key == 0 { begin() } else { held.withLock { $0.append(begin) } }
          }
        }
      }.observed { if $0.operation == .wait { journal.note("\($0.key.map { "\($0)" } ?? "")") } }
      _ = cache.get(0)
      let late = cache.get(5)
      for begin in held.withLock({ $0 }) { begin() }
      XCTAssertEqual(late.answer, "not found")
      XCTAssertEqual(journal.entries.count, isQueue ? 1 : 0)
    }
  }
}
