import Strata

/// Checks the nodes of a plan against the rules of ``Strata/CachePlan/advice``.
struct PlanLinter: Sendable {
  let contexts: [PlanContext]

  init(_ plan: CachePlan) { contexts = plan.contexts }

  /// The remarks of all rules, in the order of the plan's nodes.
  var advice: [CachePlan.Advice] {
    let rules = [
      unpooledRemote, pooledMemory, upperOutlivesLower, decodedAtEveryHit, unbounded,
      decodedOutsidePool, restartedAge, unhealable, unreachable, neverAnswering,
    ]
    return contexts.flatMap { context in rules.compactMap { $0(context) } }
  }

  /// Returns the node at a path and all nodes below it.
  func subtree(_ path: [Int]) -> [PlanContext] { contexts.filter { $0.path.starts(with: path) } }

  /// Returns all levels in the subtree at a path.
  func levels(_ path: [Int]) -> [PlanContext] { subtree(path).filter { $0.role != nil } }

  /// Returns the node above `context`, or `nil` for the root.
  func parent(of context: PlanContext) -> PlanContext? {
    guard !context.path.isEmpty else { return nil }
    return contexts.first { $0.path == context.path.dropLast() }
  }

  func remark(
    _ kind: CachePlan.Advice.Kind, _ context: PlanContext, _ reason: String, _ remedy: String
  ) -> CachePlan.Advice {
    CachePlan.Advice(
      kind: kind, path: context.path, location: context.plan.description, reason: reason,
      remedy: remedy)
  }
}
