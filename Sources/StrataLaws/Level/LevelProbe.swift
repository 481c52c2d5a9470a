import Strata

/// A level seen through numbers: key `4 * n + s` is key `n` in its spelling `s`.
struct LevelProbe: Sendable {
  let make: @Sendable () -> Cache<Int, Int>
  /// How many ways there are to spell each key.
  let spellings: [Int]
  /// What a key number stands for.
  let name: @Sendable (Int) -> String

  init<Key: LawSample & Hashable, Value: LawSample>(
    values count: Int = 64, _ level: @escaping @Sendable () -> Cache<Key, Value>
  ) {
    let spelt = Key.spellings.filter { !$0.isEmpty }
    let keys = spelt.isEmpty ? (0..<12).map { [Key.sample($0)] } : spelt
    let values = (0..<count).map { Value.sample($0) }
    let key: @Sendable (Int) -> Key = { code in
      let number = code / 4
      guard number < keys.count else { return .sample(1000 + number) }
      return keys[number][code % 4 % keys[number].count]
    }
    spellings = keys.map { min(4, $0.count) }
    name = { "\(key($0))".debugDescription }
    make = {
      let cache = level()
      return Cache(
        get: { code in cache.get(key(code)).map { values.firstIndex(of: $0) ?? -1 } },
        set: { code, value in cache.set(key(code), values[value]) },
        remove: { code in cache.remove(key(code)) },
        clear: { cache.clear() },
        memoryWarning: { cache.memoryWarning() })
    }
  }
}

/// Steps over a level: what its laws are tried on.
struct LevelTrial: Trial {
  var steps: [Step]
  let name: @Sendable (Int) -> String

  var size: Int { steps.count }

  var lines: [String] {
    let keys = Set(steps.compactMap(\.action.key)).sorted()
    return keys.map { "key \($0) is \(name($0))" }
      + steps.enumerated().map { "\($0 + 1). \($1)" }
  }

  var simpler: [LevelTrial] {
    var all: [LevelTrial] = []
    func add(_ change: (inout LevelTrial) -> Void) {
      var trial = self
      change(&trial)
      if trial.steps != steps { all.append(trial) }
    }
    if steps.count > 3 {
      add { $0.steps = Array(steps.prefix(steps.count / 2)) }
      add { $0.steps = Array(steps.suffix(steps.count / 2)) }
    }
    for place in steps.indices { add { $0.steps.remove(at: place) } }
    return all
  }
}

extension Step.Action {
  /// The key of a get, set or remove.
  var key: Int? {
    switch self {
    case .get(let key), .set(let key, _), .remove(let key): key
    default: nil
    }
  }
}
