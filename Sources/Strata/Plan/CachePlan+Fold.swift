extension CachePlan {
  /// What this plan is made of: the members of a sum, the lanes, or the one cache beneath.
  var children: [CachePlan] {
    switch self {
    case .level: []
    case .sum(let members), .lanes(let members): members
    case .mappedKeys(let plan, _, _), .mappedValues(let plan, _, _), .verb(let plan, _, _, _):
      [plan]
    }
  }

  /// The same node over other parts.
  func with(children: [CachePlan]) -> CachePlan {
    switch self {
    case .level: self
    case .sum: .sum(children)
    case .lanes: .lanes(children)
    case .mappedKeys(_, let label, let types):
      .mappedKeys(children[0], label: label, types: types)
    case .mappedValues(_, let label, let types):
      .mappedValues(children[0], label: label, types: types)
    case .verb(_, let name, let arguments, let types):
      .verb(children[0], name: name, arguments: arguments, types: types)
    }
  }

  /// Combines the nodes from the leaves up, without a stack that grows with the depth of the plan.
  func fold<Result>(_ combine: (CachePlan, [Result]) -> Result) -> Result {
    var open = [(plan: self, children: children, results: [Result]())]
    while true {
      let top = open.count - 1
      let next = open[top].results.count
      if next < open[top].children.count {
        let child = open[top].children[next]
        open.append((child, child.children, []))
        continue
      }
      let done = open.removeLast()
      let result = combine(done.plan, done.results)
      if open.isEmpty { return result }
      open[top - 1].results.append(result)
    }
  }

  /// This plan with the algebra applied: a sum in a sum leaves no trace, and neither does the empty
  /// cache. Every form of a plan is made of this one.
  var normalized: CachePlan {
    fold { plan, parts in
      guard case .sum = plan else { return plan.with(children: parts) }
      let members = parts.flatMap(\.summands).filter { !$0.isEmpty }
      if members.isEmpty { return parts.first ?? .level("empty") }
      return members.count == 1 ? members[0] : .sum(members)
    }
  }

  private var isEmpty: Bool {
    guard case .level("empty", nil, _) = self else { return false }
    return true
  }

  /// What goes in and what comes out, where the plan says so; a sum has the types of its members.
  public var types: Types? {
    var plan = self
    while true {
      switch plan {
      case .level(_, _, let types), .mappedKeys(_, _, let types), .mappedValues(_, _, let types),
        .verb(_, _, _, let types):
        return types
      case .sum(let members), .lanes(let members):
        guard let first = members.first else { return nil }
        plan = first
      }
    }
  }
}

extension CachePlan.Types: CustomStringConvertible {
  /// From the key to the value: `URL → String`.
  public var description: String { "\(key) → \(value)" }
}
