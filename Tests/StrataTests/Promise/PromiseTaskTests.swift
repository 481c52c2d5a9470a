import XCTest

@testable import StrataCore

final class PromiseTaskTests: XCTestCase {
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
    // The task's thread might still be delivering the outcome, so the recovery can be pending.
    XCTAssertEqual(try promise.recover { _ in 5 }.wait(for: .seconds(60)), 5)
    XCTAssertEqual(
      Promise(1).map { _ -> Int in throw CancellationError() }.recover { _ in 2 }.text, "2")
  }

  func testWorkWithoutAnInterestRunsToItsEnd() throws {
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
}
