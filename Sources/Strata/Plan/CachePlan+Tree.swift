extension CachePlan {
  /// The pipeline as a tree, a node a line, with the types of keys and values where they are known.
  ///
  /// The members of a sum stand beneath each other in the order in which they are asked.
  ///
  ///     print(pages.plan.tree)
  ///     // sum                      URL → String
  ///     // ├─ memory(1000)          URL → String
  ///     // └─ pooled()              URL → String
  ///     //    ├─ <*> utf8           URL → String
  ///     //    │  └─ keys <^>        URL → Data
  ///     //    │     └─ disk(100 MB) String → Data
  ///     //    └─ <*> utf8           URL → String
  ///     //       └─ network         URL → Data
  ///
  /// - Law: two bracketings of a sum have one tree: `plans.associativity`; see `PlanLaws`.
  public var tree: String {
    let rows = normalized.rows
    let width = rows.map(\.text.count).max() ?? 0
    return rows.map { row in
      guard let types = row.types else { return row.text }
      let gap = String(repeating: " ", count: width - row.text.count + 1)
      return row.text + gap + types.description.onOneLine
    }.joined(separator: "\n")
  }

  /// The rows of the tree, from the top; a verb over a sum has its members as branches.
  private var rows: [(text: String, types: Types?)] {
    var rows: [(text: String, types: Types?)] = []
    var open = [(plan: self, lead: "", branch: "")]
    while let (plan, lead, branch) = open.popLast() {
      rows.append((lead + branch + plan.caption.onOneLine, plan.types))
      let indent = lead + (branch.isEmpty ? "" : branch == "├─ " ? "│  " : "   ")
      let parts = plan.branches
      for (index, part) in parts.enumerated().reversed() {
        open.append((part, indent, index == parts.count - 1 ? "└─ " : "├─ "))
      }
    }
    return rows
  }

  /// What stands beneath a node: of a single sum its members.
  private var branches: [CachePlan] {
    guard children.count == 1, case .sum(let members) = children[0] else { return children }
    return members
  }

  /// A node by itself, without what it is made of.
  var caption: String {
    switch self {
    case .level(let name, let detail, _): name + (detail.map { "(\($0))" } ?? "")
    case .sum: "sum"
    case .lanes: "switching"
    case .mappedKeys(_, let label, _): "\(label) <^>"
    case .mappedValues(_, let label, _): "<*> \(label)"
    case .verb(_, let name, let arguments, _): "\(name)(\(arguments))"
    }
  }
}
