import Foundation
import StrataVerbs

/// A level with integers as keys, which stand for keys of the tested level. The integer
/// `16 * n + s`, with `s` from 0 to 15, stands for the key with the index `n`. `s` selects one of
/// its equal spellings.
struct LevelProbe: Sendable {
  /// Opens the level at a location. At a new location, the level is empty.
  let open: @Sendable (_ place: LevelPlace) -> Cache<Int, Int>
  let keeps: LevelKeeping
  let isPersistent: Bool
  let consistency: LevelConsistency
  /// For each key, the number of equal spellings that programs use, from one to sixteen. For
  /// example, a string can have several equal Unicode spellings.
  let spellings: [Int]
  /// The number of different keys.
  let keyCount: Int
  /// Returns the description of the key that an integer stands for.
  let name: @Sendable (Int) -> String
  /// Returns the description of the value that an integer stands for, or `nil` if the integer needs
  /// no description.
  let valueName: @Sendable (Int) -> String?
  /// The number of values.
  let valueCount: Int
  let patience: Patience
  let tempo: Tempo
  let tally: LevelTally
  let strangers: Strangers

  /// Creates a probe.
  ///
  /// - Parameters:
  ///   - values: The values that steps may set. The default is the first 64 samples.
  ///   - isPlain: Whether to use ordinary keys, from `LawSample.sample`. The default is `false`:
  ///     then the keys are from `LawSample.spellings`, which a level might confuse with each other.
  ///   - getsMany: Whether each get reads its key together with another key. The default is
  ///     `false`.
  init<Key: LawSample & Hashable, Value: LawSample>(
    _ level: LevelContract<Key, Value>, values: [Value]? = nil, isPlain: Bool = false,
    getsMany: Bool = false
  ) {
    let keys = Key.lawKeys(isPlain: isPlain)
    let named = values
    let values = values ?? Value.samples(64)
    let key: @Sendable (Int) -> Key = { code in
      let number = code.keyNumber
      guard number < keys.count else { return .sample(Int.spread(number, in: Key.usable)) }
      return keys[number][code % Int.spellingsPerKey % keys[number].count]
    }
    (keeps, isPersistent, consistency) = (level.keeps, level.isPersistent, level.consistency)
    (patience, tempo, tally) = (level.patience, level.tempo, level.tally)
    spellings = keys.map { min(Int.spellingsPerKey, $0.count) }
    keyCount = Key.usable < 2 << 20 ? Key.usable : 1 << 20
    valueCount = values.count
    name = { LawText.of(key($0)) }
    valueName = { number in named.map { LawText.of($0[number % $0.count]) } }
    let strangers = Strangers()
    self.strangers = strangers
    open = { place in
      // A sum measures its bound with the system's clock, so on a busy machine, correct levels
      // would exceed it.
      let cache = level.open(place.name).awaitedInSum(atMost: .seconds(600))
      if let cleanUp = level.cleanUp { place.atEnd { [name = place.name] in cleanUp(name, cache) } }
      return Cache(
        get: { code in
          let value =
            getsMany
            ? cache.get(key(code), with: key(code ^ Int.spellingsPerKey)) : cache.get(key(code))
          return value.map { value in
            values.firstIndex(of: value) ?? strangers.number(of: value, besides: values)
          }
        },
        set: { code, value in cache.set(key(code), values[value % values.count]) },
        remove: { code in cache.remove(key(code)) },
        clear: { cache.clear() },
        memoryWarning: { cache.memoryWarning() })
    }
  }

  /// The model of this level for operations that run one after another.
  var model: LevelModel { model(room: keeps.room) }

  /// Returns a model of this level with room for a number of keys. An eventual level always has the
  /// room that it declares.
  func model(room: Int) -> LevelModel {
    var model = LevelModel(
      room: consistency.bound == nil ? room : keeps.room, isPersistent: isPersistent)
    model.isEventual = consistency.bound != nil
    return model
  }

  /// Whether the level must keep every value of a trial. It may lose values if the trial stores
  /// more keys than there is room for, or sends a memory warning.
  func keepsAll(_ trial: LevelTrial) -> Bool {
    let steps = trial.setup + trial.steps
    let isWarned = !isPersistent && steps.contains { $0.action == .warn }
    return !isWarned && Set(steps.compactMap(\.action.key?.keyNumber)).count <= keeps.room
  }

  /// Returns neighbors in `LawSample.spellings`. Few keys have several spellings, so a quarter of the
  /// draws begins with one of them.
  func neighbors(_ count: Int, using random: inout SeededGenerator) -> [Int] {
    let spelt = spellings.indices.filter { spellings[$0] > 1 }
    let isSpelt = Int.random(in: 0..<4, using: &random) == 0
    let first =
      (isSpelt ? spelt.randomElement(using: &random) : nil)
      ?? Int.random(in: spellings.indices, using: &random)
    return Set((0..<count).map { (first + $0) % spellings.count }).sorted()
  }

  /// Adds a note about each value that a get returned although no operation had stored it.
  func explained(_ evidence: LawEvidence?) -> LawEvidence? {
    guard var evidence else { return nil }
    evidence.notes += strangers.notes(about: evidence.left.lines)
    return evidence
  }
}

extension Int {
  /// The number of integers that stand for one key.
  static let spellingsPerKey = 16

  /// Returns the number of a sample. Different numbers up to a million give different samples. The
  /// samples have no pattern, so their hashes collide as often as those of random keys.
  fileprivate static func spread(_ number: Int, in count: Int) -> Int {
    count < 2 << 20 ? number % count : 1000 + (number &* 0x9_e3b5) & (1 << 20 - 1)
  }

  /// The index of the key that this integer stands for.
  var keyNumber: Int { self / Int.spellingsPerKey }
}

extension Cache {
  /// Gets a key in a batch with another key, and once more in a batch of its own. When the first
  /// batch has no value for the key, returns the result of the second.
  fileprivate func get(_ key: Key, with other: Key) -> Promise<Value> {
    let (three, one) = (outcomes(of: [other, other, key]), outcomes(of: [key]))
    return three.flatMap { outcomes in
      outcomes[2].value == nil
        ? one.flatMap { Promise(outcome: $0[0]) } : Promise(outcome: outcomes[2])
    }
  }
}
