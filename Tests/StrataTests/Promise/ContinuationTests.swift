import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class ContinuationTests: XCTestCase {
  func testTheFirstAnswerCountsAndLaterOnesAreIgnored() {  // T56
    for first in 0..<3 {
      let journal = Journal<String>()
      let work = Later<Int>()
      journal.follow(work.promise, as: "end")
      let answers = [
        { work.continuation.succeed(1) }, { work.continuation.fail(Broken.here) },
        { work.continuation.cancel() },
      ]
      let heard = (0..<3).map { answers[(first + $0) % 3]() }
      XCTAssertEqual(heard, [true, false, false])
      XCTAssertFalse(work.continuation.settle(.success(9)))
      XCTAssertTrue(work.continuation.isSettled)
      XCTAssertEqual(
        journal.entries, [["end 1", "end failed: here", "end cancelled"][first]])
    }
  }

  func testReleasingAContinuationWithoutAnOutcomeFailsItsPromise() {
    let dropped = Promise<Int> { (_: Promise<Int>.Continuation) in }
    XCTAssertEqual(dropped.outcome?.error as? CacheError, .abandoned)
    let journal = Journal<String>()
    var work: Later<Int>? = Later()
    if let work { journal.follow(work.promise.map { $0 + 1 }, as: "derived") }
    XCTAssertEqual(journal.entries, [])
    work = nil
    XCTAssertEqual(journal.entries, ["derived failed: \(CacheError.abandoned)"])
  }

  func testTheWorkIsStoppedOnceAndOnlyByACancellation() {
    let journal = Journal<String>()
    for end in [Promise<Int>.Outcome.success(1), .failure(Broken.here), .cancelled] {
      let work = Later<Int>(end.text, in: journal)
      work.continuation.settle(end)
      work.promise.cancel()
    }
    XCTAssertEqual(journal.entries, ["cancelled stopped"])
  }

  func testALaterCancelHandlerReplacesAnEarlierOne() {
    let journal = Journal<String>()
    let work = Later<Int>("first stage", in: journal)
    work.continuation.onCancel { journal.note("second stage stopped") }
    work.promise.cancel()
    XCTAssertEqual(journal.entries, ["second stage stopped"])
  }

  func testACancelHandlerSetLateIsCalledOnlyForACancellation() {
    let journal = Journal<String>()
    let cancelled = Later<Int>()
    cancelled.promise.cancel()
    cancelled.continuation.onCancel { journal.note("stopped") }
    let kept = Later<Int>()
    kept.continuation.succeed(1)
    kept.continuation.onCancel { journal.note("never") }
    XCTAssertEqual(journal.entries, ["stopped"])
  }

  func testACancelHandlerThatIsNeverCalledIsReleasedAtTheEnd() {
    final class Token: Sendable {}
    for end in [Promise<Int>.Outcome.success(1), .failure(Broken.here), .cancelled] {
      weak var weakToken: Token?
      let work: Later<Int> = {
        let token = Token()
        weakToken = token
        return Later { withExtendedLifetime(token) {} }
      }()
      XCTAssertNotNil(weakToken)
      work.continuation.settle(end)
      XCTAssertNil(weakToken, end.text)
    }
  }
}
