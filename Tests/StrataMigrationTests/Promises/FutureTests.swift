import Strata
import StrataMigration
import XCTest

final class FutureTests: XCTestCase {
  func testAMimicEndsAsItsModelDoes() {
    for end in Promise<Int>.ends(2) {
      for isSettledBefore in [false, true] {
        let model = Later<Int>()
        if isSettledBefore { model.continuation.settle(end) }
        let copy: Future<Int> = Promise { $0.mimic(model.promise) }
        model.continuation.settle(end)
        XCTAssertEqual(copy.text, end.text)
      }
    }
  }

  func testCancellingAMimicStopsTheWork() {
    let journal = Journal<String>()
    let model = Later<Int>("model", in: journal)
    let copy: Future<Int> = Promise { $0.mimic(model.promise) }
    XCTAssertEqual(model.promise.interests, 1)
    copy.cancel()
    XCTAssertEqual(journal.entries, ["model stopped"])
    withExtendedLifetime(model) {}  // A released continuation would settle its promise.
  }
}
