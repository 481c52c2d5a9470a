import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

/// Assertions about advice.
class PlanAdviceCase: XCTestCase {
  let memory = CachePlan.level("memory", .memory, [nil: .count(1000)])
  let disk = CachePlan.level("disk", .storage, [nil: .bytes(100_000_000)])
  let network = CachePlan.level("network", .origin)

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
    .sum([upper, lower])
  }

  func verb(_ kind: Kind, _ arguments: Arguments = [:]) -> CachePlan {
    .verb(self, kind, arguments)
  }

  func pooled() -> CachePlan { verb("pooled") }
  func expiring(_ arguments: Arguments) -> CachePlan { verb("expiring", arguments) }
  func decoded(_ label: String = "json", decodes: Bool = true) -> CachePlan {
    .mappedValues(self, label: label, decodes: decodes)
  }
}
