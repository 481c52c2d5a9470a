import StrataVerbs

/// The distribution of random steps for a law of a level.
struct LevelSteps: Sendable {
  /// The average numbers of gets, sets, removes, clears, warnings, and cancellations in twenty
  /// steps.
  let weights: [Int]
  /// The weights for all clients except the first, in about half of the trials. In the other
  /// trials, or if this property is `nil`, all clients use `weights`.
  var others: [Int]?
  /// The number of keys in a trial.
  var keys = 2
  var count = 1...12
  var clients = 1
  /// Whether every `set` step stores its value under a different key.
  var isSpread = false
  /// Whether the keys of a trial are neighbors in `LawSample.spellings`. Neighbors are the keys
  /// that a level is most likely to confuse.
  var isClose = false
  /// Whether each `set` stores a random value. Otherwise, it stores the number of its step. In that
  /// case, a program with few steps never stores the last values of a list.
  var hasAnyValue = false
  /// Whether clients have separate keys.
  var isApart = false
  /// Whether the keys of a trial are the first keys instead of random ones, so there can be many.
  var isPooled = false

  static let readings = LevelSteps(weights: [9, 10, 0, 0, 1, 0])
  static let visibility = LevelSteps(weights: [8, 8, 3, 1, 0, 0])
  static let visibilityAfterWarnings = LevelSteps(weights: [4, 8, 4, 1, 3, 0], count: 3...12)
  static let writes = LevelSteps(weights: [0, 15, 5, 0, 0, 0], count: 1...4)
  static let keeping = LevelSteps(weights: [8, 7, 3, 1, 1, 0], keys: 6, count: 1...20)
  static let closeKeys = LevelSteps(
    weights: [9, 8, 2, 1, 0, 0], keys: 10, count: 24...40, isClose: true)
  static let removals = LevelSteps(weights: [8, 6, 4, 2, 0, 0])
  static let absences = LevelSteps(weights: [10, 0, 6, 4, 0, 0], keys: 3, count: 1...5)
  static let reopening = LevelSteps(
    weights: [1, 11, 6, 1, 0, 0], keys: 5, count: 2...16, hasAnyValue: true)
  static let reopeningClose = LevelSteps(
    weights: [1, 13, 4, 1, 0, 0], keys: 8, count: 10...20, isClose: true)
  static let values = LevelSteps(weights: [9, 8, 3, 0, 0, 0], keys: 3, hasAnyValue: true)
  static let overlapping = LevelSteps(weights: [8, 6, 2, 1, 1, 2])
  /// Steps with memory warnings. Warnings may lose values, but must never bring one back.
  static let warnings = LevelSteps(
    weights: [8, 6, 2, 1, 3, 0], others: [12, 8, 0, 0, 0, 0], count: 12...12, clients: 3)
  static let history = LevelSteps(
    weights: [8, 7, 3, 2, 0, 0], others: [14, 5, 1, 0, 0, 0], count: 12...12, clients: 3)
  static let clears = LevelSteps(
    weights: [7, 8, 0, 5, 0, 0], others: [11, 9, 0, 0, 0, 0], count: 12...12, clients: 3)

  static func stores(_ count: Int) -> LevelSteps {
    LevelSteps(weights: [2, 16, 1, 0, 1, 0], keys: 1000, count: 1...count, isSpread: true)
  }

  /// Steps that store a value under each of `count` keys.
  static func filling(_ count: Int) -> LevelSteps {
    LevelSteps(weights: [0, 20, 0, 0, 0, 0], keys: 1000, count: count...count, isSpread: true)
  }

  /// Random steps with a different key for each step. These steps may store more values than
  /// `capacity`.
  static func beyond(_ capacity: Int) -> LevelSteps {
    LevelSteps(
      weights: [2, 17, 1, 0, 0, 0], keys: 1000, count: 1...(capacity * 3 / 2 + 4), isSpread: true)
  }

  /// Random steps that overwrite and remove values of a few more keys than `capacity`. They reveal
  /// a level that miscounts its values.
  static func mixed(beyond capacity: Int) -> LevelSteps {
    LevelSteps(
      weights: [2, 13, 4, 1, 0, 0], keys: capacity + 2 + capacity / 4,
      count: 1...(capacity * 2 + 16), isPooled: true)
  }

  /// Random steps that overwrite and remove the values of as many keys as there is room for.
  static func mixed(within room: Int) -> LevelSteps {
    LevelSteps(
      weights: [6, 9, 4, 0, 1, 0], keys: max(1, min(room, 8)), count: 8...40, isPooled: true)
  }

