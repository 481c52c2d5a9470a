import Foundation
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataExplain
@testable import StrataNetwork
@testable import StrataVerbs

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

  /// The origin of an HTTP cache can have verbs of its own, and its store can be any cache.
  func testThePlansInArgumentsAreJudged() {
    let limited = network.verb("limited", ["toConcurrentGets": .count(4)])
    let good = CachePlan.level("http", .origin, ["storedIn": .plan(disk), "from": .plan(limited)])
    XCTAssertEqual(good.pooled().advice, [])
    let empty = CachePlan.level("memory", .memory, [nil: .count(0)])
    let faulty = CachePlan.level(
      "http", .origin,
      [
        "storedIn": .plan(empty + .level("userDefaults", .storage)),
        "from": .plan(limited.verb("recovering") + disk),
      ])
    let below = (memory + faulty.decoded().pooled()).advice
    XCTAssertEqual(below.map(\.kind), [.unreachable, .unbounded, .unreachable])
    XCTAssertEqual(below.map(\.path), [[1, 0, 0, 0, 0], [1, 0, 0, 0, 1], [1, 0, 0, 1, 1]])
    let verb = network.pooled().verb("backed", ["byStamped": .plan(empty)])
    XCTAssertEqual(verb.advice.map(\.path), [[1]])
    let nested = (0..<1_000).reduce(empty) { plan, _ in
      .level("http", .origin, ["from": .plan(plan)])
    }
    XCTAssertEqual(nested.pooled().advice.map(\.path.count), [1_001])
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
