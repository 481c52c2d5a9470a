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

  func testACancelledWaiterLeavesNothing() throws {
    let work = RunningWork(.steps)
    let number = try XCTUnwrap(work.begin())
    work.ending().end?.cancel()
    work.end(number)
    XCTAssertEqual(work.count, 0)
  }
}
