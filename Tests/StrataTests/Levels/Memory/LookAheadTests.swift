import XCTest

@testable import StrataCore

/// Tests the decisions about a much larger window. The level in these tests has room for 1,600
/// entries, so 100 insertions lie between two decisions, and a step is 32 entries.
final class LookAheadTests: XCTestCase {
  private let scale = 1600
  private var state = LookAhead()
  private var target = 16.0

  /// Counts what happens between two decisions, and then lets the structure decide.
  private func decide(
    returns: Int = 0, age: Int = 500, lost: Int = 0, spared: Int = 0, read: Int = 0,
    of compared: Int = 100, atMost limit: Double = 1520
  ) {
    for _ in 0..<returns { state.countReturn(age: age, wasMain: false, scale: scale) }
    for _ in 0..<lost { state.countReturn(age: 400, wasMain: true, scale: scale) }
    for _ in 0..<10 { state.countReturn(age: 401, wasMain: true, scale: scale) }
    for _ in 0..<spared { state.countSpared() }
    for index in 0..<compared { state.countCompared(wasRead: index < read) }
    target = state.decide(target: target, atMost: limit, main: 1500, scale: scale)
  }

  func testADecisionIsDueAfterASixteenthOfTheEntriesAndAfterAtLeast64Insertions() {
    for (scale, interval) in [(10, 64), (1600, 100)] {
      var state = LookAhead()
      for _ in 1..<interval { XCTAssertFalse(state.isDue(scale: scale)) }
      XCTAssertTrue(state.isDue(scale: scale))
      _ = state.decide(target: 1, atMost: 8, main: 1, scale: scale)
      XCTAssertFalse(state.isDue(scale: scale))
    }
  }

  func testTheWindowExpandsWhenTheEighthDecisionInARowFindsItWorthwhile() {
    for _ in 1...7 { decide(returns: 50) }
    XCTAssertEqual(target, 16)
    decide(returns: 50)
    XCTAssertEqual(target, 48)
    decide(returns: 50)
    XCTAssertEqual(target, 80)
  }

  func testAnInterruptionStartsTheCountAgain() {
    for _ in 1...7 { decide(returns: 50) }
    decide(returns: 50, spared: 10_000)
    for _ in 1...30 { decide() }  // Until the high count has faded.
    for _ in 1...7 { decide(returns: 50) }
    XCTAssertEqual(target, 16)
    decide(returns: 50)
    XCTAssertEqual(target, 48)
  }

  func testTheWindowDoesNotExpandWhereTheMainQueueYieldsMore() {
    for _ in 1...20 { decide(returns: 50, spared: 100) }
    XCTAssertEqual(target, 16)
    state = LookAhead()
    for _ in 1...20 { decide(returns: 50, spared: 5) }
    XCTAssertGreaterThan(target, 16)
  }

  func testADecisionOfAnEmptyLevelChangesNothing() {
    for _ in 1...100 { state.countReturn(age: 0, wasMain: false, scale: 0) }
    XCTAssertEqual(state.decide(target: 1, atMost: 1, main: 0, scale: 0), 1)
  }

  func testANewScaleEndsAnExpansion() {
    XCTAssertNil(state.restart())
    for _ in 1...9 { decide(returns: 50) }
    XCTAssertGreaterThan(target, 16)
    XCTAssertEqual(state.restart(), 16)
    XCTAssertNil(state.restart())
  }

  func testTheWindowDoesNotExpandWhereTheMainQueueIsTooSmall() {
    for _ in 1...20 { decide(returns: 50, lost: 50) }
    XCTAssertEqual(target, 16)
    state = LookAhead()
    for _ in 1...20 { decide(returns: 50, lost: 10) }
    XCTAssertGreaterThan(target, 16)
  }

  func testTheWindowDoesNotExpandForFewReturnsOrForEarlyOnesOrForThoseOutOfReach() {
    for _ in 1...20 { decide(returns: 8) }
    XCTAssertEqual(target, 16, "few")
    state = LookAhead()
    for _ in 1...20 { decide(returns: 50, age: 20) }
    XCTAssertEqual(target, 16, "early")
    state = LookAhead()
    for _ in 1...20 { decide(returns: 50, age: 1600) }
    XCTAssertEqual(target, 16, "older than the scale")
    for _ in 1...20 { decide(returns: 50, age: 500, atMost: 500) }
    XCTAssertEqual(target, 16, "beyond the limit")
  }

  func testTheWindowNeverExceedsItsLimit() {
    target = 1100
    var highest = target
    for _ in 1...40 {
      decide(returns: 50, age: 250)
      highest = max(highest, target)
    }
    XCTAssertGreaterThan(highest, 1200)
    XCTAssertLessThanOrEqual(highest, 1520)
  }

  /// Expands the window, and lets it shrink back because none of its entries is read.
  private func expandAndFail() {
    var attempts = 0
    while target < 100 {
      decide(returns: 50)
      attempts += 1
      XCTAssertLessThan(attempts, 1000, "The window never expands.")
      guard attempts < 1000 else { break }
    }
    for _ in 1...40 where target > 16 { decide() }
    XCTAssertEqual(target, 16)
  }

  func testTheWindowShrinksBackIfItsEntriesAreNotReadMoreOften() {
    expandAndFail()
  }

  func testAfterEachFailureTheWindowWaitsTwiceAsLongUpToALimit() {
    expandAndFail()
    var pauses: [Int] = []
    for _ in 1...6 {
      pauses.append(state.pause)
      expandAndFail()
    }
    XCTAssertEqual(pauses, [16, 32, 64, 128, 256, 256])
  }

  func testTheWindowStaysLargeWhileItsEntriesAreReadMoreOften() {
    for _ in 1...10 { decide(returns: 50) }
    decide(spared: 10_000, read: 60)
    for _ in 1...50 { decide(read: 20) }
    XCTAssertEqual(target, 112)
    for _ in 1...20 { decide() }
    XCTAssertEqual(target, 16)
    XCTAssertGreaterThan(state.pause, 0)
  }

  func testASmallerTargetIsTheOneToShrinkBackTo() {
    for _ in 1...10 { decide(returns: 50) }
    target = 4
    for _ in 1...40 { decide() }
    XCTAssertEqual(target, 4)
  }

  /// If the window expanded again on its way back, it could stay useless forever.
  func testTheWindowDoesNotExpandWhileItShrinks() {
    for _ in 1...10 { decide(returns: 50) }
    decide(spared: 10_000)
    XCTAssertEqual(target, 80)
    for _ in 1...2 { decide(returns: 50_000) }
    XCTAssertEqual(target, 16)
  }
}
