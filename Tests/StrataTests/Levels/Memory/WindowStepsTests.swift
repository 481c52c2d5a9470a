import XCTest

@testable import StrataCore

final class WindowStepsTests: XCTestCase {
  private var steps = WindowSteps()

  /// Counts near misses of both queues, and then updates the steps.
  private func count(window: Int = 0, main: Int = 0) {
    for _ in 0..<window { _ = steps.countNearMiss(wasMain: false, limit: 100) }
    for _ in 0..<main { _ = steps.countNearMiss(wasMain: true, limit: 100) }
    steps.update()
  }

  /// Returns the changes of the target for a near miss of each queue.
  private var changes: [Double] {
    var copy = steps
    return [false, true].map { copy.countNearMiss(wasMain: $0, limit: 100) }
  }

  func testTheQueueWithTheNearMissGrowsByOneEntry() {
    XCTAssertEqual(changes, [1, -1])
    count(window: 50, main: 50)
    XCTAssertEqual(changes, [1, -1])
  }

  func testTheStepsOfAQueueWithAlmostAllNearMissesAreLong() {
    count(window: 100, main: 10)
    XCTAssertEqual(changes, [8, -1])
    count(main: 2000)
    XCTAssertEqual(changes, [1, -8])
  }

  func testTheStepsBecomeLongOnlyWithTheNextUpdate() {
    for _ in 1...100 { XCTAssertEqual(steps.countNearMiss(wasMain: false, limit: 100), 1) }
    steps.update()
    XCTAssertEqual(steps.countNearMiss(wasMain: false, limit: 100), 8)
  }

  /// A scan that turns back, for example, has many near misses in a short time.
  func testTheLongStepsOfTheWindowAreLimitedUntilTheNextUpdate() {
    count(window: 100)
    for _ in 1...2 {
      let changes = (1...20).map { _ in steps.countNearMiss(wasMain: false, limit: 100) }
      XCTAssertEqual(changes, Array(repeating: 8, count: 13) + Array(repeating: 1, count: 7))
      steps.update()
    }
  }

  func testFewNearMissesOrAShareOfThemAreNotEnough() {
    for (window, main) in [(6, 0), (0, 3), (100, 18), (18, 50)] {
      steps = WindowSteps()
      count(window: window, main: main)
      XCTAssertEqual(changes, [1, -1], "\(window) and \(main)")
    }
  }

  func testTheWindowShrinksMoreReadilyThanItGrows() {
    count(window: 130, main: 20)
    XCTAssertEqual(changes, [8, -1])
    steps = WindowSteps()
    count(window: 20, main: 70)
    XCTAssertEqual(changes, [1, -8])
  }

  func testOldNearMissesAreForgotten() {
    count(window: 100)
    XCTAssertEqual(changes, [8, -1])
    for _ in 1...100 { count() }
    XCTAssertEqual(changes, [1, -1])
  }
}
