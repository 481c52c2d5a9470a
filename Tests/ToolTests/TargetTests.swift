import XCTest

@testable import strata_tool

final class TargetTests: XCTestCase {
  private let ratio = Target.ratio(to: "other", must: 1.5, aim: 1.1)

  func testAFigureIsComparedWithBothBounds() {
    XCTAssertEqual(
      [1.0, 1.1, 1.2, 1.5, 1.6].map(ratio.verdict), [.aim, .aim, .must, .must, .missed])
    XCTAssertEqual(ratio.verdict(nil), .unknown)
  }

  func testAHundredthOfAnAllocationIsForgiven() {
    let none = Target.allocations()
    XCTAssertEqual([0, 0.01, 0.02].map(none.verdict), [.aim, .aim, .missed])
  }

  func testTheWorstVerdictIsTheGreatest() {
    let all: [Verdict] = [.must, .aim, .missed, .unknown]
    XCTAssertEqual(all.sorted(), [.aim, .unknown, .must, .missed])
  }

  func testASentenceNamesTheOtherAndBothBounds() {
    XCTAssertEqual(ratio.sentence(1.2), "1.2x other (must 1.5x, aim 1.1x)")
    XCTAssertEqual(
      Target.added(to: "other", steps: 4).sentence(3),
      "3 ns per step over other, in 4 steps (must 5 ns, aim 2.5 ns)")
    XCTAssertEqual(
      Target.added(to: "other", steps: 4).sentence(nil), "not counted (must 5 ns, aim 2.5 ns)")
  }
}
