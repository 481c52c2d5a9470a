import Foundation
import Strata
import StrataLaws

/// Forms of plans that forget what the algebra says, each found by a law of plans.
final class PlanFaultTests: FaultCase {
  private let forms = ["description", "tree", "mermaid", "svg", "json"]

  func testBracketsThatShow() {
    @Sendable func naive(_ plan: CachePlan) -> String {
      guard case .sum(let members) = plan else { return plan.json }
      let shown = members.filter { $0 != .level("empty") }
      return shown.count == 1 ? naive(shown[0]) : "(\(shown.map(naive).joined(separator: " + ")))"
    }
    for form in forms + ["advice"] {
      expectCaught(
        "bracketsThatShow", by: .plans(form, rendering: naive), as: "plans.associativity.\(form)",
        alone: true)
    }
  }

  func testAnEmptyCacheThatShows() {
    @Sendable func flat(_ plan: CachePlan) -> [String] {
      guard case .sum(let members) = plan else { return [plan.description] }
      return members.flatMap(flat)
    }
    for form in forms + ["advice"] {
      expectCaught(
        "emptyThatShows", by: .plans(form) { flat($0).joined(separator: " + ") },
        as: "plans.identity.\(form)", alone: true)
    }
  }

  func testAnOrderThatIsLost() {
    for form in forms {
      expectCaught(
        "lostOrder",
        by: .plans(form) { plan in
          plan.description.components(separatedBy: " + ").sorted().joined(separator: " + ")
        }, as: "plans.order.\(form)", alone: true)
    }
  }

  func testALevelThatIsLost() {
    @Sendable func flat(_ plan: CachePlan) -> [CachePlan] {
      guard case .sum(let members) = plan else { return plan == .level("empty") ? [] : [plan] }
      return members.flatMap(flat)
    }
    for form in forms {
      expectCaught(
        "lostLevel",
        by: .plans(form) { flat($0).dropLast().map(\.json).joined(separator: " + ") },
        as: "plans.content.\(form)", alone: true)
    }
  }

  func testTypesThatAreNotReadBack() {
    let lossy = Laws.plans("json") { plan in
      plan.json.replacingOccurrences(of: ", \"key\": \"URL\"", with: "")
    } reading: { text in
      try CachePlan(json: text)
    }
    expectCaught("lostTypes", by: lossy, as: "plans.roundTrip.json", alone: true)
  }
}
