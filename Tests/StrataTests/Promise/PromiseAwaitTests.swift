import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class PromiseAwaitTests: XCTestCase {
  /// Starts a task that awaits `promise`, and waits until the task has registered its interest in
  /// the promise.
  private func awaiting(_ promise: Promise<Int>) async -> Task<Int, any Error> {
    let before = promise.interests
    let task = Task { try await promise.value }
    while promise.interests == before { await Task.yield() }
    return task
  }

  func testAnAwaitingTaskGetsTheValueTheErrorOrTheCancellation() async {
    for end in [Promise<Int>.Outcome.success(1), .failure(Broken.here), .cancelled] {
      let work = Later<Int>()
      let task = await awaiting(work.promise)
      work.continuation.settle(end)
      let heard = await task.result
      XCTAssertEqual("\(heard)", "\(Result { try end.get() })")
    }
  }

  func testAnAvailableAnswerIsReturnedEvenToACancelledTask() async {
    let task = Task { () -> Int? in
      withUnsafeCurrentTask { $0?.cancel() }
      return try? await Promise(1).value
    }
    let value = await task.value
    XCTAssertEqual(value, 1)
  }

  func testACancelledTaskGetsItsErrorImmediatelyAndAffectsNoOtherTask() async throws {
    let journal = Journal<String>()
    let work = Later<Int>("work", in: journal)
    let (one, other) = (await awaiting(work.promise), await awaiting(work.promise))
    one.cancel()
    let end = await one.result
    XCTAssertThrowsError(try end.get()) { XCTAssertTrue($0 is CancellationError) }
    XCTAssertEqual(work.promise.interests, 1)
    work.continuation.succeed(7)
    let value = try await other.value
    XCTAssertEqual(value, 7)
    XCTAssertEqual(journal.entries, [])
  }

  func testTheLastTaskCancelledStopsTheWork() async {
    let journal = Journal<String>()
    let work = Later<Int>("work", in: journal)
    let tasks = [await awaiting(work.promise), await awaiting(work.promise)]
    for task in tasks { task.cancel() }
    for task in tasks { _ = await task.result }
    XCTAssertEqual(journal.entries, ["work stopped"])
  }

  func testATaskCancelledBeforeItAwaitsStopsWorkWithoutOtherInterests() async {
    let journal = Journal<String>()
    let (lonely, shared) = (Later<Int>("lonely", in: journal), Later<Int>("shared", in: journal))
    let keeper = shared.promise.map { $0 }
    for promise in [lonely.promise, shared.promise] {
      let task = Task { () -> Bool in
        withUnsafeCurrentTask { $0?.cancel() }
        do { _ = try await promise.value } catch { return error is CancellationError }
        return false
      }
      let isCancelled = await task.value
      XCTAssertTrue(isCancelled)
    }
    XCTAssertEqual(journal.entries, ["lonely stopped"])
    shared.continuation.succeed(1)
    XCTAssertEqual(keeper.text, "1")
  }

  @MainActor
  func testAwaitingDoesNotLeaveTheActor() async throws {
    let value = try await Promise(1).map { $0 + 1 }.value
    MainActor.assertIsolated()
    XCTAssertEqual(value, 2)
  }

  func testWaitReturnsTheOutcomeFromAnotherThread() throws {
    let works = (0..<3).map { _ in Later<Int>() }
    Thread.detachNewThread {
      works[0].continuation.succeed(1)
      works[1].continuation.fail(Broken.here)
      works[2].continuation.cancel()
    }
    XCTAssertEqual(try works[0].promise.wait(), 1)
    XCTAssertThrowsError(try works[1].promise.wait()) { XCTAssertEqual($0 as? Broken, .here) }
    XCTAssertThrowsError(try works[2].promise.wait()) { XCTAssertTrue($0 is CancellationError) }
    XCTAssertEqual(try Promise(2).wait(for: .zero), 2)
  }

  func testWaitGivesUpAfterItsLimitAndWithdrawsItsInterest() {
    let journal = Journal<String>()
    let (lonely, shared) = (Later<Int>("lonely", in: journal), Later<Int>("shared", in: journal))
    let keeper = shared.promise.map { $0 }
    for promise in [lonely.promise, shared.promise] {
      XCTAssertThrowsError(try promise.wait(for: .milliseconds(1))) {
        XCTAssertEqual($0 as? CacheError, .timedOut(after: .milliseconds(1)))
      }
    }
    XCTAssertEqual(journal.entries, ["lonely stopped"])
    XCTAssertEqual(keeper.text, "pending")
  }

  func testWaitRunsTheQueueOfThisThreadFirst() {
    let journal = Journal<String>()
    let (work, other) = (Later<Int>(), Later<Int>())
    let derived = other.promise.map { $0 + 1 }
    work.promise.onSuccess { value in
      other.continuation.succeed(value)
      journal.note("\((try? derived.wait(for: .seconds(300))) ?? -1)")
    }
    work.continuation.succeed(1)
    XCTAssertEqual(journal.entries, ["2"])
  }

  func testWaitInACallbackRunsTheCallbacksQueuedBehindIt() {
    let journal = Journal<String>()
    let work = Later<Int>()
    let later = Lock<Promise<Int>?>(nil)
    work.promise.onSuccess { _ in
      let earlier = later.withLock { $0 }
      journal.note("\((try? earlier?.wait(for: .seconds(300))) ?? -1)")
      let inside = work.promise.map { $0 + 2 }
      journal.note("\((try? inside.wait(for: .seconds(300))) ?? -1)")
    }
    let derived = work.promise.map { $0 + 1 }
    later.withLock { $0 = derived }
    work.continuation.succeed(1)
    XCTAssertEqual(journal.entries, ["2", "3"])
  }
}
