import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class UnstampingTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()

  func testAReadOnlyCacheStaysOneAndForgetsThroughTheVerb() {
    let source = ScriptedLevel(0, LevelScript(contents: [0: 1], hasSlowGets: true))
    let now = time.now()
    let fetcher = source.cache.fetcher.pooled().mapValues { Stamped($0, storedAt: now) }
    let cache =
      .memory() + fetcher.clocked(by: time).expiring(after: .seconds(1)) as Cache<Int, Int>
    _ = cache.get(0)
    _ = cache.set(0, 2)
    _ = cache.get(0)
    XCTAssertEqual(source.events, ["get 0"])  // The get found the value that was set above.
    _ = cache.remove(0)
    _ = cache.get(0)
    XCTAssertEqual(source.events, ["get 0", "get 0"])
  }

  func testAnExpiredValueIsAMissSynchronouslyOrLater() {
    let now = time.now()
    let dead = Stamped(1, storedAt: now, lasting: .zero)
    let (later, live) = (Later<Stamped<Int>>(), Stamped(2, storedAt: now, lasting: .seconds(1)))
    let get = Cache<Int, Stamped<Int>>.unexpired(time) { key in
      key == 0 ? Promise(dead) : key == 1 ? Promise(live) : later.promise
    }
    let slow = get(2)
    XCTAssertEqual([get(0).answer, get(1).answer, slow.answer], ["not found", "2", "no answer"])
    clock.advance(by: .seconds(1))
    later.continuation.succeed(live)
    XCTAssertEqual([get(1).answer, slow.answer], ["not found", "not found"])
  }
}
