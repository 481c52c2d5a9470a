import StrataCore

extension Laws {
  /// Returns the laws that a level, or any other cache that stores values, must satisfy.
  ///
  /// A get that begins after a `set` call has settled returns the value that the call stored. A get
  /// never returns another key's value or a value that has been replaced. Removing an absent key
  /// succeeds. A get sees all writes that were called before the get, even if the writes haven't
  /// settled. Every promise settles exactly once, even if it is cancelled. The operations of three
  /// clients on separate threads satisfy the guarantee that `consistency` specifies.
  ///
  ///     try await Laws.check(.level(keeps: .upTo(3)) { Cache<String, Int>.memory(capacity: 3) })
  ///
  /// If a get fails, its error must be a miss. A `set` may fail only for an unusual key or value,
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
  ///   - make: A closure that returns an empty level. The laws call this closure once per case, and
  ///     again for each attempt to shrink a violation.
  public static func level<Key: LawSample & Hashable, Value: LawSample>(
    _ name: String = "level", keeps: LevelKeeping = .everything, isPersistent: Bool = false,
    consistency: LevelConsistency = .linearizable,
    make: @escaping @Sendable () -> Cache<Key, Value>
  ) -> Laws {
    level(
      name, LevelContract(keeps: keeps, isPersistent: isPersistent) { _ in make() }, consistency)
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
  ///   - open: A closure that opens the level at a location, such as a file name or a suite name.
  ///     For a new location, the closure must return an empty level. If the closure is called again
  ///     with the same location, the returned level must contain the values that were stored at
  ///     this location.
  public static func level<Key: LawSample & Hashable, Value: LawSample>(
    _ name: String = "level", keeps: LevelKeeping = .everything,
    consistency: LevelConsistency = .linearizable,
    reopening open: @escaping @Sendable (_ place: String) -> Cache<Key, Value>
  ) -> Laws {
    let contract = LevelContract(keeps: keeps, isPersistent: true, open: open)
    let laws = level(name, contract, consistency)
    return Laws(name, laws.laws + [reopened(LevelProbe(contract, isPlain: true)).waiting])
  }

  static func level<Key: LawSample & Hashable, Value: LawSample>(
    _ name: String, _ contract: LevelContract<Key, Value>, _ consistency: LevelConsistency
  ) -> Laws {
    let (hostile, plain) = (LevelProbe(contract), LevelProbe(contract, isPlain: true))
    var laws = [absence(plain), visible(plain), keeping(plain)] + sequential(hostile, plain)
    laws.append(valued(LevelProbe(contract, values: Value.extremes, isPlain: true)))
    laws += concurrent(plain) + consistency.laws(plain)
    if case .upTo(let capacity) = contract.keeps, capacity <= 1000 {
      let values = (0..<2 * max(0, capacity) + 4).map(Value.sample)
      laws.append(
        bounded(LevelProbe(contract, values: values, isPlain: true), by: max(0, capacity)))
    }
    if contract.isPersistent { laws.append(persistent(plain)) }
    laws.append(many(LevelProbe(contract, isPlain: true, getsMany: true)))
    return Laws(name, laws.map(\.waiting))
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
        hostile, "keys", "set(k, v); get(l) is a miss if k != l, and get(k) if k == l",
        "Equal keys share one entry in every spelling, and unequal keys never share an entry.",
        .closeKeys, hostile.model),
    ]
  }

  private static func law(
    _ probe: LevelProbe, _ name: String, _ statement: String, _ sentence: String,
    _ kinds: LevelSteps, _ model: LevelModel = LevelModel()
  ) -> Law {
    Law("level.\(name)", statement, sentence, draw: { kinds.trial(probe, &$0) }) { trial in
      let seen = LevelRun(probe).waiting(trial.steps)
      return violationsInSequence(seen.operations, model).evidence(seen)
    }
  }

  private static func concurrent(_ probe: LevelProbe) -> [Law] {
    [
      Law(
        "level.isolation", "clients of different keys don't affect each other",
        "Each of three clients with separate keys receives the same answers as if it were alone.",
        tries: 20,
        draw: { random in
          let isBurst = Int.random(in: 0..<20, using: &random) == 0
          return LevelSteps.apart(room: probe.keeps.room, isBurst: isBurst).trial(probe, &random)
        }
      ) { trial in
        let run = LevelRun(probe)
        var seen = run.onThreads(trial.steps, pace: trial.pace)
        let gets = Dictionary(
          trial.steps.compactMap { step in step.action.key.map { ($0, step.client) } },
          uniquingKeysWith: { $1 })
        seen.operations += gets.sorted { $0.key < $1.key }.map { key, client in
          run.record(trial.steps.count, Step(.get(key), client: client))
        }
        return violationsApart(seen, probe.model).evidence(seen)
      },
      Law(
        "level.order", "set(k, v) || get(k) == v or a miss",
        "A get sees all earlier writes, even unsettled writes. Every operation settles once.",
        tries: 10, draw: { LevelSteps.overlapping.trial(probe, &$0) }
      ) { trial in
        let seen = LevelRun(probe).overlapping(trial.steps)
        return violationsInOrder(seen).evidence(seen)
      },
    ]
  }

  private static func many(_ probe: LevelProbe) -> Law {
    Law(
      "level.many", "a.outcomes(for: ks) == ks.map(a.get)",
      "A get of many keys has the same results as separate gets, even if writes are in flight.",
      tries: 10, draw: { LevelSteps.overlapping.trial(probe, &$0) }
    ) { trial in
      let seen = LevelRun(probe).overlapping(trial.steps)
      return violationsInOrder(seen).evidence(seen)
    }
  }

  private static func bounded(_ probe: LevelProbe, by capacity: Int) -> Law {
    Law(
      "level.capacity", "the number of values <= \(capacity)",
      "The level never holds more values than its capacity.",
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
}

extension LevelRun {
  /// Reads the values of all keys that occur in the steps.
  func held(_ steps: [Step]) -> [String] {
    Set(steps.compactMap(\.action.key)).sorted().compactMap { key in
      if case .value(let value) = perform(.get(key)) { "key \(key): \(value)" } else { nil }
    }
  }
}
