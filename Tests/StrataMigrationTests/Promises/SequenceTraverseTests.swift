import Strata
import StrataMigration
import XCTest

final class SequenceTraverseTests: XCTestCase {
  func testAllStartConcurrentlyAndNoMoreAfterAFailure() {
    let journal = Journal<String>()
    let works = (0..<3).map { Later<Int>("\($0)", in: journal) }
    let whole = (0..<5).traverse { place -> Promise<Int> in
      journal.note("start \(place)")
      if place == 3 { throw Broken.here }
      return works[place].promise
    }
    XCTAssertEqual(whole.text, "failed: here")
    XCTAssertEqual(
      journal.entries,
      ["start 0", "start 1", "start 2", "start 3", "0 stopped", "1 stopped", "2 stopped"])
  }

  func testAFailureOfAnEarlierPromiseStopsTheStarts() {
    let journal = Journal<String>()
    let works = (0..<3).map { Later<Int>("\($0)", in: journal) }
    let whole = (0..<3).traverse { place -> Promise<Int> in
      if place == 1 { works[0].continuation.fail(Broken.there) }
      journal.note("start \(place)")
      return works[place].promise
    }
    XCTAssertEqual(whole.text, "failed: there")
    XCTAssertEqual(journal.entries, ["start 0", "start 1", "1 stopped"])
    withExtendedLifetime(works) {}  // A released continuation would settle its promise.
  }

  func testNoElementsGiveNoValues() {
    XCTAssertEqual([Int]().traverse { Promise($0) }.text, "[]")
  }
}
