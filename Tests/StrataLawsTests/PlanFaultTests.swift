import Foundation
import Strata
import StrataLaws

/// Forms of plans that forget what the algebra says, each found by a law of plans.
final class PlanFaultTests: FaultCase {
  func testBracketsThatShow() {
    @Sendable func naive(_ plan: CachePlan) -> String {
      guard case .sum(let members) = plan else { return plan.description }
      return "(\(members.map(naive).joined(separator: " + ")))"
    }
    expectCaught(
      "bracketsThatShow", by: .plans("naive", rendering: naive), as: "plans.associativity.naive")
  }

  func testAnEmptyCacheThatShows() {
    @Sendable func flat(_ plan: CachePlan) -> [String] {
      guard case .sum(let members) = plan else { return [plan.description] }
      return members.flatMap(flat)
    }
    expectCaught(
      "emptyThatShows", by: .plans("flat") { flat($0).joined(separator: " + ") },
      as: "plans.identity.flat")
  }

  func testAnOrderThatIsLost() {
    expectCaught(
      "lostOrder",
      by: .plans("sorted") { plan in
        plan.description.components(separatedBy: " + ").sorted().joined(separator: " + ")
      }, as: "plans.order.sorted")
  }

  func testALevelThatIsLost() {
    expectCaught("lostLevel", by: .plans("blind") { _ in "a pipeline" }, as: "plans.order.blind")
  }

  func testTypesThatAreNotReadBack() {
    let lossy = Laws.plans("lossy") { plan in
      plan.json.replacingOccurrences(of: ", \"key\": \"URL\"", with: "")
    } reading: { text in
      try CachePlan(json: text)
    }
    expectCaught("lostTypes", by: lossy, as: "plans.roundTrip.lossy")
  }
}
