/// A random program for a level, as an input for the level's laws.
struct LevelTrial: Trial {
  var steps: [Step]
  /// The steps that fill the level before the program begins.
  var setup: [Step] = []
  /// For each time that the level is reopened, the number of the first step after it.
  var openings: [Int] = []
  /// Whether the program uses keys that levels may confuse, instead of values that they may lose.
  var isHostile = false
  /// The seed of the random delays between the steps of clients on separate threads.
  var pace: UInt64 = 0
  /// Whether other tasks keep the low-priority threads busy.
  var isCrowded = false
  let name: @Sendable (Int) -> String
  var valueName: @Sendable (Int) -> String? = { _ in nil }

  var size: Int { steps.count }

  var lines: [String] {
    let keys = Set(steps.compactMap(\.action.key)).sorted()
    let filling = setup.isEmpty ? [] : ["first, \(setup.count) sets of other keys"]
    let values = Set(steps.compactMap(\.action.value)).sorted()
    return keys.map { "key \($0) is \(name($0))" }
      + values.compactMap { value in valueName(value).map { "value \(value) is \($0)" } }
      + filling
      + zip(steps.indices, steps.numbered(isShared: true)).map { index, line in
        openings.contains(index) ? "\(line), after the level is reopened" : line
      }
  }

  var simpler: [LevelTrial] {
    var all: [LevelTrial] = []
    func add(_ change: (inout LevelTrial) -> Void) {
      var trial = self
      change(&trial)
      trial.openings = trial.openings.filter { $0 <= trial.steps.count }
      if trial.steps != steps || trial.openings != openings || trial.setup != setup {
        all.append(trial)
      }
    }
    if steps.count > 3 {
      add { $0.steps = Array(steps.prefix(steps.count / 2)) }
      add { $0.steps = Array(steps.suffix(steps.count / 2)) }
    }
    for index in openings.indices { add { $0.openings.remove(at: index) } }
    if !setup.isEmpty { add { $0.setup = [] } }
    // Each of the following variants lacks a range of consecutive steps. In a long program, this
    // range is an eighth of all steps in the first variants, then a 24th, and at last a single
    // step.
    let parts = steps.count > 24 ? [steps.count / 8, steps.count / 24, 1] : [1]
    for part in parts {
      for index in stride(from: 0, to: steps.count, by: part) {
        let removed = index..<min(index + part, steps.count)
        add { trial in
          trial.steps.removeSubrange(removed)
          trial.openings = trial.openings.map { $0 > index ? max(index, $0 - removed.count) : $0 }
        }
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
