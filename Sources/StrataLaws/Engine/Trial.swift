/// A random input for a law. After a violation, the law also tries smaller inputs.
package protocol Trial: Sendable {
  /// Smaller variants of this trial, in the order in which shrinking tries the variants.
  var simpler: [Self] { get }

  /// The number of operations.
  var size: Int { get }

  /// The readable form of the trial, one operation per line.
  var lines: [String] { get }
}

/// The observations of the two sides of a law, one fact per line.
///
/// For a law about one cache, the right side is the observation that the law requires.
public struct Evidence: Sendable {
  /// The title and the observation of the left side.
  public let left: (title: String, lines: [String])
  /// The title and the observation of the right side.
  public let right: (title: String, lines: [String])

  /// Creates the evidence from two observations.
  package init(left: (title: String, lines: [String]), right: (title: String, lines: [String])) {
    self.left = left
    self.right = right
  }

  /// Creates the evidence from observed facts. If a fact is lawful, its `violation` is `nil`. If a
  /// fact violates the law, its `violation` describes the lawful behavior. Returns `nil` if all
  /// facts are lawful.
  init?(_ facts: [(fact: String, violation: String?)]) {
    guard facts.contains(where: { $0.violation != nil }) else { return nil }
    self.init(
      left: ("seen", facts.map(\.fact)), right: ("lawful", facts.map { $0.violation ?? $0.fact }))
  }

  /// The two sides of the law next to each other, with an arrow at the first difference.
  var table: [String] {
    let height = max(left.lines.count, right.lines.count)
    let rows = (0..<height).map { row in
      (
        row < left.lines.count ? left.lines[row] : "-",
        row < right.lines.count ? right.lines[row] : "-"
      )
    }
    let width = (rows.map(\.0.count) + [left.title.count]).max() ?? 0
    func line(_ left: String, _ right: String, mark: String = "  ") -> String {
      mark + left + String(repeating: " ", count: max(0, width - left.count)) + " | " + right
    }
    let first = rows.firstIndex { $0.0 != $0.1 }
    return [line(left.title, right.title)]
      + rows.indices.map { line(rows[$0].0, rows[$0].1, mark: $0 == first ? "> " : "  ") }
  }
}
