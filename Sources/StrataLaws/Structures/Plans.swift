import StrataVerbs
import StrataExplain

extension Laws {
  /// A function that renders a plan as text.
  package typealias Rendering = @Sendable (CachePlan) -> String

  /// A function that makes the plan of a sum.
  package typealias Summing = @Sendable ([CachePlan]) -> CachePlan

  /// The laws of plans and their renderings, such as text, diagrams, and JSON. For example, two
  /// sums that differ only in brackets have equal renderings. Reading the JSON of a plan returns an
  /// equal plan.
  package static var plans: Laws {
    let forms: [(name: String, tellsAll: Bool, form: Rendering)] = [
      ("description", false, { $0.description }), ("tree", true, { $0.tree }),
      ("mermaid", false, { $0.mermaid }), ("svg", false, { $0.svg }), ("json", true, { $0.json }),
    ]
    return Laws(
      "plans",
      forms.flatMap { plans($0.name, tellsAll: $0.tellsAll, rendering: $0.form).laws }
        + plans("json", rendering: { $0.json }, reading: { try CachePlan(json: $0) }).laws
        + plans("advice") { $0.advice.map { "\($0.path) \($0)" }.joined(separator: "\n") }.laws
        .filter { $0.name.contains("associativity") || $0.name.contains("identity") })
  }

  /// Returns laws that check your own functions for adding and rendering plans.
  ///
  /// - Parameters:
  ///   - name: The name of the rendering.
  ///   - tellsAll: Whether different plans must have different renderings. With `false`, plans with
  ///     the same levels may look alike, even if they differ in something else.
  ///   - sum: The function that makes the plan of a sum.
  ///   - render: The function that renders a plan.
  package static func plans(
    _ name: String, tellsAll: Bool = true,
    summing sum: @escaping Summing = { CachePlan.sum($0) }, rendering render: @escaping Rendering
  ) -> Laws {
    func law(
      _ law: String, _ statement: String, _ sentence: String, isEqual: Bool = true,
      _ left: @escaping @Sendable (PlanTrial) -> CachePlan,
      is right: @escaping @Sendable (PlanTrial) -> CachePlan
    ) -> Law {
      Law("plans.\(law).\(name)", statement, sentence, draw: { PlanTrial(&$0) }) { trial in
        let (one, other) = (left(trial), right(trial))
        let isAlike = tellsAll ? one == other : one.levelCaptions == other.levelCaptions
        let isTrivial = !isEqual && isAlike
        let (left, right) = (render(one), render(other))
        return (left == right) == isEqual || isTrivial
          ? nil : LawEvidence(left: ("left", left.lined), right: ("right", right.lined))
      }
    }
    return Laws(
      "plans",
      [
        law(
          "associativity", "(a + b) + c looks like a + (b + c)",
          "A sum looks the same with different brackets."
        ) {
          $0.bracketed(from: .left, by: sum)
        } is: {
          $0.bracketed(from: .right, by: sum)
        },
        law(
          "identity", ".empty + a looks like a",
          "The empty cache doesn't appear in the plan of a sum."
        ) {
          sum([Cache<Int, Int>.empty.plan, sum($0.members), Cache<Int, Int>.empty.plan])
        } is: {
          sum($0.members)
        },
        law(
          "order", "a + b looks unlike b + a",
          "Plans with the same levels in a different order look different.",
          isEqual: false
        ) {
          sum($0.members)
        } is: {
          sum($0.members.reversed())
        },
        law(
          "content", "a looks unlike b", "Plans with different levels look different.",
          isEqual: false
        ) {
          sum($0.members)
        } is: {
          sum($0.members.dropLast() + [.level("other", .storage)])
        },
      ])
  }

  /// Returns the law of round trips: a plan that is rendered and then read equals the original
  /// plan.
  ///
  /// - Parameters:
  ///   - name: The name of the rendering.
  ///   - render: The function that renders a plan.
  ///   - read: The function that reads a plan.
  package static func plans(
    _ name: String, rendering render: @escaping Rendering,
    reading read: @escaping @Sendable (String) throws -> CachePlan
  ) -> Laws {
    let law = Law(
      "plans.roundTrip.\(name)", "read(write(a)) == a",
      "Reading a written plan returns an equal plan.",
      draw: { PlanTrial(&$0) },
      judge: { trial in
        let plan = trial.plan
        let back = Result { try read(render(plan)) }
        if case .success(plan) = back { return nil }
        return LawEvidence(left: ("read", ["\(back)"]), right: ("written", ["\(plan)"]))
      })
    return Laws("plans", [law])
  }
}

extension String {
  fileprivate var lined: [String] {
    split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
