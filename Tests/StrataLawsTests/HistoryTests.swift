import XCTest

@testable import StrataLaws

/// Tests the linearizability check. A history of operations is linearizable if some order of the
/// operations explains all answers.
final class HistoryTests: XCTestCase {
  private func operation(
    _ action: Step.Action, _ answer: LawObservation.Answer, _ moments: ClosedRange<Int>
  ) -> LawObservation.Operation {
    LawObservation.Operation(
      step: 1, client: 0, action: action, began: moments.lowerBound, settled: moments.upperBound,
      answer: answer, settlements: 1)
  }

  private func isLinearizable(_ operations: LawObservation.Operation...) -> Bool {
    History(LawObservation(operations: operations)).isLinearizable
  }

  func testAnOlderValueAfterANewerOneHasNoOrder() {
    XCTAssertFalse(
      isLinearizable(
        operation(.set(0, 1), .done, 1...2), operation(.set(0, 2), .done, 3...4),
        operation(.get(0), .value(2), 5...6), operation(.get(0), .value(1), 7...8)))
  }

  func testOverlappingSetsHaveEitherOrder() {
    for value in 1...2 {
      XCTAssertTrue(
        isLinearizable(
          operation(.set(0, 1), .done, 1...4), operation(.set(0, 2), .done, 2...3),
          operation(.get(0), .value(value), 5...6)))
    }
  }

  func testALevelMayForgetAValueAndTheValueStaysForgotten() {
    let set = operation(.set(0, 1), .done, 1...2)
    let miss = operation(.get(0), .miss("not found"), 3...4)
    XCTAssertTrue(isLinearizable(set, miss))
    XCTAssertFalse(isLinearizable(set, miss, operation(.get(0), .value(1), 5...6)))
  }

  func testAValueWhoseSetIsInFlightMayAppearAndDisappear() {
    XCTAssertTrue(
      isLinearizable(
        operation(.set(0, 1), .done, 1...8), operation(.get(0), .value(1), 2...3),
        operation(.get(0), .miss("not found"), 4...5), operation(.get(0), .value(1), 6...7)))
  }

  func testAValueAfterItsRemovalHasNoOrder() {
    XCTAssertFalse(
      isLinearizable(
        operation(.set(0, 1), .done, 1...2), operation(.remove(0), .done, 3...4),
        operation(.get(0), .value(1), 5...6)))
  }

  func testAValueOlderThanASettledWriteIsOutdatedAndAnOverlappingOneIsNot() {
    let (older, newer) = (
      operation(.set(0, 1), .done, 1...2), operation(.set(0, 2), .done, 3...9)
    )
    let back = operation(.get(0), .value(1), 6...7)
    XCTAssertEqual(
      outdated(older, newer, operation(.get(0), .value(2), 4...5), back), [])
    XCTAssertEqual(outdated(older, newer, operation(.get(0), .value(1), 10...11)), [2])
    XCTAssertEqual(outdated(older, newer, operation(.get(0), .value(3), 10...11)), [2])
    XCTAssertEqual(
      outdated(older, operation(.clear, .done, 3...4), operation(.get(0), .value(1), 5...6)), [2])
    XCTAssertEqual(
      outdated(older, operation(.set(0, 2), .failure("full"), 3...4), back), [])
  }

  func testAHistoryWithoutAnOrderIsShownEvenIfNoGetFoundAValue() {
    let failed = operation(.remove(0), .failure("full"), 1...2)
    XCTAssertNotNil(History(LawObservation(operations: [failed])).evidence())
    let get = operation(.get(0), .failure("broken"), 1...2)
    XCTAssertNotNil(History(LawObservation(operations: [get])).evidence())
  }

  private func outdated(_ operations: LawObservation.Operation...) -> [Int] {
    History(LawObservation(operations: operations)).outdated
  }
}
