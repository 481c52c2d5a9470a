import Foundation
import Strata
import StrataExplain
import StrataLaws

/// Checks that the laws about plans catch faults in sums, renderings, and plan readers.
final class PlanFaultTests: FaultCase {
  private static let empty = Cache<Int, Int>.empty.plan
  private let forms: [(name: String, render: Laws.Rendering)] = [
    ("description", { $0.description }), ("tree", { $0.tree }), ("mermaid", { $0.mermaid }),
    ("svg", { $0.svg }), ("json", { $0.json }),
  ]
  private let advice: (name: String, render: Laws.Rendering) = (
    "advice", { $0.advice.map { "\($0.path) \($0)" }.joined() }
  )

  func testBracketsThatShow() {
    let sum: Laws.Summing = { members in
      let shown = members.filter { $0 != Self.empty }
      return shown.count < 2
        ? .sum(members) : .sum(shown.map { $0.form == .sum ? .verb($0, "brackets") : $0 })
    }
    for (form, render) in forms + [advice] {
      expectCaught(
        "bracketsThatShow", by: laws(form, sum, render),
        as: "plans.associativity.\(form)", alone: true)
    }
  }

  func testAnEmptyCacheThatShows() {
    let sum: Laws.Summing = { members in
      .sum(members.map { $0 == Self.empty ? .level("nothing", .constant) : $0 })
    }
    for (form, render) in forms + [advice] {
      expectCaught(
        "emptyThatShows", by: laws(form, sum, render),
        as: "plans.identity.\(form)", alone: true)
    }
  }

  /// Returns the laws of a rendering. Advice may be equal for different plans, so only the laws of
  /// equal plans apply to it.
  private func laws(
    _ form: String, _ sum: @escaping Laws.Summing, _ render: @escaping Laws.Rendering
  ) -> Laws {
    let laws = Laws.plans(
      form, tellsAll: ["tree", "json"].contains(form), summing: sum, rendering: render)
    guard form == advice.name else { return laws }
    return Laws(
      laws.name,
      laws.laws.filter { $0.name.contains("associativity") || $0.name.contains("identity") })
  }

  func testAnOrderThatIsLost() {
    for (form, _) in forms {
      expectCaught(
        "lostOrder",
        by: .plans(form) { plan in
          plan.description.components(separatedBy: " + ").sorted().joined(separator: " + ")
        }, as: "plans.order.\(form)", alone: true)
    }
  }

  func testALevelThatIsLost() {
    @Sendable func members(_ plan: CachePlan) -> [CachePlan] {
      plan.form == .sum ? plan.children : [plan]
    }
    for (form, _) in forms {
      expectCaught(
        "lostLevel",
        by: .plans(form) { members($0).dropLast().map(\.json).joined(separator: " + ") },
        as: "plans.content.\(form)", alone: true)
    }
  }

  func testTypesThatAreNotReadBack() {
    expectCaught(
      "lostTypes", by: losing(", \"key\": \"URL\""), as: "plans.roundTrip.json", alone: true)
  }

  func testUnitsThatAreNotReadBack() {
    expectCaught(
      "lostUnits", by: losing("\"bytes\"", for: "\"count\""), as: "plans.roundTrip.json",
      alone: true)
  }

  func testRolesThatAreNotReadBack() {
    expectCaught(
      "lostRoles", by: losing("\"stores\": true", for: "\"stores\": false"),
      as: "plans.roundTrip.json", alone: true)
  }

  func testFractionsOfSecondsThatAreNotReadBack() {
    expectCaught(
      "lostFractions", by: losing("attoseconds"), as: "plans.roundTrip.json", alone: true)
  }

  /// Returns the laws of plans for a faulty JSON renderer. The renderer replaces `text` with
  /// `other` in its output.
  private func losing(_ text: String, for other: String = "") -> Laws {
    .plans("json") { plan in
      plan.json.replacingOccurrences(of: text, with: other)
    } reading: { text in
      try CachePlan(json: text)
    }
  }
}
