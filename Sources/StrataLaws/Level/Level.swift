import StrataVerbs

extension Laws {
  /// Returns the laws that a level, or any other cache that stores values, must satisfy.
  ///
  /// A get returns the value of the key's last `set`, and never a replaced value or the value of
  /// another key. It sees all writes that were called before it, even those that haven't settled.
  /// Removing an absent key succeeds. Every promise settles exactly once, even if it is cancelled.
  /// For clients on separate threads, `consistency` states the guarantee.
  ///
  ///     try await Laws.check(.level(keeps: .upTo(3)) { Cache<String, Int>.memory(capacity: 3) })
  ///
  /// When a get fails, its error must be a miss. A `set` may fail only for an unusual key or value,
  /// such as a very long key.
  ///
  /// - Parameters:
  ///   - name: The name of the level.
  ///   - keeps: The values that the level must keep. By default, the level must keep all values
  ///     until a memory warning.
  ///   - isPersistent: Whether the level keeps its values after a memory warning. The default is
  ///     `false`.
  ///   - consistency: The guarantee that the level gives to concurrent clients. The default is
  ///     `linearizable`.
  ///   - cleanUp: A closure that deletes what `make` has created, such as a directory. It's called
  ///     once for each level, when no run uses that level any more.
  ///   - make: A closure that returns an empty level. It's called once per case, and again for each
  ///     attempt to shrink a violation.
  public static func level<Key: LawSample & Hashable, Value: LawSample>(
    _ name: String = "level", keeps: LevelKeeping = .everything, isPersistent: Bool = false,
    consistency: LevelConsistency = .linearizable,
    cleanUp: (@Sendable (Cache<Key, Value>) -> Void)? = nil,
    make: @escaping @Sendable () -> Cache<Key, Value>
  ) -> Laws {
    var contract = LevelContract(
      keeps: keeps, isPersistent: isPersistent, consistency: consistency, open: { _ in make() })
    if let cleanUp { contract.cleanUp = { _, cache in cleanUp(cache) } }
    return level(name, contract)
  }

  /// Returns the laws of a level that keeps its values when it is closed and reopened, such as a
  /// disk level.
  ///
  ///     try await Laws.check(.level("disk", reopening: { place in .disk(place, in: directory) }))
  ///
  /// - Parameters:
  ///   - name: The name of the level.
  ///   - keeps: The values that the level must keep. The default is all values.
  ///   - consistency: The guarantee that the level gives to concurrent clients. The default is
  ///     `linearizable`.
  ///   - cleanUp: A closure that deletes what the level has stored at a location. It's called once
  ///     for each location, when no run uses that location any more.
  ///   - open: A closure that opens the level at a location, such as a file name or a suite name.
  ///     The level at a new location must be empty. At a known one, it must contain the values that
  ///     were stored there.
  public static func level<Key: LawSample & Hashable, Value: LawSample>(
    _ name: String = "level", keeps: LevelKeeping = .everything,
    consistency: LevelConsistency = .linearizable,
    cleanUp: (@Sendable (_ place: String) -> Void)? = nil,
    reopening open: @escaping @Sendable (_ place: String) -> Cache<Key, Value>
  ) -> Laws {
    var contract = LevelContract(
      keeps: keeps, isPersistent: true, consistency: consistency, open: open)
    if let cleanUp { contract.cleanUp = { place, _ in cleanUp(place) } }
    let laws = level(name, contract)
    let law = reopened(
      LevelProbe(contract), LevelProbe(contract, values: Value.extremes, isPlain: true))
    return Laws(name, laws.laws + [law.about(name, contract.tally).waiting])
  }

  static func level<Key: LawSample & Hashable, Value: LawSample>(
    _ name: String, _ contract: LevelContract<Key, Value>
  ) -> Laws {
    let (hostile, plain) = (LevelProbe(contract), LevelProbe(contract, isPlain: true))
    let isEventual = contract.consistency.bound != nil
    let extremes = Value.extremes.isEmpty ? Value.samples(3) : Value.extremes
    let valued = LevelProbe(contract, values: extremes, isPlain: true)
    var laws = [sampled(Key.self, Value.self), absence(plain)]
    if !isEventual { laws.append(visible(plain)) }
    laws += [keeping(plain)] + sequential(hostile, plain) + [self.valued(valued)]
    if !isEventual { laws.append(sized(plain)) }
    if case .upTo(let capacity) = contract.keeps, capacity <= 1000, !isEventual {
      let values = Value.samples(2 * max(0, capacity) + 4)
      laws.append(
        bounded(LevelProbe(contract, values: values, isPlain: true), by: max(0, capacity)))
    }
    if !isEventual { laws += concurrent(plain) }
    laws += contract.consistency.laws(plain)
    if contract.isPersistent, !isEventual { laws.append(persistent(plain)) }
    if !isEventual { laws.append(many(LevelProbe(contract, isPlain: true, getsMany: true))) }
    laws += [heard(plain), referenced(contract), effective(plain)]
    return Laws(name, laws.map { $0.about(name, contract.tally).waiting })
  }

  private static func absence(_ probe: LevelProbe) -> Law {
    law(
      probe, "absence", "remove(k) succeeds, get(k) is a miss, with nothing under k",
      "For an absent key, a get is a miss and a remove succeeds.", .absences)
  }

  private static func sequential(_ hostile: LevelProbe, _ plain: LevelProbe) -> [Law] {
    [
      law(
        plain, "reading", "set(k, v); get(k) == v or a miss",
        "A get returns the value of the last set, or misses. After a miss, no old value reappears.",
        .readings),
      law(
        plain, "removing", "set(k, v); remove(k); get(k) is a miss",
        "Remove and clear remove values, and don't make other operations fail.", .removals,
        plain.model),
      law(
        hostile, "keys", "set(k, v); get(l) is v if l == k, and a miss if l != k",
        "Equal keys share one entry in every spelling, and unequal keys never share an entry.",
        .closeKeys, hostile.model),
    ]
  }

  private static func law(
    _ probe: LevelProbe, _ name: String, _ statement: String, _ sentence: String,
    _ kinds: LevelSteps, _ model: LevelModel? = nil
  ) -> Law {
    let model = model ?? probe.model(room: 0)
    return Law("level.\(name)", statement, sentence, draw: { kinds.trial(probe, &$0) }) { trial in
      let seen = LevelRun(probe).waiting(trial.steps, within: probe.consistency.bound, model)
      return probe.explained(violationsInSequence(seen.operations, model).evidence(seen))
    }
  }
}

extension LevelRun {
  /// Reads the values of all keys that occur in the steps.
  func held(_ steps: [Step]) -> [String] {
    Set(steps.compactMap(\.action.key)).sorted().compactMap { key in
      if case .value(let value) = perform(.get(key)) { "key \(key): \(value)" } else { nil }
    }
  }
}
