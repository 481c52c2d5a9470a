import Foundation
import XCTest

@testable import Strata
@testable import StrataExplain

/// Tests the properties that every piece of advice about a plan must have. Other tests check the
/// conditions for each piece of advice.
final class CachePlanAdviceTests: PlanAdviceCase {
  func testTheHeadlineGetsNoAdvice() {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("advice")
    let pages: Cache<URL, String> =
      .memory()
      + (\.absoluteString <^> .disk("advice", in: folder) <*> .utf8 + .network() <*> .utf8).pooled()
    XCTAssertEqual(pages.plan.advice, [])
    XCTAssertEqual(CachePlan.level("empty", .constant).advice, [])
  }

  func testEachRemarkHasALocationAReasonAndARemedy() throws {
    let remarks = ((disk + network).pooled().decoded() + .level("userDefaults", .storage)).advice
    XCTAssertEqual(
      remarks.map(\.kind), [.decodedOutsidePool, .unhealable, .unbounded])
    let first = try XCTUnwrap(remarks.first)
    XCTAssertEqual(first.location, "(disk(100 MB) + network).pooled() <*> json")
    XCTAssertEqual(
      "\(first)",
      "(disk(100 MB) + network).pooled() <*> json: the waiting gets of the pool share a load, "
        + "but each get decodes the value. Write the codec inside the pool: (… <*> codec).pooled()."
    )
  }

  func testBracketsChangeNoRemark() {
    let one = CachePlan.sum([.sum([memory, .level("userDefaults", .storage)]), network])
    let other = CachePlan.sum([memory, .sum([.level("userDefaults", .storage), .sum([network])])])
    XCTAssertEqual(one.advice, other.advice)
    XCTAssertEqual(one.advice.map(\.path), [[1], [2]])
  }

  func testADeepPlanIsReadInASmallStack() {
    let plan = (0..<200).reduce(memory) { plan, _ in .mappedKeys(plan) }
    XCTAssertEqual(kinds(plan), [])
  }

  func testTheAdviceOfAHugeSumTakesNoTimeToSpeakOf() {
    let levels = (1...1_000).map {
      CachePlan.level(.init("level \($0)"), .memory, [nil: .count($0)])
    }
    XCTAssertEqual(CachePlan.sum(levels).advice.count, 0)
    let same = (0..<1_000).map { CachePlan.level("memory", .memory, [nil: .count(1_000 - $0)]) }
    XCTAssertEqual(CachePlan.sum(same).advice.count, 999)
  }
}
