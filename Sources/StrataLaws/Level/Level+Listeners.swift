import StrataVerbs

extension Laws {
  /// Returns the law about listeners: a listener of a level's promise can call the level. When a
  /// level settles a promise under its own lock, this is a deadlock.
  static func heard(_ probe: LevelProbe) -> Law {
    var law = Law(
      "level.listeners", "get(k).observed { get(k) } answers",
      "A listener can call the level, because the level settles no promise under its own lock.",
      draw: { LevelSteps.heard.trial(probe, &$0) }
    ) { trial in
      let run = LevelRun(probe)
      var facts: [(fact: String, violation: String?)] = []
      for (index, step) in trial.steps.enumerated() {
        let fact = "\(index + 1). \(step.action), and a get by its listener"
        guard run.answersItsListener(of: step.action) else {
          // A deadlocked level doesn't answer any more, and might block this thread.
          facts.append(("\(fact): no answer", "\(fact): an answer"))
          break
        }
        facts.append(("\(fact): an answer", nil))
      }
      return LawEvidence(facts)
    }
    law.mostCases = 60
    return law
  }
}

extension LevelSteps {
  fileprivate static let heard = LevelSteps(weights: [8, 8, 3, 1, 0, 0], count: 1...5)
}

extension LevelRun {
  /// Performs an operation, and gets a key in the listener of its promise. Returns whether this get
  /// settles.
  fileprivate func answersItsListener(of action: Step.Action) -> Bool {
    let cache = cache
    let told = Promise<Void> { continuation in
      func listen<Value>(to promise: Promise<Value>) {
        _ = promise.observed { _ in
          _ = cache.get(action.key ?? 0).observed { _ in continuation.succeed() }
        }
      }
      switch action {
      case .get(let key): listen(to: cache.get(key))
      case .set(let key, let value): listen(to: cache.set(key, value))
      case .remove(let key): listen(to: cache.remove(key))
      default: listen(to: cache.clear())
      }
    }
    patience.wait(for: told)
    return told.outcome != nil
  }
}
