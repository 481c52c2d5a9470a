import StrataCore

/// The distribution of random steps for a law of a level.
struct LevelSteps: Sendable {
  /// The average numbers of gets, sets, removes, clears, warnings, and cancellations per twenty
  /// steps.
  let weights: [Int]
  /// The weights for all clients except the first. About half of the trials use these weights. In
  /// the other trials, or if this property is `nil`, all clients use `weights`.
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
  /// Whether clients have separate keys.
  var isApart = false

  static let readings = LevelSteps(weights: [9, 10, 0, 0, 1, 0])
  static let visibility = LevelSteps(weights: [8, 8, 3, 1, 0, 0])
  static let writes = LevelSteps(weights: [0, 15, 5, 0, 0, 0], count: 1...4)
  static let keeping = LevelSteps(weights: [8, 7, 3, 1, 1, 0], keys: 6, count: 1...20)
  static let closeKeys = LevelSteps(
    weights: [9, 8, 2, 1, 0, 0], keys: 10, count: 24...40, isClose: true)
  static let removals = LevelSteps(weights: [8, 6, 4, 2, 0, 0])
  static let absences = LevelSteps(weights: [10, 0, 6, 4, 0, 0], keys: 3, count: 1...5)
  static let reopening = LevelSteps(weights: [0, 12, 5, 1, 0, 0], count: 1...6)
  static let values = LevelSteps(weights: [9, 8, 3, 0, 0, 0], keys: 3)
  static let overlapping = LevelSteps(weights: [8, 6, 2, 1, 1, 2])
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

  /// Random steps with a different key for each step. The steps may store more values than
  /// `capacity`.
  static func beyond(_ capacity: Int) -> LevelSteps {
    LevelSteps(
      weights: [2, 17, 1, 0, 0, 0], keys: 1000, count: 1...(capacity * 3 / 2 + 4), isSpread: true)
  }

  /// Steps of clients that use separate keys. If `room` is two or more, the clients together use at
  /// most `room` keys.
  ///
  /// - Parameter isBurst: Whether a client has so many steps that they take longer than a time
  ///   slice of the scheduler. In a burst, the operations of different clients overlap even on a
  ///   busy machine.
  static func apart(room: Int, isBurst: Bool) -> LevelSteps {
    let clients = min(3, max(2, room))
    let count = isBurst ? 1500 : 36
    return LevelSteps(
      weights: [7, 10, 3, 0, 0, 0], keys: clients * max(1, min(4, room / clients)),
      count: count...count, clients: clients, isApart: true)
  }

  func trial(_ probe: LevelProbe, _ random: inout SeededGenerator) -> LevelTrial {
    let chosen = chosen(probe, &random)
    let others = others.flatMap { Bool.random(using: &random) ? $0 : nil } ?? weights
    let steps = (0..<Int.random(in: count, using: &random)).map { number in
      let client = clients > 1 ? number % clients : 0
      var index = Int.random(in: chosen.indices, using: &random)
      if isApart { index = index / clients * clients + client }
      let key = isSpread ? number : chosen[index % chosen.count]
      let spelling = key < probe.spellings.count ? probe.spellings[key] : 1
      let code = key * 4 + Int.random(in: 0..<spelling, using: &random)
      let weights = client == 0 ? weights : others
      return Step(action(code, number: number, weights, probe, using: &random), client: client)
    }
    return LevelTrial(
      steps: steps, pace: random.next(), name: probe.name, valueName: probe.valueName)
  }

  private func chosen(_ probe: LevelProbe, _ random: inout SeededGenerator) -> [Int] {
    let all = Array(probe.spellings.indices)
    guard isClose else { return Array(all.shuffled(using: &random).prefix(keys)) }
    let first = Int.random(in: all.indices, using: &random)
    return Set((0..<keys).map { (first + $0) % all.count }).sorted()
  }

  private func action(
    _ key: Int, number: Int, _ weights: [Int], _ probe: LevelProbe,
    using random: inout SeededGenerator
  ) -> Step.Action {
    var rest = Int.random(in: 0..<20, using: &random)
    // Steps reuse values only if there are fewer values than steps.
    let value =
      number < probe.valueCount ? number : Int.random(in: 0..<probe.valueCount, using: &random)
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
