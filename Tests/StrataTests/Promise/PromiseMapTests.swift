import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class PromiseMapTests: XCTestCase {
  func testAValueIsTransformedAndAnErrorThrownInItFails() {
    XCTAssertEqual(Promise(1).map { $0 + 1 }.text, "2")
    XCTAssertEqual(Promise(1).map { _ -> Int in throw Broken.there }.text, "failed: there")
    XCTAssertEqual(
      Promise(1).flatMap { _ -> Promise<Int> in throw Broken.there }.text, "failed: there")
  }

  func testAFailureOrCancellationPassesWithoutATransform() {
    let journal = Journal<Int>()
    for promise in [Promise<Int>(error: Broken.here), .cancelled] {
      let derived = promise.map { journal.note($0) }
      XCTAssertEqual(derived.text, promise.text)
    }
    XCTAssertEqual(journal.entries, [])
  }

  func testAPendingPromiseIsTransformedWhenItIsFulfilled() {
    let (work, next) = (Later<Int>(), Later<String>())
    let derived = work.promise.flatMap { value in next.promise.map { "\(value)\($0)" } }
    XCTAssertEqual(derived.text, "pending")
    work.continuation.succeed(1)
    XCTAssertEqual(derived.text, "pending")
    next.continuation.succeed("a")
    XCTAssertEqual(derived.text, "1a")
  }

  func testCancellingADerivedPromiseWithdrawsOnlyItsOwnInterest() {
    let journal = Journal<String>()
    let work = Later<Int>("work", in: journal)
    let one = work.promise.map { $0 + 1 }
    let other = work.promise.map { $0 + 2 }
    one.cancel()
    XCTAssertEqual([one.text, other.text, work.promise.text], ["cancelled", "pending", "pending"])
    work.continuation.succeed(1)
    XCTAssertEqual(other.text, "3")
    XCTAssertEqual(journal.entries, [])
  }

  func testTheLastInterestWithdrawnCancelsTheWork() {
    let journal = Journal<String>()
    let work = Later<Int>("work", in: journal)
    let derived = (0..<50).map { number in work.promise.map { $0 + number } }
    for promise in derived.dropLast() { promise.cancel() }
    XCTAssertEqual(journal.entries, [])
    derived.last?.cancel()
    XCTAssertEqual(journal.entries, ["work stopped"])
    XCTAssertEqual(work.promise.text, "cancelled")
  }

  func testACancellationReachesTheSecondStageWhenTheFirstIsDone() {
    let journal = Journal<String>()
    let (first, second) = (Later<Int>("first", in: journal), Later<Int>("second", in: journal))
    let derived = first.promise.flatMap { _ in second.promise }.map { $0 }.recover { _ in 0 }
    first.continuation.succeed(1)
    derived.cancel()
    XCTAssertEqual(journal.entries, ["second stopped"])
    XCTAssertEqual(second.promise.text, "cancelled")
  }

  func testACancellationInTheFirstStageNeverBeginsTheSecond() {
    let journal = Journal<String>()
    let first = Later<Int>("first", in: journal)
    let derived = first.promise.flatMap { _ -> Promise<Int> in
      journal.note("second begun")
      return Promise(1)
    }
    derived.cancel()
    XCTAssertFalse(first.continuation.succeed(1))
    XCTAssertEqual(journal.entries, ["first stopped"])
  }

  func testACancellationInsideTheTransformStopsItsWork() {
    let journal = Journal<String>()
    let (first, second) = (Later<Int>(), Later<Int>("second", in: journal))
    let held = Lock<Promise<Int>?>(nil)
    let derived = first.promise.flatMap { _ -> Promise<Int> in
      held.withLock { $0 }?.cancel()
      return second.promise
    }
    held.withLock { $0 = derived }
    first.continuation.succeed(1)
    XCTAssertEqual(derived.text, "cancelled")
    XCTAssertEqual(journal.entries, ["second stopped"])
    held.withLock { $0 = nil }
  }

  func testASecondStageWithOtherInterestsGoesOn() {
    let (first, second) = (Later<Int>(), Later<Int>())
    let other = second.promise.map { $0 }
    let derived = first.promise.flatMap { _ in second.promise }
    first.continuation.succeed(1)
    derived.cancel()
    XCTAssertEqual(second.promise.text, "pending")
    second.continuation.succeed(2)
    XCTAssertEqual(other.text, "2")
  }
}
