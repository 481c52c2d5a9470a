import Foundation
import StrataCore

/// A level with integers as keys. Each integer stands for a key of the type that the tested level
/// uses. The integer `4 * n + s`, with `s` from 0 to 3, stands for the key with index `n`. If the
/// key has several equal spellings, `s` selects one of them.
struct LevelProbe: Sendable {
  /// Opens the level at a location. If the location is new, the level is empty.
  let open: @Sendable (_ place: String) -> Cache<Int, Int>
  let keeps: LevelKeeping
  let isPersistent: Bool
  /// For each key, the number of equal spellings that programs use, from one to four. For example,
  /// a string can have several equal Unicode spellings.
  let spellings: [Int]
  /// Returns the description of the key that an integer stands for.
  let name: @Sendable (Int) -> String
  /// Returns the description of the value that an integer stands for, or `nil` if the integer needs
  /// no description.
  let valueName: @Sendable (Int) -> String?
  /// The number of values.
  let valueCount: Int
  let patience: Patience
  let tempo: Tempo

  /// Creates a probe.
  ///
  /// - Parameters:
  ///   - values: The values that steps may set. The default is the first 64 samples.
  ///   - isPlain: Whether to use ordinary keys from `LawSample.sample`. If `false`, the probe uses
  ///     keys from `LawSample.spellings`, which a level might confuse with each other. The default
  ///     is `false`.
  ///   - getsMany: Whether each get reads its key together with another key. The default is
  ///     `false`.
  init<Key: LawSample & Hashable, Value: LawSample>(
    _ level: LevelContract<Key, Value>, values: [Value]? = nil, isPlain: Bool = false,
    getsMany: Bool = false
  ) {
    let spelt = isPlain ? [] : Key.spellings.filter { !$0.isEmpty }
    let keys = spelt.isEmpty ? (0..<12).map { [Key.sample($0)] } : spelt
    let named = values
    let values = values ?? (0..<64).map { Value.sample($0) }
    let key: @Sendable (Int) -> Key = { code in
      let number = code / 4
      guard number < keys.count else { return .sample(1000 + number) }
      return keys[number][code % 4 % keys[number].count]
    }
    (keeps, isPersistent) = (level.keeps, level.isPersistent)
    (patience, tempo) = (level.patience, level.tempo)
    spellings = keys.map { min(4, $0.count) }
    valueCount = values.count
    name = { LawText.of(key($0)) }
    valueName = { number in named.map { LawText.of($0[number]) } }
    open = { place in
      let cache = level.open(place)
      return Cache(
        get: { code in
          let value = getsMany ? cache.get(key(code), with: key(code ^ 4)) : cache.get(key(code))
          return value.map { values.firstIndex(of: $0) ?? -1 }
        },
        set: { code, value in cache.set(key(code), values[value % values.count]) },
        remove: { code in cache.remove(key(code)) },
        clear: { cache.clear() },
        memoryWarning: { cache.memoryWarning() })
    }
  }

  /// The model of this level for operations that run one after another.
  var model: LevelModel { LevelModel(room: keeps.room, isPersistent: isPersistent) }
}

extension Cache {
  /// Gets a key together with another key, and also in a separate batch. If the first batch has no
  /// value for the key, returns the result of the separate batch.
  fileprivate func get(_ key: Key, with other: Key) -> Promise<Value> {
    let (three, one) = (outcomes(of: [other, other, key]), outcomes(of: [key]))
    return three.flatMap { outcomes in
      outcomes[2].value == nil
        ? one.flatMap { Promise(outcome: $0[0]) } : Promise(outcome: outcomes[2])
    }
  }
}

/// A level and its guarantees.
struct LevelContract<Key: LawSample & Hashable, Value: LawSample>: Sendable {
  let keeps: LevelKeeping
  let isPersistent: Bool
  let open: @Sendable (_ place: String) -> Cache<Key, Value>
  var patience = Patience()
  let tempo = Tempo()
}

/// A random program for a level, used as an input for the level's laws.
struct LevelTrial: Trial {
  var steps: [Step]
  /// The seed of the random delays between the steps of clients on separate threads.
  var pace: UInt64 = 0
  /// Whether other tasks keep the low-priority threads busy.
  var isCrowded = false
  let name: @Sendable (Int) -> String
  var valueName: @Sendable (Int) -> String? = { _ in nil }

  var size: Int { steps.count }

  var lines: [String] {
    let keys = Set(steps.compactMap(\.action.key)).sorted()
    let values = Set(steps.compactMap(\.action.value)).sorted()
    return keys.map { "key \($0) is \(name($0))" }
      + values.compactMap { value in valueName(value).map { "value \(value) is \($0)" } }
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
    // Each of the following variants lacks a range of consecutive steps. For a long program, the
    // first variants lack an eighth of all steps, the next variants lack a 24th, and the last
    // variants lack a single step.
    let parts = steps.count > 24 ? [steps.count / 8, steps.count / 24, 1] : [1]
    for part in parts {
      for index in stride(from: 0, to: steps.count, by: part) {
        add { $0.steps.removeSubrange(index..<min(index + part, steps.count)) }
      }
    }
    return all
  }
}

extension Step.Action {
  /// The key of a `get`, `set`, or `remove` action.
  var key: Int? {
    switch self {
    case .get(let key), .set(let key, _), .remove(let key): key
    default: nil
    }
  }

  /// The value of a set.
  var value: Int? { if case .set(_, let value) = self { value } else { nil } }
}
