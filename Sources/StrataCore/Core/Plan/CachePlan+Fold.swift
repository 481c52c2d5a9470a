extension CachePlan: Equatable {
  /// Returns whether two plans have the same nodes in the same order.
  ///
  /// - Complexity: O(n) in the number of nodes, and O(1) for two copies of the same plan.
  public static func == (left: CachePlan, right: CachePlan) -> Bool {
    var open = [(left, right)]
    while let (left, right) = open.popLast() {
      if left.node === right.node { continue }
      guard left.form == right.form, left.kind == right.kind, left.types == right.types,
        left.children.count == right.children.count,
        let plans = left.arguments.plans(comparedWith: right.arguments)
      else { return false }
      open += zip(left.children, right.children)
      open += plans
    }
    return true
  }

  /// Combines all nodes into one result, from the leaves to the root. This function uses a loop
  /// instead of recursion.
  ///
  /// - Parameter combine: A closure that receives a node and the results of its children. It runs
  ///   once for each node.
  package func fold<Result>(_ combine: (CachePlan, [Result]) -> Result) -> Result {
    fold(over: \.children, combine)
  }

  /// Combines all nodes into one result, from the leaves to the root. The function `parts` returns
  /// the children of a node.
  package func fold<Result>(
    over parts: (CachePlan) -> [CachePlan], _ combine: (CachePlan, [Result]) -> Result
  ) -> Result {
    var open = [(plan: self, parts: parts(self), results: [Result]())]
    while true {
      let top = open.count - 1
      let next = open[top].results.count
      if next < open[top].parts.count {
        let part = open[top].parts[next]
        open.append((part, parts(part), []))
        continue
      }
      let done = open.removeLast()
      let result = combine(done.plan, done.results)
      if open.isEmpty { return result }
      open[top - 1].results.append(result)
    }
  }
}

extension CachePlan.Arguments {
  /// Compares two lists of arguments, except for plans inside the arguments. Returns the pairs of
  /// plans that the caller must still compare, or `nil` if the lists differ.
  fileprivate func plans(
    comparedWith other: CachePlan.Arguments
  ) -> [(CachePlan, CachePlan)]? {
    guard elements.count == other.elements.count else { return nil }
    var plans: [(CachePlan, CachePlan)] = []
    for (one, two) in zip(elements, other.elements) {
      guard one.label == two.label else { return nil }
      if case (.plan(let one), .plan(let two)) = (one.value, two.value) {
        plans.append((one, two))
      } else if one.value != two.value {
        return nil
      }
    }
    return plans
  }
}
