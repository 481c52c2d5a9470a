extension LevelTrial {
  /// Returns a program that stores a value under each of sixteen neighboring keys, may remove one
  /// of them, and reads all. When the level confuses two of these keys, such a program always shows
  /// it, and random steps often don't.
  static func inTurn(_ probe: LevelProbe, _ random: inout SeededGenerator) -> LevelTrial {
    func code(_ key: Int, _ random: inout SeededGenerator) -> Int {
      key * Int.spellingsPerKey + Int.random(in: 0..<probe.spellings[key], using: &random)
    }
    let keys = probe.neighbors(16, using: &random)
    var actions: [Step.Action] = []
    for (number, key) in keys.shuffled(using: &random).enumerated() {
      actions.append(.set(code(key, &random), number % probe.valueCount))
    }
    if Bool.random(using: &random), let key = keys.randomElement(using: &random) {
      actions.append(.remove(code(key, &random)))
    }
    for key in keys.shuffled(using: &random) { actions.append(.get(code(key, &random))) }
    return LevelTrial(
      steps: actions.map { Step($0) }, pace: random.next(), name: probe.name,
      valueName: probe.valueName)
  }
}
