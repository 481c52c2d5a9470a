/// Kinds of steps that a law of a level is tried on.
struct LevelSteps: Sendable {
  /// How many of each kind there are in twenty: get, set, remove, clear, warn, cancel.
  let weights: [Int]
  /// How many keys a trial is about.
  var keys = 2
  var count = 1...12
  var clients = 1
  /// Whether every set has a key of its own.
  var isSpread = false

  static let all = LevelSteps(weights: [8, 7, 3, 1, 1, 0])
  static let manyKeys = LevelSteps(weights: [10, 8, 2, 0, 0, 0], keys: 100, count: 24...32)
  static let removals = LevelSteps(weights: [8, 6, 4, 2, 0, 0])
  static let absences = LevelSteps(weights: [10, 0, 6, 4, 0, 0], keys: 3, count: 1...5)
  static let overlapping = LevelSteps(weights: [8, 6, 2, 1, 1, 2])
  static let history = LevelSteps(weights: [8, 7, 3, 2, 0, 0], count: 12...12, clients: 3)

  static func stores(_ count: Int) -> LevelSteps {
    LevelSteps(weights: [2, 16, 1, 0, 1, 0], keys: 1000, count: 1...count, isSpread: true)
  }

  /// Steps of which enough are sets of new keys to go beyond a capacity.
  static func beyond(_ capacity: Int) -> LevelSteps {
    LevelSteps(
      weights: [2, 17, 1, 0, 0, 0], keys: 1000, count: 1...(capacity * 3 / 2 + 4), isSpread: true)
  }

  func trial(_ probe: LevelProbe, _ random: inout SeededGenerator) -> LevelTrial {
    let all = Array(probe.spellings.indices).shuffled(using: &random)
    let chosen = Array(all.prefix(keys))
    let steps = (0..<Int.random(in: count, using: &random)).map { number in
      let place = Int.random(in: chosen.indices, using: &random)
      let key = isSpread ? number : chosen[place]
      let spelling = key < probe.spellings.count ? probe.spellings[key] : 1
      let code = key * 4 + Int.random(in: 0..<spelling, using: &random)
      return Step(
        action(code, number: number, using: &random), client: clients > 1 ? number % clients : 0)
    }
    return LevelTrial(steps: steps, name: probe.name)
  }

  private func action(
    _ key: Int, number: Int, using random: inout SeededGenerator
  ) -> Step.Action {
    var rest = Int.random(in: 0..<20, using: &random)
    let kinds: [Step.Action] = [
      .get(key), .set(key, number), .remove(key), .clear, .warn,
      .cancel(Int.random(in: 0..<12, using: &random)),
    ]
    for (kind, weight) in zip(kinds, weights) {
      if rest < weight { return kind }
      rest -= weight
    }
    return .get(key)
  }
}
