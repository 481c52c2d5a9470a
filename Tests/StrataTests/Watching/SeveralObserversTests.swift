import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Checks that the observers of one cache add up.
final class SeveralObserversTests: XCTestCase {
  private let near = Cache<Int, Int>.memory().named("near")
  private let far = Cache<Int, Int>.dictionary([1: 5])

  /// The events that two observers receive for a get.
  private func events(
    _ observe: (Cache<Int, Int>, CacheObserver, CacheObserver) -> Cache<Int, Int>
  ) -> [[String]] {
    let journals = [Journal<String>(), Journal<String>()]
    let observers = journals.map { journal in
      CacheObserver { journal.note("\($0.stage) \($0.operation)") }
    }
    _ = observe(.memory().named("near") + far, observers[0], observers[1]).get(1)
    return journals.map(\.entries)
  }

  func testTwoObserversAreTheirSum() {
    let sum = events { cache, one, two in cache.observed(by: one + two) }
    XCTAssertEqual(sum[0], sum[1])
    let stage = "memory(1000).named(\"near\") + dictionary"
    XCTAssertEqual(sum[0], ["near get", "near set", "\(stage) backFill", "\(stage) get"])
    XCTAssertEqual(events { $0.observed(by: $1).observed(by: $2) }, sum)
    XCTAssertEqual(events { $0.observed(by: $2).observed(by: $1) }, sum)
    XCTAssertEqual(events { $0.observed(by: $1).clocked(by: .system).observed(by: $2) }, sum)
  }

  func testTwoObserversAreOneStage() {
    let once = near.observed(by: .printing).plan
    XCTAssertEqual(near.observed(by: .printing).observed(by: .printing).plan, once)
  }

  func testANameAboveAnObserverIsAStageOfItsOwn() {
    let stages = Journal<String>()
    let cache = far.observed { _ in }.named("outer").observed { stages.note($0.stage) }
    _ = cache.get(1)
    XCTAssertEqual(stages.entries, ["dictionary", "outer"])
  }

  func testStatisticsAreAnObserver() {
    let statistics = CacheStatistics()
    let cache = near.observed(by: statistics)
    _ = cache.set(1, 2)
    _ = cache.get(1)
    XCTAssertEqual(statistics.snapshot["near"]?.hits, 1)
  }
}
