/// The violations in an observation, and the lawful result for each violation.
struct Violations {
  private(set) var operations: [Int: String] = [:]
  private(set) var levels: [Int: String] = [:]
  private(set) var rest: [Int: String] = [:]

  var isEmpty: Bool { operations.isEmpty && levels.isEmpty && rest.isEmpty }

  /// Records the lawful result of an operation.
  mutating func operation(_ index: Int, _ lawful: String) { operations[index] = lawful }

  /// Records the lawful calls to a level.
  mutating func level(_ index: Int, _ lawful: String) { levels[index] = lawful }

  /// Records the contents that a level may lawfully have after all operations have settled.
  mutating func rest(_ index: Int, _ lawful: String) { rest[index] = lawful }

  /// Returns evidence that shows the observed results next to the lawful results, or `nil` if there
  /// is no violation.
  func evidence(_ observation: Observation) -> Evidence? {
    guard !isEmpty else { return nil }
    let (count, depth) = (observation.operations.count, observation.histories.count)
    return Evidence(
      observation.lines.enumerated().map { index, line in
        if index < count { return (line, operations[index]) }
        if index < count + depth { return (line, levels[index - count]) }
        return (line, rest[index - count - depth])
      })
  }
}
