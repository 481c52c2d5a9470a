import XCTest

@testable import Strata

final class PromiseTests: XCTestCase {
  func testAnAnswerThatIsThereLiesInThePromise() {
    let made = Promise<Int> { (continuation: Promise<Int>.Continuation) in continuation.succeed(1) }
    let derived: Promise<Int> = Promise(1).map { $0 + 1 }.flatMap { Promise($0) }
    let failed = Promise<Int>(error: Broken.here)
    let ready: [Promise<Int>] = [
      Promise(1), failed, .cancelled, made, derived, derived.filter { _ in true },
      failed.recover { _ in 1 },
    ]
    for promise in ready {
      guard promise.isReady else { return XCTFail("\(promise) is pending") }
    }
  }

  func testAnOptionalIsKeptOrFailsWithTheErrorGiven() {
    XCTAssertEqual(Promise(7 as Int?, or: Broken.here).text, "7")
    XCTAssertEqual(Promise(nil as Int?, or: Broken.here).text, "failed: here")
    XCTAssertEqual(Promise<Int?>(nil).text, "nil")
    XCTAssertEqual(Promise<Void>().text, "()")
  }

  func testWorkBeginsBeforeAnybodyListensAndOnlyOnce() {
    let journal = Journal<String>()
    let promise = Promise<Int> { (continuation: Promise<Int>.Continuation) in
      journal.note("begun")
      continuation.succeed(1)
    }
    promise.onSuccess { journal.note("first \($0)") }
    promise.onSuccess { journal.note("second \($0)") }
    XCTAssertEqual(journal.entries, ["begun", "first 1", "second 1"])
  }

  func testAnAsyncFunctionAnswersWithItsValueOrItsError() throws {
    XCTAssertEqual(
      try Promise<Int> {
        await Task.yield(); return 3
      }.wait(for: .seconds(60)), 3)
    let failing = Promise<Int> { () async throws -> Int in throw Broken.there }
    XCTAssertThrowsError(try failing.wait(for: .seconds(60)))
    XCTAssertEqual(failing.text, "failed: there")
  }

  func testCancellingThePromiseCancelsItsTask() async throws {
    let (gate, never) = (Later<Void>(), Later<Void>())
    let stopped = Later<Bool>()
    let promise = Promise<Int> {
      gate.continuation.succeed()
      await withTaskCancellationHandler {
        _ = try? await never.promise.value
      } onCancel: {
        stopped.continuation.succeed(true)
      }
      return 1
    }
    try await gate.promise.value
    promise.cancel()
    let wasStopped = try await stopped.promise.value
    XCTAssertTrue(wasStopped)
    XCTAssertEqual(promise.text, "cancelled")
  }

  func testWorkThatThrowsCancellationErrorUncancelledHasFailed() throws {
    let promise = Promise<Int> { () async throws -> Int in throw CancellationError() }
    XCTAssertThrowsError(try promise.wait(for: .seconds(60)))
    XCTAssertEqual(promise.text, "failed: CancellationError()")
    XCTAssertEqual(promise.recover { _ in 5 }.text, "5")
    XCTAssertEqual(
      Promise(1).map { _ -> Int in throw CancellationError() }.recover { _ in 2 }.text, "2")
  }

  func testWhatNobodyTookAnInterestInRunsToItsEnd() throws {
    let journal = Journal<String>()
    let ended = Later<Void>()
    do {
      _ = Promise<Int> {
        await Task.yield()
        journal.note(Task.isCancelled ? "cancelled" : "ran")
        ended.continuation.succeed()
        return 1
      }
    }
    try ended.promise.wait(for: .seconds(60))
    XCTAssertEqual(journal.entries, ["ran"])
  }

  func testCancellingSettlesForAllWhoHoldIt() {
    let journal = Journal<String>()
    let work = Later<Int>("work", in: journal)
    let copy = work.promise
    let derived = copy.map { $0 + 1 }
    copy.onSuccess { _ in journal.note("kept") }
    journal.follow(derived, as: "derived")
    work.promise.cancel()
    work.promise.cancel()
    XCTAssertEqual(journal.entries, ["work stopped", "derived cancelled"])
    XCTAssertEqual([copy.text, derived.text], ["cancelled", "cancelled"])
    XCTAssertFalse(work.continuation.succeed(1))
  }

  func testLettingGoOfAPromiseWithdrawsNothing() {
    let journal = Journal<String>()
    let work = Later<Int>("work", in: journal)
    do { _ = work.promise.map { journal.note("mapped \($0)") } }
    work.continuation.succeed(1)
    XCTAssertEqual(journal.entries, ["mapped 1"])
  }

  func testOutcomesTellValueErrorAndCancellationApart() {
    let outcomes: [Promise<Int>.Outcome] = [.success(1), .failure(Broken.here), .cancelled]
    XCTAssertEqual(outcomes.map(\.value), [1, nil, nil])
    XCTAssertEqual(outcomes.map { $0.error as? Broken }, [nil, .here, nil])
    XCTAssertEqual(outcomes.map(\.isCancelled), [false, false, true])
    XCTAssertEqual(try? outcomes[0].get(), 1)
    XCTAssertThrowsError(try outcomes[1].get()) { XCTAssertEqual($0 as? Broken, .here) }
    XCTAssertThrowsError(try outcomes[2].get()) { XCTAssertTrue($0 is CancellationError) }
  }
}
