import StrataVerbs

/// The facts about the subtree of a node that the rules of ``StrataCore/CachePlan/advice`` need.
/// They are computed for all nodes together, in linear time.
struct PlanSubtree: Sendable {
  /// The index of the node above, or `nil` for the root.
  var parent: Int?
  /// The index after the last node of the subtree, in preorder.
  var end: Int
  /// Whether a level of the subtree stores values.
  var stores: Bool
  /// The last node of the chain that begins at this node. All other nodes of the chain have exactly
  /// one child.
  var last: Int
  /// Whether a node of the chain recovers from failures.
  var recovers: Bool
  /// Whether a node of the chain rejects some keys.
  var isConditional: Bool

  /// Returns the facts about the subtree of each node. The nodes are in preorder.
  static func all(of contexts: [PlanContext]) -> [PlanSubtree] {
    var subtrees = contexts.indices.map { index in
      let context = contexts[index]
      return PlanSubtree(
        parent: context.parent, end: index + 1, stores: context.stores, last: index,
        recovers: context.plan.isVerb(.recovering),
        isConditional: context.plan.isVerb(.conditioned))
    }
    for index in contexts.indices.reversed() {
      if contexts[index].plan.children.count == 1 {
        let child = subtrees[index + 1]
        subtrees[index].last = child.last
        subtrees[index].recovers = subtrees[index].recovers || child.recovers
        subtrees[index].isConditional = subtrees[index].isConditional || child.isConditional
      }
      guard let parent = subtrees[index].parent else { continue }
      subtrees[parent].end = max(subtrees[parent].end, subtrees[index].end)
      subtrees[parent].stores = subtrees[parent].stores || subtrees[index].stores
    }
    return subtrees
  }
}
