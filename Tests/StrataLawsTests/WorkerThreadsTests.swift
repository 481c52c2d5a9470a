import XCTest

@testable import StrataLaws

final class WorkerThreadsTests: XCTestCase {
  func testEachClosureRunsOnceAndTheCallerWaits() {
    let runs = Box([0, 0, 0])
    for _ in 0..<100 {
      WorkerThreads.shared.run((0..<3).map { index in { runs.update { $0[index] += 1 } } })
    }
    XCTAssertEqual(runs.value, [100, 100, 100])
  }

  /// Otherwise, a place would be cleaned up after the check that used it has returned.
  func testAClosureIsReleasedBeforeTheCallerContinues() {
    final class Level: Sendable {}
    func run() -> () -> Level? {
      let level = Level()
      WorkerThreads.shared.run([{ _ = level }, { _ = level }])
      return { [weak level] in level }
    }
    for _ in 0..<2_000 { XCTAssertNil(run()()) }
  }
}
