/// A random input for a law. After a violation, the law also tries smaller inputs.
package protocol Trial: Sendable {
  /// Smaller variants of this trial, in the order in which the search tries them.
  var simpler: [Self] { get }

  /// The number of operations.
  var size: Int { get }

  /// The readable form of the trial, one operation per line.
  var lines: [String] { get }
}

extension Trial {
  /// For each element of a list, this trial without the element.
  func withoutEach<Element>(_ list: WritableKeyPath<Self, [Element]>) -> [Self] {
    self[keyPath: list].indices.map { index in
      var trial = self
      trial[keyPath: list].remove(at: index)
      return trial
    }
  }
}

/// The evidence that a law is violated: two lists of facts, with one fact per line. Most laws
/// require that the two lists are equal.
///
/// For a law about two caches, each list contains the facts observed in one of them. For a law
/// about one cache, `right` usually contains what the law requires.
public struct LawEvidence: Sendable {
  /// The first list: its title, and the facts that were observed.
  public let left: (title: String, lines: [String])
  /// The second list: its title, and the facts that were observed or that the law requires.
  public let right: (title: String, lines: [String])
  /// Explanations of the facts, such as the first difference of two values.
  public internal(set) var notes: [String] = []

  /// Creates the evidence from two observations.
  package init(left: (title: String, lines: [String]), right: (title: String, lines: [String])) {
    self.left = left
    self.right = right
  }

  /// Creates the evidence of a violation from a list of observed facts. For a fact that satisfies
  /// the law, `violation` is `nil`. For any other fact, it describes what the law requires instead.
  /// Returns `nil` if all facts satisfy the law.
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
        row < left.lines.count ? LawText.shortened(left.lines[row]) : "-",
        row < right.lines.count ? LawText.shortened(right.lines[row]) : "-"
      )
    }
    let width = (rows.map(\.0.count) + [left.title.count]).max() ?? 0
    func line(_ left: String, _ right: String, mark: String = "  ") -> String {
      mark + left + String(repeating: " ", count: max(0, width - left.count)) + " | " + right
    }
    // Different values may have the same text. Then a note explains their difference.
    let first = (0..<height).first { row in
      row >= left.lines.count || row >= right.lines.count || left.lines[row] != right.lines[row]
    }
    return [line(left.title, right.title)]
      + rows.indices.map { line(rows[$0].0, rows[$0].1, mark: $0 == first ? "> " : "  ") }
  }
}
