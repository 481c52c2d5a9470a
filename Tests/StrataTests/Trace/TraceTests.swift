import XCTest

@testable import Strata

final class TraceTests: TraceCase {
  func testStepsStandInTheOrderOfTheirBeginningsEachAsDeepAsTheGetsAroundIt() throws {
    let steps = try trace().steps
    XCTAssertEqual(
      steps.map { "\($0.depth) \($0.stage) \($0.operation)" },
      [
        "0 pages get", "1 memory get", "1 disk get", "1 network get", "1 pages backFill",
        "1 disk set", "1 pages backFill", "1 memory set",
      ])
    let moments = [0, 0, 0, 10, 40, 40, 40, 40].map { Duration.milliseconds($0) }
    XCTAssertEqual(steps.map(\.start), moments)
  }

  func testOnlyAGetAroundNoOtherIsInnermostAndOnlyASourceAnOrigin() throws {
    let steps = try trace().steps
    XCTAssertEqual(steps.filter { !$0.isInnermost }.map(\.stage), ["pages"])
    XCTAssertEqual(steps.filter(\.isOrigin).map(\.stage), ["network"])
  }

  func testAMissIsNoFailure() {
    let outcomes: [Promise<Int>.Outcome] = [
      .success(1), .failure(CacheError.notFound), .failure(CacheError.timedOut), .cancelled,
    ]
    let words = outcomes.map { outcome in
      switch CacheEvent.Outcome(outcome) {
      case .success: "success"
      case .miss: "miss"
      case .failure: "failure"
      case .cancelled: "cancelled"
      }
    }
    XCTAssertEqual(words, ["success", "miss", "failure", "cancelled"])
  }
}
