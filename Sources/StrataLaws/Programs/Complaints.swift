/// What is wrong with an observation, by the fact that it is wrong with.
struct Complaints {
  private(set) var operations: [Int: String] = [:]
  private(set) var levels: [Int: String] = [:]
  private(set) var rest: [Int: String] = [:]

  var isEmpty: Bool { operations.isEmpty && levels.isEmpty && rest.isEmpty }

  /// Says what an operation ought to have answered.
  mutating func operation(_ place: Int, _ lawful: String) { operations[place] = lawful }

  /// Says what a level ought to have been asked.
  mutating func level(_ number: Int, _ lawful: String) { levels[number] = lawful }

  /// Says what a level ought to hold at rest.
  mutating func rest(_ number: Int, _ lawful: String) { rest[number] = lawful }

  /// The observation on the left, and on the right what would have been lawful; `nil` if all was.
  func evidence(_ observation: Observation) -> Evidence? {
    guard !isEmpty else { return nil }
    let (count, depth) = (observation.operations.count, observation.histories.count)
    return Evidence(
      observation.lines.enumerated().map { place, line in
        if place < count { return (line, operations[place]) }
        if place < count + depth { return (line, levels[place - count]) }
        return (line, rest[place - count - depth])
      })
  }
}
