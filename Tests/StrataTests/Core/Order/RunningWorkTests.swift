import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class RunningWorkTests: XCTestCase {
  func testAnEndWaitsOnlyForWhatHadBegun() throws {
    let work = RunningWork(.steps)
    XCTAssertNil(work.ending().end)
    let first = try XCTUnwrap(work.begin())
    let end = work.ending().end
    let second = try XCTUnwrap(work.begin())
    work.end(second)
    XCTAssertNil(end?.outcome)
    work.end(first)
    XCTAssertNotNil(end?.outcome)
    XCTAssertEqual(work.count, 0)
  }

  func testAClosedLevelRefusesAndAStepNever() {
    let (level, step) = (RunningWork(.stores, "disk"), RunningWork(.steps))
    for work in [level, step] { work.refuse() }
    XCTAssertEqual(
      level.run { Promise(1) }.outcome?.error as? CacheError, .closed(stage: "disk"))
    XCTAssertEqual(step.run { Promise(1) }.outcome?.value, 1)
  }

  func testACancelledLoadIsForgotten() {
    let work = RunningWork(.loads)
    let load = work.run { Promise<Int> { $0.onCancel {} } }
    let kept = Promise<Int> { _ in }  // Abandoned immediately.
    _ = work.run { kept }
    work.cancelAll()
    XCTAssertEqual(work.count, 0)
    _ = load
  }

  func testAStoppedLoadFailsAndItsWorkIsCancelled() {
    let (work, isCancelled) = (RunningWork(.loads, "origin"), Lock(false))
    let kept = Lock<Promise<Int>.Continuation?>(nil)
    let load = work.run {
      Promise<Int> { continuation in
        kept.withLock { $0 = continuation }
        continuation.onCancel { isCancelled.withLock { $0 = true } }
      }
    }
    work.cancelAll()
    XCTAssertEqual(load.outcome?.error as? CacheError, .closed(stage: "origin"))
    XCTAssertTrue(isCancelled.withLock { $0 })
    XCTAssertEqual(work.count, 0)
  }

  func testAnAsyncFunctionThatIgnoresItsCancellationIsStillRunning() async throws {
    let (work, gate) = (RunningWork(.loads), Pending<Void>())
    let load = work.run {
      Promise {
        await withUnsafeContinuation { end in gate.promise.observed { _ in end.resume() } }
      }
    }
    load.cancel()
    XCTAssertEqual(work.count, 1)
    gate.settle(.success(()))
    while work.count > 0 { await Task.yield() }
  }

  func testTheLimitAlsoBoundsTheClosing() {
    let ((clock, time), end) = (TimeSource.manual(), Pending<Void>())
    let cache = Cache<Int, Int>.dictionary().clocked(by: clock)
      .holding(RunningWork(.steps, "rows") { end.promise })
    let first = cache.closing(atMost: .seconds(5))
    time.advance(by: .seconds(5))
    XCTAssertEqual(
      first.outcome?.error as? CacheError, .timedOut(stage: "rows", after: .seconds(5)))
    end.settle(.success(()))
    XCTAssertNotNil(cache.closing(atMost: .seconds(5)).outcome?.value)
  }

  func testACancelledWaiterLeavesNothing() throws {
    let work = RunningWork(.steps)
    let number = try XCTUnwrap(work.begin())
    work.ending().end?.cancel()
    work.end(number)
    XCTAssertEqual(work.count, 0)
  }
}
