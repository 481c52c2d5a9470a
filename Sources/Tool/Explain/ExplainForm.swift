import Strata
import StrataExplain

/// An output format for a plan.
enum ExplainForm: String, CaseIterable, Sendable {
  case expression
  case tree
  case advice
  case mermaid
  case json
  case svg

  static var names: [String] { allCases.map(\.rawValue) }

  func text(of plan: CachePlan) -> String {
    switch self {
    case .expression: plan.description
    case .tree: plan.tree
    case .advice:
      plan.advice.isEmpty
        ? "no advice" : plan.advice.map { "- \($0)" }.joined(separator: "\n")
    case .mermaid: plan.mermaid
    case .json: plan.json
    case .svg: plan.svg
    }
  }
}
