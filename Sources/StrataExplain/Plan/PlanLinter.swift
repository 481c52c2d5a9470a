import StrataVerbs

/// Checks the nodes of a plan against the rules of ``StrataCore/CachePlan/advice``.
struct PlanLinter: Sendable {
  /// The nodes in preorder.
  let contexts: [PlanContext]
  /// The known facts about the subtree of each node.
  let subtrees: [PlanSubtree]

  private init(_ root: PlanContext) {
    contexts = root.contexts
    subtrees = PlanSubtree.all(of: contexts)
  }

  /// Returns the remarks of all rules about a plan and the plans in its arguments, in the order of
  /// the nodes.
  static func advice(about plan: CachePlan) -> [CachePlan.Advice] {
    var remarks: [CachePlan.Advice] = []
    var open = [PlanContext(plan: plan, path: [])]
    while let root = open.popLast() {
      let linter = PlanLinter(root)
      remarks += linter.advice
      open += linter.contexts.flatMap(\.arguments)
    }
    let order = remarks.indices.sorted { one, other in
      remarks[one].path == remarks[other].path
        ? one < other : remarks[one].path.lexicographicallyPrecedes(remarks[other].path)
    }
    return order.map { remarks[$0] }
  }

  /// The remarks of all rules, in the order of the plan's nodes.
  private var advice: [CachePlan.Advice] {
    let rules = [
      unpooledRemote, pooledMemory, upperOutlivesLower, decodedAtEveryHit, unbounded,
      decodedOutsidePool, restartedAge, unhealable, unreachable, neverAnswering,
      unconfirmed,
    ]
    return contexts.flatMap { context in rules.compactMap { $0(context) } }
  }

  /// Returns a node and all nodes below it.
  func subtree(_ context: PlanContext) -> ArraySlice<PlanContext> {
    contexts[context.index..<subtrees[context.index].end]
  }

  /// Returns the children of a node, from left to right.
  func children(_ context: PlanContext) -> [PlanContext] {
    var (children, next) = ([PlanContext](), context.index + 1)
    while next < subtrees[context.index].end {
      children.append(contexts[next])
      next = subtrees[next].end
    }
    return children
  }

  /// Returns all levels in the subtree of a node.
  func levels(_ context: PlanContext) -> some Sequence<PlanContext> {
    subtree(context).lazy.filter { $0.role != nil }
  }

  /// Returns the node above `context`, or `nil` for the root.
  func parent(of context: PlanContext) -> PlanContext? {
    subtrees[context.index].parent.map { contexts[$0] }
  }

  func remark(
    _ kind: CachePlan.Advice.Kind, _ context: PlanContext, _ reason: String, _ remedy: String
  ) -> CachePlan.Advice {
    CachePlan.Advice(
      kind: kind, path: context.path, location: context.plan.description, reason: reason,
      remedy: remedy)
  }
}
