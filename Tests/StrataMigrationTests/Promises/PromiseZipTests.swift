import Strata
import StrataMigration
import XCTest

final class PromiseZipTests: XCTestCase {
  func testBothValuesArriveInEitherOrder() {
    for order in [[0, 1], [1, 0]] {
      let (one, other) = (Later<Int>(), Later<String?>())
      let both = one.promise.zip(other.promise)
      for place in order {
        XCTAssertEqual(both.text, "pending")
        if place == 0 { one.continuation.succeed(1) } else { other.continuation.succeed(nil) }
      }
      XCTAssertEqual(both.text, "(1, nil)")
    }
    XCTAssertEqual(Promise(1).zip(Promise("a")).text, "(1, \"a\")")
  }

  func testAFailureOrCancellationOfOneEndsTheZipAndWithdrawsFromTheOther() {
    for end in [Promise<Int>.Outcome.failure(Broken.here), .cancelled] {
      for isSettledBefore in [false, true] {
        for failsFirst in [false, true] {
          let journal = Journal<String>()
          let (broken, other) = (Later<Int>(), Later<Int>("other", in: journal))
          if isSettledBefore { broken.continuation.settle(end) }
          let both =
            failsFirst
            ? broken.promise.zip(other.promise).map { _ in }
            : other.promise.zip(broken.promise).map { _ in }
          broken.continuation.settle(end)
          XCTAssertEqual(both.text, end.text)
          XCTAssertEqual(journal.entries, ["other stopped"])
        }
      }
    }
  }

  func testAZipHoldsOneInterestInEachAndWithdrawsIt() {
    let (one, other) = (Later<Int>(), Later<Int>())
    let keeper = other.promise.map { $0 }
    let both = one.promise.zip(other.promise)
    XCTAssertEqual([one.promise.interests, other.promise.interests], [1, 2])
    both.cancel()
    XCTAssertEqual([one.promise.text, other.promise.text], ["cancelled", "pending"])
    other.continuation.succeed(2)
    XCTAssertEqual(keeper.text, "2")
  }
}
