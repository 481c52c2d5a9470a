import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class CachePlanFoldTests: XCTestCase {
  private let (a, b) = (CachePlan.level("a", .memory), CachePlan.level("b", .origin))
  private let types = CachePlan.Types(key: "Int", value: "Text")

  func testNodesAreCombinedFromTheLeavesUpAndFromLeftToRight() {
    let plan = CachePlan.verb(
      .sum([.mappedKeys(a), .branches("switching", [b, a])]), "pooled", ["to": .plan(b)])
    var order: [String] = []
    let count = plan.fold { plan, parts -> Int in
      order.append("\(plan.children.count)")
      return parts.reduce(1, +)
    }
    XCTAssertEqual(count, 7)
    XCTAssertEqual(order, ["0", "1", "0", "0", "2", "2", "1"])
    XCTAssertEqual(
      plan.fold(over: { $0.children + $0.arguments.plans }) { 1 + $1.reduce(0, +) }, 8)
  }

  func testPlansDifferIfAnyPartDiffers() {
    let plan = CachePlan.verb(a, "n", ["l": .plan(b), nil: .count(1)], types: types)
    let others: [CachePlan] = [
      .verb(b, "n", ["l": .plan(b), nil: .count(1)], types: types),
      .verb(a, "m", ["l": .plan(b), nil: .count(1)], types: types),
      .verb(a, "n", ["l": .plan(a), nil: .count(1)], types: types),
      .verb(a, "n", ["m": .plan(b), nil: .count(1)], types: types),
      .verb(a, "n", ["l": .plan(b), nil: .bytes(1)], types: types),
      .verb(a, "n", ["l": .plan(b)], types: types),
      .verb(a, "n", ["l": .plan(b), nil: .count(1)]),
      .mappedKeys(a, label: "n", types: types), .level("n", .memory, types: types),
      .branches("n", [a, a]), .branches("n", [a]), .level("n", .origin),
      .mappedValues(a, label: "n"), .mappedValues(a, label: "n", decodes: false),
    ]
    for (index, other) in others.enumerated() {
      XCTAssertNotEqual(plan, other)
      XCTAssertEqual(others.firstIndex(of: other), index)
    }
    XCTAssertEqual(plan, .verb(a, "n", ["l": .plan(b), nil: .count(1)], types: types))
  }

  func testDepthCostsNoStack() {
    let depth = onSmallStack {
      let make = {
        (0..<15_000).reduce(CachePlan.level("a", .memory)) { .verb($0, $1 % 2 == 0 ? "b" : "c") }
      }
      let (deep, other) = (make(), make())
      guard deep == other, deep.description == other.description else { return 0 }
      return deep.fold { _, parts in 1 + (parts.max() ?? 0) }
    }
    XCTAssertEqual(depth, 15_001)
  }

  func testDepthAmongTheArgumentsCostsNoStackEither() {
    let length = onSmallStack {
      let level = CachePlan.level("a", .memory)
      let make = {
        (0..<20_000).reduce(level) { inner, _ in .verb(level, "b", [nil: .plan(inner)]) }
      }
      let (deep, other) = (make(), make())
      return deep == other ? deep.description.count : 0
    }
    XCTAssertEqual(length, 1 + 20_000 * "a.b()".count)
  }

  func testManyThreadsReleaseADeepPlan() {
    let deep = Lock<CachePlan?>(
      (0..<50_000).reduce(CachePlan.level("a", .memory)) { plan, _ in .mappedKeys(plan) })
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      let part = deep.withLock { plan -> CachePlan? in
        let inner = plan?.children.first
        plan = inner
        return inner
      }
      XCTAssertEqual(part?.kind, "keys")
    }
    XCTAssertEqual(deep.withLock { $0?.form }, .mappedKeys)
    deep.withLock { $0 = nil }
  }
}
