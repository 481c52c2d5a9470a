import Foundation
import XCTest

@testable import StrataCore

final class HeldTasksTests: XCTestCase {
  /// Starts a task that awaits `promise`, and waits until the task has registered its interest in
  /// the promise.
  private func awaiting(_ promise: Promise<Int>) async -> Task<Int, any Error> {
    let task = Task { try await promise.value }
    while promise.interests == 0 { await Task.yield() }
    return task
  }

  func testHeldTasksContinueAtTheEndOrWhenTheyAreMany() async throws {
    var (held, work, tasks) = (HeldTasks(), [Later<Int>](), [Task<Int, any Error>]())
    for _ in 0..<65 { work.append(Later<Int>()) }
    for later in work { tasks.append(await awaiting(later.promise)) }
    for (index, later) in work.enumerated() {
      later.continuation.settle(.success(index), holding: &held)
      XCTAssertEqual(later.promise.outcome?.value, index)
    }
    // The first 64 tasks don't wait for the rest.
    for index in 0..<64 {
      let value = try await tasks[index].value
      XCTAssertEqual(value, index)
    }
    held.resume()
    let last = try await tasks[64].value
    XCTAssertEqual(last, 64)
  }

  /// A listener that blocks its thread until a task has continued must not wait forever.
  func testHeldTasksContinueBeforeTheNextListener() async throws {
    let (task, listened) = (Later<Int>(), Later<Int>())
    let hasContinued = DispatchSemaphore(value: 0)
    let waiting = await awaiting(task.promise)
    let continued = Task {
      let value = try await waiting.value
      hasContinued.signal()
      return value
    }
    let heard = Promise<Bool> { continuation in
      listened.promise.onCompletion { _ in
        continuation.succeed(hasContinued.wait(timeout: .now() + 30) == .success)
      }
    }
    Thread.detachNewThread {
      var held = HeldTasks()
      task.continuation.settle(.success(1), holding: &held)
      listened.continuation.settle(.success(2), holding: &held)
      held.resume()
    }
    let isFree = try await heard.value
    XCTAssertTrue(isFree)
    let value = try await continued.value
    XCTAssertEqual(value, 1)
  }

  /// Whoever waits for the end of all operations may block its thread until a held task has
  /// continued.
  func testTheEndOfAnOperationIsReportedElsewhereWhileTasksAreHeld() async throws {
    let (later, work) = (Later<Int>(), RunningWork(.steps))
    work.follow(later.promise)
    let hasContinued = DispatchSemaphore(value: 0)
    let waiting = await awaiting(later.promise)
    let continued = Task {
      let value = try await waiting.value
      hasContinued.signal()
      return value
    }
    let drained = try XCTUnwrap(work.ending().end)
    let heard = Promise<Bool> { continuation in
      drained.onCompletion { _ in
        continuation.succeed(hasContinued.wait(timeout: .now() + 30) == .success)
      }
    }
    Thread.detachNewThread {
      var held = HeldTasks()
      later.continuation.settle(.success(1), holding: &held)
      held.resume()
    }
    let isFree = try await heard.value
    XCTAssertTrue(isFree)
    let value = try await continued.value
    XCTAssertEqual(value, 1)
  }

  func testOnlyTheFirstOutcomeCounts() async throws {
    var held = HeldTasks()
    let work = Later<Int>()
    let task = await awaiting(work.promise)
    work.continuation.settle(.success(1), holding: &held)
    work.continuation.settle(.success(2), holding: &held)
    held.resume()
    let value = try await task.value
    XCTAssertEqual(value, 1)
  }
}
