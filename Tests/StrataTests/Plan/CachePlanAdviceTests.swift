import Foundation
import XCTest

@testable import Strata

/// What is so of all remarks; of each rule in tests of its own.
final class CachePlanAdviceTests: PlanAdviceCase {
  func testThereIsNothingToSayOfTheHeadline() {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("advice")
    let pages: Cache<URL, String> =
      .memory()
      + (\.absoluteString <^> .disk("advice", in: folder) <*> .utf8 + .network() <*> .utf8).pooled()
    XCTAssertEqual(pages.plan.advice, [])
    XCTAssertEqual(CachePlan.level("empty").advice, [])
  }

  func testThereIsNothingToSayOfThePresets() {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("advice")
    let plans = [
      Caches.data(in: folder).plan, Caches.json([Int].self, in: folder).plan,
      Caches.data(in: folder, offline: { _ in true }).plan,
    ]
    for plan in plans { XCTAssertEqual(plan.advice, [], "\(plan)") }
  }

  func testEachRemarkHasAPlaceAReasonAndARemedy() throws {
    let remarks = ((disk + network).pooled().decoded() + .level("userDefaults")).advice
    XCTAssertEqual(
      remarks.map(\.kind), [.decodedOutsidePool, .unhealable, .unbounded])
    let first = try XCTUnwrap(remarks.first)
    XCTAssertEqual(first.place, "(disk(100 MB) + network).pooled() <*> json")
    XCTAssertEqual(
      "\(first)",
      "(disk(100 MB) + network).pooled() <*> json: those who wait in the pool share the load, and "
        + "then each of them decodes it. Write the codec inside the pool: (… <*> codec).pooled().")
  }

  func testBracketsChangeNoRemark() {
    let one = CachePlan.sum([.sum([memory, .level("userDefaults")]), network])
    let other = CachePlan.sum([memory, .sum([.level("userDefaults"), .sum([network])])])
    XCTAssertEqual(one.advice, other.advice)
    XCTAssertEqual(one.advice.map(\.path), [[1], [2]])
  }

  func testADeepPlanIsReadInASmallStack() {
    let plan = (0..<200).reduce(memory) { plan, _ in .mappedKeys(plan) }
    XCTAssertEqual(kinds(plan), [])
  }
}
