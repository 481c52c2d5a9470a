extension CachePlan {
  /// The pipeline as a flowchart in Mermaid, for documents that draw those.
  ///
  /// Solid arrows are misses going down, dotted ones are values that fill the levels above; verbs
  /// around several levels are subgraphs.
  ///
  /// - Law: two bracketings of a sum have one flowchart: `plans.associativity`; see `PlanLaws`.
  public var mermaid: String {
    let figure = PlanFigure(self)
    var chart = PlanChart()
    let ends = chart.add(figure, indent: "  ")
    let label = [figure.types?.description, figure.stepsText].compactMap { $0 }
    chart.edges = ends.first.map { "get\(PlanChart.label(label)) --> \($0)" } + chart.edges
    return (["flowchart TD", "  get([get])"] + chart.nodes + chart.edges.map { "  " + $0 })
      .joined(separator: "\n")
  }
}

/// The nodes and edges of a flowchart as they are found.
private struct PlanChart {
  var nodes: [String] = []
  var edges: [String] = []
  private var count = 0

  /// Which nodes are asked first, and which are left when all have missed.
  typealias Ends = (first: [String], last: [String])

  private mutating func next(_ letter: String) -> String {
    count += 1
    return "\(letter)\(count)"
  }

  mutating func add(_ figure: PlanFigure, indent: String) -> Ends {
    switch figure.content {
    case .box(let title, let bounds, let notes):
      let id = next("n")
      let text = ([title] + bounds + notes).map(\.charted).joined(separator: "<br>")
      nodes.append("\(indent)\(id)[\"\(text)\"]")
      return ([id], [id])
    case .frame(let verbs, _, let inner):
      let caption = verbs.isEmpty ? figure.stepsText ?? "" : verbs.joined(separator: ".")
      nodes.append("\(indent)subgraph \(next("f"))[\"\(caption.charted)\"]")
      let ends = add(inner, indent: indent + "  ")
      nodes.append("\(indent)end")
      return ends
    case .stack(let members): return stack(members, indent: indent)
    case .lanes(let lanes):
      let ends = lanes.map { add($0, indent: indent) }
      return (ends.flatMap(\.first), ends.flatMap(\.last))
    }
  }

  private mutating func stack(_ members: [PlanFigure], indent: String) -> Ends {
    var (above, result, fills) = (nil as Ends?, ([], []) as Ends, false)
    for member in members {
      let ends = add(member, indent: indent)
      if let above {
        let label = Self.label(["miss", member.stepsText].compactMap { $0 })
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

extension PlanFigure {
  /// What is changed on the way in and on the way out.
  fileprivate var stepsText: String? {
    let steps = keys + values
    return steps.isEmpty ? nil : steps.map(\.text).joined(separator: ", ")
  }
}

extension String {
  /// This text within quotation marks of Mermaid, where an entity begins with a number sign.
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
