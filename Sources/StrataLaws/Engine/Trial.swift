/// What a law is tried on: drawn at random, and made smaller when the law does not hold for it.
public protocol Trial: Sendable {
  /// The trials that are a little smaller than this one, the smallest first.
  var simpler: [Self] { get }

  /// How many operations it has.
  var size: Int { get }

  /// The trial as a person reads it, an operation a line.
  var lines: [String] { get }
}

/// What was seen on the two sides of a law: observations, a fact a line.
///
/// A law about one cache has on its right what would have been lawful.
public struct Evidence: Sendable {
  /// What the left side is called, and what was seen of it.
  public let left: (title: String, lines: [String])
  /// What the right side is called, and what was seen of it.
  public let right: (title: String, lines: [String])

  /// Makes the evidence of two observations.
  public init(left: (title: String, lines: [String]), right: (title: String, lines: [String])) {
    self.left = left
    self.right = right
  }

  /// Makes the evidence of facts of which some have a complaint; `nil` if none has.
  init?(_ facts: [(fact: String, complaint: String?)]) {
    guard facts.contains(where: { $0.complaint != nil }) else { return nil }
    self.init(
      left: ("seen", facts.map(\.fact)), right: ("lawful", facts.map { $0.complaint ?? $0.fact }))
  }

  /// Both sides next to each other, the first difference marked with an arrow.
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
