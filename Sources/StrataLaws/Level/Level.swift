import Strata

extension Laws {
  /// The contract of a level: what any cache that stores must do, yours too.
  ///
  /// A get after a settled set answers that value or misses, for a cache may forget; never another
  /// key's value and never an older one. Remove and clear remove, and succeed where there is
  /// nothing. A get sees the writes called before it, settled or not. Every promise settles once, a
  /// cancelled one too. Histories of three clients on threads of their own are linearizable, or
  /// regular where that is all a cache promises, as a sum of levels does.
  ///
  ///     try Laws.check(.level(capacity: 3) { Cache<String, Int>.memory(capacity: 3) })
  ///
  /// What takes its time is waited for ten seconds. A `set` may fail, and then may or may not have
  /// stored; a get may not fail otherwise than with a miss.
  ///
  /// - Parameters:
  ///   - name: What the level is called.
  ///   - capacity: How many values it holds at most, where it promises that; declare a small one.
  ///     Each case stores more, so that beyond 1,000 nothing is tried.
  ///   - isPersistent: Whether a memory warning loses nothing.
  ///   - consistency: What clients at work at the same time may count on.
  ///   - make: Makes a level that is empty; called for each case, and more often to shrink.
  public static func level<Key: LawSample & Hashable, Value: LawSample>(
    _ name: String = "level", capacity: Int? = nil, isPersistent: Bool = false,
    consistency: LevelConsistency = .linearizable,
    make: @escaping @Sendable () -> Cache<Key, Value>
  ) -> Laws {
    let probe = LevelProbe(make)
    var laws = sequential(probe) + concurrent(probe, consistency)
    if let capacity, capacity <= 1000 {
      laws.append(bounded(LevelProbe(values: 2 * max(0, capacity) + 4, make), by: max(0, capacity)))
    }
    if isPersistent { laws.append(persistent(probe)) }
    return Laws(name, laws)
  }

  private static func sequential(_ probe: LevelProbe) -> [Law] {
    func law(
      _ name: String, _ statement: String, _ sentence: String, _ kinds: LevelSteps
    ) -> Law {
      Law("level.\(name)", statement, sentence, draw: { kinds.trial(probe, &$0) }) { trial in
        let seen = LevelRun(probe).waiting(trial.steps)
        return complaintsInSequence(seen).evidence(seen)
      }
    }
    return [
      law(
        "reading", "set(k, v); get(k) == v or a miss",
        "A get answers what was set last, or misses; nothing comes back that was forgotten.",
        .all),
      law(
        "keys", "set(k, v); get(l) is a miss, for k != l",
        "Equal keys meet, however spelt; unequal keys never do.", .manyKeys),
      law(
        "removing", "set(k, v); remove(k); get(k) is a miss",
        "Remove and clear really remove, and nothing else fails for it.", .removals),
      law(
        "absence", "remove(k) succeeds, get(k) is a miss, with nothing under k",
        "Of what is absent, a get is a miss and a remove succeeds.", .absences),
    ]
  }

  private static func concurrent(
    _ probe: LevelProbe, _ consistency: LevelConsistency
  ) -> [Law] {
    [
      Law(
        "level.order", "set(k, v) || get(k) == v or a miss",
        "A get sees the writes called before it, settled or not; all settle, once, cancelled or not.",
        tries: 10, draw: { LevelSteps.overlapping.trial(probe, &$0) }
      ) { trial in
        let seen = LevelRun(probe).overlapping(trial.steps)
        return complaintsInOrder(seen).evidence(seen)
      },
      consistency.law(probe),
    ]
  }

  private static func bounded(_ probe: LevelProbe, by capacity: Int) -> Law {
    Law(
      "level.capacity", "the values held <= \(capacity)",
      "However much is stored, no more is held than the capacity.",
      draw: { LevelSteps.beyond(capacity).trial(probe, &$0) }
    ) { trial in
      let run = LevelRun(probe)
      _ = run.waiting(trial.steps)
      let held = run.held(trial.steps)
      guard held.count > capacity else { return nil }
      return Evidence(
        left: ("held at the end", held),
        right: ("lawful", held.prefix(capacity) + Array(repeating: "-", count: 1)))
    }
  }

  private static func persistent(_ probe: LevelProbe) -> Law {
    Law(
      "level.persistence", "warn; get(k) == get(k)",
      "A memory warning loses nothing.", draw: { LevelSteps.stores(4).trial(probe, &$0) }
    ) { trial in
      let run = LevelRun(probe)
      _ = run.waiting(trial.steps)
      let before = run.held(trial.steps)
      run.cache.memoryWarning()
      let after = run.held(trial.steps)
      return before == after
        ? nil : Evidence(left: ("before a warning", before), right: ("after it", after))
    }
  }
}

extension LevelRun {
  /// What is found under the keys of the steps.
  fileprivate func held(_ steps: [Step]) -> [String] {
    let keys = Set(steps.compactMap(\.action.key)).sorted()
    return keys.compactMap { key in
      settled(cache.get(key))?.value.map { "key \(key): \($0)" }
    }
  }
}
