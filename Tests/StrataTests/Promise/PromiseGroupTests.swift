import XCTest

@testable import StrataCore

final class PromiseGroupTests: XCTestCase {
  func testAGroupHoldsOneInterestInEachMemberAndWithdrawsIt() {
    let (lonely, shared) = (Later<Int>(), Later<Int>())
    let keeper = shared.promise.map { $0 }
    let whole = Promise.all([lonely.promise, shared.promise])
    XCTAssertEqual([lonely.promise.interests, shared.promise.interests], [1, 2])
    whole.cancel()
    XCTAssertEqual([lonely.promise.text, shared.promise.text], ["cancelled", "pending"])
    shared.continuation.succeed(2)
    XCTAssertEqual(keeper.text, "2")
  }

  func testTheFirstOutcomeEndsTheGroupAndCancelsTheRest() {
    let journal = Journal<String>()
    let (one, other) = (Later<Int>("one", in: journal), Later<Int>("other", in: journal))
    let whole = PromiseGroup<String>()
    whole.add(one.promise) { whole.end(.success("one \($0.text)")) }
    whole.add(other.promise) { whole.end(.success("other \($0.text)")) }
    let promise = whole.promise()
    XCTAssertFalse(whole.hasEnded)
    one.continuation.succeed(1)
    XCTAssertTrue(whole.hasEnded)
    XCTAssertEqual(promise.text, "one 1")
    XCTAssertEqual(journal.entries, ["other stopped"])
  }

  func testTheRestIsCancelledBeforeTheListenersAreCalled() {
    let journal = Journal<String>()
    let (one, other) = (Later<Int>(), Later<Int>("other", in: journal))
    let whole = PromiseGroup<Int>()
    whole.add(one.promise) { whole.end($0) }
    whole.add(other.promise) { whole.end($0) }
    whole.promise().onCompletion { journal.note("ended with \($0.text)") }
    one.continuation.succeed(1)
    XCTAssertEqual(journal.entries, ["other stopped", "ended with 1"])
  }

  func testAMemberAddedAfterTheEndIsWithdrawnImmediately() {
    let journal = Journal<String>()
    let whole = PromiseGroup<Int>()
    whole.end(.success(1))
    let late = Later<Int>("late", in: journal)
    whole.add(late.promise) { _ in }
    XCTAssertEqual(journal.entries, ["late stopped"])
    XCTAssertEqual(whole.promise().text, "1")
  }
}
