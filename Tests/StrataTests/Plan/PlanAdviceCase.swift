import XCTest

@testable import Strata

/// What tests of advice ask.
class PlanAdviceCase: XCTestCase {
  let memory = CachePlan.level("memory", detail: "1000")
  let disk = CachePlan.level("disk", detail: "100 MB")
  let network = CachePlan.level("network")

  func kinds(_ plan: CachePlan) -> Set<CachePlan.Advice.Kind> {
    Set(plan.advice.map(\.kind))
  }

  func assert(
    _ kind: CachePlan.Advice.Kind, _ plan: CachePlan, at path: [Int], line: UInt = #line
  ) {
    let paths = plan.advice.filter { $0.kind == kind }.map(\.path)
    XCTAssertEqual(paths, [path], "\(plan.advice)", line: line)
  }

  func assertNo(
    _ kind: CachePlan.Advice.Kind, _ plan: CachePlan, line: UInt = #line
  ) {
    XCTAssertEqual(plan.advice.filter { $0.kind == kind }, [], line: line)
  }
}

extension CachePlan {
  static func + (upper: CachePlan, lower: CachePlan) -> CachePlan {
    .sum([upper, lower]).normalized
  }

  func verb(_ name: String, _ arguments: String = "") -> CachePlan {
    .verb(self, name: name, arguments: arguments)
  }

  func pooled() -> CachePlan { verb("pooled") }
  func expiring(_ arguments: String) -> CachePlan { verb("expiring", arguments) }
  func decoded(_ label: String = "json") -> CachePlan {
    .mappedValues(self, label: label)
  }
}
