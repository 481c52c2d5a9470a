/// The violations in an observation, each with a description of what the law allows instead.
struct Violations {
  private(set) var operations: [Int: String] = [:]
  private(set) var levels: [Int: String] = [:]
  private(set) var rest: [Int: String] = [:]

  var isEmpty: Bool { operations.isEmpty && levels.isEmpty && rest.isEmpty }

  /// Records that an operation has violated the law. `lawful` describes the result that the law
  /// allows.
  mutating func operation(_ index: Int, _ lawful: String) { operations[index] = lawful }

  /// Records that a level received calls that violate the law. `lawful` describes the calls that
  /// the law allows.
  mutating func level(_ index: Int, _ lawful: String) { levels[index] = lawful }

  /// Records that the contents of a level violate the law at the end of the program, when all
  /// pending operations have settled. `lawful` describes the contents that the law allows.
  mutating func rest(_ index: Int, _ lawful: String) { rest[index] = lawful }

  /// Returns the observed results next to those that the law allows, or `nil` if there is no
  /// violation.
  func evidence(_ observation: LawObservation) -> LawEvidence? {
    guard !isEmpty else { return nil }
    let (count, depth) = (observation.operations.count, observation.histories.count)
    return LawEvidence(
      observation.lines.enumerated().map { index, line in
        if index < count { return (line, operations[index]) }
        if index < count + depth { return (line, levels[index - count]) }
        return (line, rest[index - count - depth])
      })
  }
}