  /// Steps of clients that use separate keys. When `room` is two or more, they use at most `room`
  /// keys in total, except if `isFull` is `true`.
  ///
  /// - Parameters:
  ///   - isBurst: Whether a client has so many steps that they take longer than a time slice of the
  ///     scheduler. Then the operations of different clients overlap even on a busy machine.
  ///   - isFull: Whether the clients use a few more keys than there is room for, so values are
  ///     evicted while other clients use the level.
  static func apart(room: Int, isBurst: Bool, isFull: Bool) -> LevelSteps {
    let clients = isFull ? 3 : min(3, max(2, room))
    // A large level rarely evicts the few keys of a short program, so these have more.
    let isLarge = isFull && room > 64
    let each =
      isLarge ? 60 : isFull ? min(room, 12) / clients + 1 : max(1, min(4, room / clients))
    let count = isBurst ? 1500 : isLarge ? 240 : 36
    return LevelSteps(
      weights: [7, 10, 3, 0, 0, 0], keys: clients * each, count: count...count, clients: clients,
      isApart: true, isPooled: isLarge)
  }

  /// Returns a trial of clients on threads. Some trials send memory warnings. For a level with a
  /// capacity, some trials first fill the level, so it evicts values while clients use it.
  func concurrent(_ probe: LevelProbe, _ random: inout SeededGenerator) -> LevelTrial {
    let kind = Int.random(in: 0..<8, using: &random)
    guard kind > 1 else { return LevelSteps.warnings.trial(probe, &random) }
    let isLarge = probe.keeps.room > 64
    let isFull =
      kind < 5 && probe.keeps.room <= 1000
      && !(isLarge && Int.random(in: 0..<8, using: &random) > 0)
    guard isFull else { return trial(probe, &random) }
    var steps = self
    steps.keys = 3
    var trial = steps.trial(probe, &random)
    trial.setup = LevelSteps.setup(probe.keeps.room - 1, probe)
    return trial
  }

  /// Steps that store values under keys that no other step uses, if there are enough keys.
  static func setup(_ count: Int, _ probe: LevelProbe) -> [Step] {
    guard probe.keyCount > 30_000 else { return [] }
    return (0..<max(0, count)).map { Step(.set((20_000 + $0) * Int.spellingsPerKey, $0)) }
  }

  func trial(_ probe: LevelProbe, _ random: inout SeededGenerator) -> LevelTrial {
    if isClose, Bool.random(using: &random) { return .inTurn(probe, &random) }
    let chosen = chosen(probe, &random)
    let others = others.flatMap { Bool.random(using: &random) ? $0 : nil } ?? weights
    // Clients with separate keys need a key each.
    let clients = isApart ? min(clients, chosen.count) : clients
    let steps = (0..<Int.random(in: count, using: &random)).map { number in
      let client = clients > 1 ? number % clients : 0
      var index = Int.random(in: chosen.indices, using: &random)
      if isApart { index = (index / clients * clients + client) }
      if index >= chosen.count { index = client }
      let key = isSpread ? number % probe.keyCount : chosen[index % chosen.count]
      let spelling = key < probe.spellings.count ? probe.spellings[key] : 1
      let code = key * Int.spellingsPerKey + Int.random(in: 0..<spelling, using: &random)
      let weights = client == 0 ? weights : others
      return Step(action(code, number: number, weights, probe, using: &random), client: client)
    }
    return LevelTrial(
      steps: steps, pace: random.next(), name: probe.name, valueName: probe.valueName)
  }

  private func chosen(_ probe: LevelProbe, _ random: inout SeededGenerator) -> [Int] {
    if isPooled { return Array(0..<max(1, min(keys, probe.keyCount))) }
    if isClose { return probe.neighbors(keys, using: &random) }
    return Array(probe.spellings.indices.shuffled(using: &random).prefix(keys))
  }

  private func action(
    _ key: Int, number: Int, _ weights: [Int], _ probe: LevelProbe,
    using random: inout SeededGenerator
  ) -> Step.Action {
    var rest = Int.random(in: 0..<20, using: &random)
    // Steps reuse values only if there are fewer values than steps.
    let value =
      number < probe.valueCount && !hasAnyValue
      ? number : Int.random(in: 0..<probe.valueCount, using: &random)
    let kinds: [Step.Action] = [
      .get(key), .set(key, value), .remove(key), .clear, .warn,
      .cancel(Int.random(in: 0..<12, using: &random)),
    ]
    for (kind, weight) in zip(kinds, weights) {
      if rest < weight { return kind }
      rest -= weight
    }
    return .get(key)
  }
}
