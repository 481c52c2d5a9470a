/// One thing that a program does with a cache, or with the levels beneath it.
enum Step: Equatable, Sendable {
  case get(Int)
  case set(Int, Int)
  case remove(Int)
  case clear
  case warn
  /// Lets a level answer one of the slow operations that wait in it.
  case settle(level: Int, Int)
  /// Cancels one of the operations begun so far.
  case cancel(Int)
}

extension Step {
  /// A step at random: half are gets and sets.
  static func random(
    _ domain: Law.Domain, using random: inout SeededGenerator
  ) -> Step {
    let key = Int.random(in: domain.keys, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<6: return .get(key)
    case 6..<10: return .set(key, Int.random(in: domain.values, using: &random))
    case 10, 11: return .remove(key)
    case 12: return .clear
    case 13: return .warn
    case 14 where domain.cancels, 15 where domain.cancels:
      return .cancel(Int.random(in: 0..<8, using: &random))
    default:
      let level = Int.random(in: 0..<domain.levels, using: &random)
      return .settle(level: level, Int.random(in: 0..<4, using: &random))
    }
  }
}

/// A program and the levels it runs over: what a law is tried on.
struct Trial: Equatable, Sendable {
  var scripts: [LevelScript]
  var steps: [Step]

  static func random(
    _ domain: Law.Domain, using random: inout SeededGenerator
  ) -> Trial {
    let scripts = (0..<domain.levels).map { _ in
      LevelScript.random(keys: domain.stored, values: domain.values, using: &random)
    }
    let steps = (0..<Int.random(in: 1...domain.steps, using: &random)).map { _ in
      Step.random(domain, using: &random)
    }
    return Trial(scripts: scripts, steps: steps)
  }

  /// The trials that are a little smaller, for shrinking.
  var simpler: [Trial] {
    var all: [Trial] = []
    if steps.count > 3 {
      all.append(Trial(scripts: scripts, steps: Array(steps.prefix(steps.count / 2))))
      all.append(Trial(scripts: scripts, steps: Array(steps.suffix(steps.count / 2))))
    }
    for place in steps.indices {
      var trial = self
      trial.steps.remove(at: place)
      all.append(trial)
    }
    for level in scripts.indices {
      for script in scripts[level].simpler {
        var trial = self
        trial.scripts[level] = script
        all.append(trial)
      }
    }
    return all
  }
}
