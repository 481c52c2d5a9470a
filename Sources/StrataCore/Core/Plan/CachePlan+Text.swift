import Foundation

extension CachePlan: CustomStringConvertible {
  /// The expression that creates the cache, with the parentheses that the operators need.
  ///
  /// - Complexity: O(n) in the number of nodes.
  public var description: String { Piece.text(of: [.plan(self, within: .sum)]) }

  /// The text of this node without its children, such as `pooled()`, `disk(100 MB)`, or `<*> utf8`.
  package var caption: String {
    switch form {
    case .level: kind.name + (arguments.elements.isEmpty ? "" : "(\(arguments))")
    case .sum, .branches: kind.name
    case .mappedKeys: "\(kind) <^>"
    case .mappedValues: "<*> \(kind)"
    case .verb: "\(kind)(\(arguments))"
    }
  }

  /// The precedences of the operators in a plan's text, from the lowest to the highest.
  fileprivate enum Binding: Int { case sum, values, keys, member }

  private var binding: Binding {
    switch form {
    case .sum: .sum
    case .mappedValues: .values
    case .mappedKeys: .keys
    case .level, .branches, .verb: .member
    }
  }

  /// Returns the pieces of this node's text. Among them are the plans of the children, which are
  /// converted to text later.
  fileprivate func pieces(within outer: Binding) -> [Piece] {
    let parts = children.map { Piece.plan($0, within: .sum) }
    let pieces: [Piece] =
      switch form {
      case .level:
        [.text(kind.name)] + (arguments.elements.isEmpty ? [] : arguments.pieces.inParentheses)
      case .sum: parts.joined(by: " + ")
      case .branches: [.text(kind.name)] + parts.joined(by: ", ").inParentheses
      case .mappedKeys: [.text("\(kind) <^> "), .plan(children[0], within: .keys)]
      case .mappedValues: [.plan(children[0], within: .values), .text(" <*> \(kind)")]
      case .verb:
        [.plan(children[0], within: .member), .text(".\(kind)")] + arguments.pieces.inParentheses
      }
    return binding.rawValue >= outer.rawValue ? pieces : pieces.inParentheses
  }
}

extension CachePlan.Arguments: CustomStringConvertible {
  /// The arguments as written in a call, without parentheses: `60 s, from: network`.
  public var description: String { CachePlan.Piece.text(of: pieces) }

  fileprivate var pieces: [CachePlan.Piece] {
    let parts = elements.map { argument in
      [.text(argument.label.map { "\($0): " } ?? ""), argument.value.piece]
    }
    return Array(parts.joined(separator: [.text(", ")]))
  }
}

extension CachePlan.Value {
  fileprivate var piece: CachePlan.Piece {
    switch self {
    case .count(let count): .text("\(count)")
    case .bytes(let count): .text(count.formattedBytes)
    case .fraction(let fraction): .text("\(fraction)")
    case .duration(let duration): .text(duration.formattedExactly)
    case .date(let instant): .text(instant.text)
    case .text(let text): .text("\"\(text)\"")
    case .name(let name): .text(name)
    case .plan(let plan): .plan(plan, within: .sum)
    }
  }
}

extension CachePlan {
  /// A piece of a plan's text: either finished text, or a plan that isn't converted to text yet.
  fileprivate enum Piece {
    case text(String)
    case plan(CachePlan, within: Binding)

    /// Returns the text of the pieces. This function uses a loop, because recursion would need a
    /// stack as deep as the plan.
    static func text(of pieces: [Piece]) -> String {
      var (text, open) = ("", Array(pieces.reversed()))
      while let piece = open.popLast() {
        switch piece {
        case .text(let part): text += part
        case .plan(let plan, let outer): open += plan.pieces(within: outer).reversed()
        }
      }
      return text
    }
  }
}

extension [CachePlan.Piece] {
  fileprivate var inParentheses: [CachePlan.Piece] { [.text("(")] + self + [.text(")")] }

  fileprivate func joined(by separator: String) -> [CachePlan.Piece] {
    Array(map { [$0] }.joined(separator: [.text(separator)]))
  }
}
