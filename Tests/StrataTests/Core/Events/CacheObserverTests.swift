import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class CacheObserverTests: XCTestCase {
  func testAnObserverOfSeveralPassesEachEventToAllInOrder() {
    let lines = Journal<String>()
    let observers = ["a", "b"].map { name in CacheObserver { lines.note("\(name) \($0)") } }
    let both = CacheObserver(observers)
    XCTAssertFalse(both.measuresHits)
    both.receive(CacheEvent(stage: "memory", operation: .get, outcome: .success))
    XCTAssertEqual(lines.entries, ["a memory: get hit in 0.0 ns", "b memory: get hit in 0.0 ns"])
  }

  func testAnObserverOfSeveralMeasuresIfOneNeedsDurations() {
    let plain = CacheObserver { _ in }
    let measuring = CacheObserver(measuringHits: true) { _ in }
    XCTAssertTrue(CacheObserver([plain, measuring]).measuresHits)
    let counting = CacheObserver([plain, CacheStatistics().observer])
    XCTAssertTrue(counting.measuresHits)
    XCTAssertFalse(counting.countsOnly)
    XCTAssertEqual(counting.counters("memory").count, 1)
    XCTAssertTrue(CacheObserver([CacheStatistics().observer]).countsOnly)
  }
}
