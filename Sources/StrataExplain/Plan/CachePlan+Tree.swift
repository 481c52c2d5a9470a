import StrataVerbs

extension CachePlan {
  /// The pipeline as a tree with one node on each line. When the types of the keys and values are
  /// known, the tree also shows them.
  ///
  /// Members of a sum appear in lookup order.
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
  /// - Law: Parentheses within a sum don't change the tree. See the law `plans.associativity` in
  ///   `PlanLaws`.
  public var tree: String {
    let rows = rows
    let width = rows.map(\.text.count).max() ?? 0
    return rows.map { row in
      guard let types = row.types else { return row.text }
      let gap = String(repeating: " ", count: width - row.text.count + 1)
      return row.text + gap + types.text.onOneLine
    }.joined(separator: "\n")
  }

  /// The rows of the tree, from top to bottom.
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

  /// The nodes that the tree shows below this one: the children, or if the only child is a sum, the
  /// members of this sum.
  private var branches: [CachePlan] {
    children.count == 1 && children[0].form == .sum ? children[0].children : children
  }
}

extension CachePlan.Types {
  /// The type of the key and the type of the value, such as `URL → String`.
  var text: String { "\(key) → \(value)" }
}
