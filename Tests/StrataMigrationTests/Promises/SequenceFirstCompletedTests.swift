import Strata
import StrataMigration
import XCTest

final class SequenceFirstCompletedTests: XCTestCase {
  func testAnEmptySequenceIsAMiss() {
    let none: [Promise<Int>] = []
    XCTAssertEqual(none.firstCompleted().outcome?.error as? CacheError, .notFound)
  }

  func testTheFirstOutcomeEndsTheRaceAndCancelsTheRest() {  // T57
    for end in [Promise<Int>.Outcome.success(1), .failure(Broken.here), .cancelled] {
      for isSettledBefore in [false, true] {
        let journal = Journal<String>()
        let works = (0..<3).map { Later<Int>("\($0)", in: journal) }
        if isSettledBefore { works[1].continuation.settle(end) }
        let first = works.map(\.promise).firstCompleted()
        works[1].continuation.settle(end)
        XCTAssertEqual(first.text, end.text)
        let stopped = journal.entries.filter { $0 != "1 stopped" }
        XCTAssertEqual(stopped, ["0 stopped", "2 stopped"])
        withExtendedLifetime(works) {}  // A released continuation would settle its promise.
      }
    }
  }

  func testCancellingTheRaceStopsTheWorkThatNoOtherCallerNeeds() {
    let (lonely, shared) = (Later<Int>(), Later<Int>())
    let keeper = shared.promise.map { $0 }
    let first = [lonely.promise, shared.promise].firstCompleted()
    XCTAssertEqual([lonely.promise.interests, shared.promise.interests], [1, 2])
    first.cancel()
    XCTAssertEqual([lonely.promise.text, shared.promise.text], ["cancelled", "pending"])
    shared.continuation.succeed(2)
    XCTAssertEqual(keeper.text, "2")
  }

  func testARaceIsReleasedAfterAnyOutcome() {
    final class Token: Sendable {}
    for end in Promise<Int>.ends(1) {
      weak var weakToken: Token?
      do {
        let token = Token()
        weakToken = token
        let works = (0..<2).map { _ in Later<Int> { withExtendedLifetime(token) {} } }
        let race = works.map(\.promise).firstCompleted()
        race.onCompletion { _ in withExtendedLifetime(token) {} }
        works[1].continuation.settle(end)
        XCTAssertEqual(race.text, end.text)
      }
      XCTAssertNil(weakToken, "\(end)")
    }
  }
}
