import StrataVerbs

extension CachePlan {
  /// The pipeline as a Mermaid flowchart, for documents that render Mermaid.
  ///
  /// A solid arrow points to the level that a get reads after a miss. Dotted arrows show a
  /// back-fill from a level to a higher one. Subgraphs are verbs around several levels.
  ///
  /// - Law: `((a + b) + c).plan.mermaid == (a + (b + c)).plan.mermaid`. See the law
  ///   `plans.associativity` in `PlanLaws`.
  public var mermaid: String {
    let diagram = PlanDiagram(self)
    var chart = PlanChart()
    let ends = chart.add(diagram, indent: "  ")
    let label = [diagram.types?.text, diagram.mappingText].compactMap { $0 }
    chart.edges = ends.first.map { "get\(PlanChart.label(label)) --> \($0)" } + chart.edges
    return (["flowchart TD", "  get([get])"] + chart.nodes + chart.edges.map { "  " + $0 })
      .joined(separator: "\n")
  }
}

/// The lines of a flowchart.
private struct PlanChart {
  var nodes: [String] = []
  var edges: [String] = []
  private var count = 0

  /// The nodes at which a get can start, and the nodes at which it can end if every level misses.
  typealias Ends = (first: [String], last: [String])

  private mutating func next(_ letter: String) -> String {
    count += 1
    return "\(letter)\(count)"
  }

  mutating func add(_ diagram: PlanDiagram, indent: String) -> Ends {
    switch diagram.content {
    case .box(let title, _, let bounds, let notes):
      let id = next("n")
      let text = ([title] + bounds + notes).map(\.charted).joined(separator: "<br>")
      nodes.append("\(indent)\(id)[\"\(text)\"]")
      return ([id], [id])
    case .frame(let verbs, _, let inner):
      let caption = verbs.isEmpty ? diagram.mappingText ?? "" : verbs.joined(separator: ".")
      nodes.append("\(indent)subgraph \(next("f"))[\"\(caption.charted)\"]")
      let ends = add(inner, indent: indent + "  ")
      nodes.append("\(indent)end")
      return ends
    case .stack(let members): return stack(members, indent: indent)
    case .branches(let branches):
      let ends = branches.map { add($0, indent: indent) }
      return (ends.flatMap(\.first), ends.flatMap(\.last))
    }
  }

  private mutating func stack(_ members: [PlanDiagram], indent: String) -> Ends {
    var (above, result, fills) = (nil as Ends?, ([], []) as Ends, false)
    for member in members {
      let ends = add(member, indent: indent)
      if let above {
        let label = Self.label(["miss", member.mappingText].compactMap { $0 })
        for last in above.last { edges += ends.first.map { "\(last)\(label) --> \($0)" } }
        if fills {
          for first in ends.first { edges += above.first.map { "\(first) -. fill .-> \($0)" } }
        }
      } else {
        result.first = ends.first
      }
      (above, result.last) = (ends, ends.last)
      fills = fills || !member.isSource
    }
    return result
  }

  static func label(_ parts: [String]) -> String {
    parts.isEmpty ? "" : " -- \"\(parts.map(\.charted).joined(separator: "<br>"))\""
  }
}

extension PlanDiagram {
  /// The functions that map the keys and the values, as text.
  fileprivate var mappingText: String? {
    let mappings = keys + values
    return mappings.isEmpty ? nil : mappings.map(\.text).joined(separator: ", ")
  }
}

extension String {
  /// This text, escaped for a Mermaid string. In Mermaid, an escaped character begins with a number
  /// sign (`#`).
  fileprivate var charted: String {
    var text = ""
    for character in onOneLine.unicodeScalars {
      switch character {
      case "#", "\"", "<", ">", "&": text += "#\(character.value);"
      default: text.unicodeScalars.append(character)
      }
    }
    return text
  }
}
