import XCTest

@testable import Strata

final class CachePlanFoldTests: XCTestCase {
  private let (a, b) = (CachePlan.level("a"), CachePlan.level("b"))
  private let types = CachePlan.Types(key: "Int", value: "Text")

  func testPartsAreCombinedFromTheLeavesUpAndFromLeftToRight() {
    let plan = CachePlan.verb(.sum([.mappedKeys(a), .lanes([b, a])]), name: "pooled")
    var order: [String] = []
    let count = plan.fold { plan, parts -> Int in
      order.append("\(plan.children.count)")
      return parts.reduce(1, +)
    }
    XCTAssertEqual(count, 7)
    XCTAssertEqual(order, ["0", "1", "0", "0", "2", "2", "1"])
  }

  func testANodeKeepsAllButItsParts() {
    let nodes: [CachePlan] = [
      .sum([a]), .lanes([a]), .mappedKeys(a, label: "k", types: types),
      .mappedValues(a, label: "v", types: types),
      .verb(a, name: "n", arguments: "1", types: types),
    ]
    for node in nodes {
      XCTAssertNotEqual(node.with(children: [b]), node)
      XCTAssertEqual(node.with(children: [b]).with(children: [a]), node)
    }
    XCTAssertEqual(a.with(children: []), a)
  }

  func testASumInASumAndTheEmptyCacheLeaveNoTrace() {
    let empty = CachePlan.level("empty")
    XCTAssertEqual(CachePlan.sum([.sum([a, empty]), .sum([b])]).normalized, .sum([a, b]))
    XCTAssertEqual(CachePlan.sum([empty, .sum([a])]).normalized, a)
    XCTAssertEqual(CachePlan.sum([]).normalized, empty)
    XCTAssertEqual(CachePlan.sum([.sum([]), empty]).normalized, empty)
    XCTAssertEqual(
      CachePlan.lanes([.sum([a, .sum([b, a])])]).normalized, .lanes([.sum([a, b, a])]))
  }

  func testASumAndLanesHaveTheTypesOfTheFirst() {
    let typed = CachePlan.level("a", types: types)
    XCTAssertEqual(CachePlan.sum([.lanes([typed, b])]).types, types)
    XCTAssertNil(CachePlan.sum([b, typed]).types)
    XCTAssertNil(CachePlan.lanes([]).types)
    XCTAssertEqual("\(types)", "Int → Text")
  }

  func testDepthCostsNoStack() {
    let depth = onSmallStack {
      let deep = (0..<2_000).reduce(CachePlan.level("a")) { plan, _ in .mappedKeys(plan) }
      return deep.fold { _, parts in 1 + (parts.max() ?? 0) }
    }
    XCTAssertEqual(depth, 2_001)
  }
}
