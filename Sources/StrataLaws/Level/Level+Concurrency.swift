import StrataVerbs

extension LevelRun {
  /// Returns the number of values that the level has for the keys of some steps.
  fileprivate func count(of steps: [Step]) -> Int {
    guard !steps.isEmpty else { return 0 }
    let before = observation.operations.count
    performApart(steps.compactMap(\.action.key).map { .get($0) })
    return observation.operations.dropFirst(before).filter { $0.answer.value != nil }.count
  }
}

extension Laws {
  /// Returns the laws about clients whose operations overlap.
  static func concurrent(_ probe: LevelProbe) -> [Law] {
    var ordered = Law(
      "level.order", "set(k, v) || get(k) == v or a miss",
      "A get sees all earlier writes, even unsettled writes. Every operation settles once.",
      tries: 10, draw: { LevelSteps.overlapping.trial(probe, &$0) }
    ) { trial in
      let seen = LevelRun(probe).overlapping(trial.steps)
      return probe.explained(violationsInOrder(seen).evidence(seen))
    }
    ordered.mayOverlap = true
    return [isolated(probe), ordered]
  }

  private static func isolated(_ probe: LevelProbe) -> Law {
    var law = Law(
      "level.isolation", "clients of different keys don't affect each other",
      "Each of three clients with separate keys receives the same answers as if it were alone, "
        + "except for evictions. The level never holds more values than its capacity.",
      tries: 20,
      draw: { random in
        let kind = Int.random(in: 0..<40, using: &random)
        let room = probe.keeps.room
        // It takes long to fill a large level.
        let isFull =
          room <= 1000 && (kind.isMultiple(of: room <= 64 ? 2 : 8) || room < 2)
        let isBurst = kind < 2 && !(isFull && room > 64)
        var trial = LevelSteps.apart(room: room, isBurst: isBurst, isFull: isFull)
          .trial(probe, &random)
        if isFull { trial.setup = LevelSteps.setup(room - 4, probe) }
        return trial
      }
    ) { trial in
      let run = LevelRun(probe)
      run.performApart(trial.setup.map(\.action))
      var seen = run.onThreads(trial.steps, pace: trial.pace)
      let gets = Dictionary(
        trial.steps.compactMap { step in step.action.key.map { ($0, step.client) } },
        uniquingKeysWith: { $1 })
      let last = gets.sorted { $0.key < $1.key }.map { key, client in
        run.record(trial.steps.count, Step(.get(key), client: client))
      }
      seen.operations += last
      let room = probe.keepsAll(trial) ? probe.keeps.room : 0
      var violations = violationsApart(seen, probe.model(room: room))
      if case .upTo(let most) = probe.keeps {
        let found = last.indices.filter { last[$0].answer.value != nil }
        let others = run.count(of: trial.setup)
        for index in found.dropFirst(max(0, most - others)) {
          violations.operation(
            seen.operations.count - last.count + index,
            "not found: the level holds more than \(most) values")
        }
      }
      return probe.explained(violations.evidence(seen))
    }
    // It takes long to fill a large level again and again, so its programs may stay long.
    if (65...1000).contains(probe.keeps.room) { (law.goal, law.mostJudgments) = (250, 40) }
    return law
  }

  static func many(_ probe: LevelProbe) -> Law {
    Law(
      "level.many", "a.outcomes(for: ks) == ks.map(a.get)",
      "A get of many keys has the same results as separate gets, even if writes are in flight.",
      tries: 10, draw: { LevelSteps.overlapping.trial(probe, &$0) }
    ) { trial in
      let seen = LevelRun(probe).overlapping(trial.steps)
      return probe.explained(violationsInOrder(seen).evidence(seen))
    }
  }

  static func bounded(_ probe: LevelProbe, by capacity: Int) -> Law {
    Law(
      "level.capacity", "the number of values <= \(capacity)",
      "The level never holds more values than its capacity.",
      draw: { random in
        // Mixed programs need a small capacity, because it takes long to shrink a long program of
        // repeated keys.
        let isMixed = capacity <= 16 && Bool.random(using: &random)
        return (isMixed ? LevelSteps.mixed(beyond: capacity) : .beyond(capacity))
          .trial(probe, &random)
      }
    ) { trial in
      let run = LevelRun(probe)
      _ = run.waiting(trial.steps)
      let held = run.held(trial.steps)
      guard held.count > capacity else { return nil }
      return LawEvidence(
        left: ("held at the end", held),
        right: ("lawful", held.prefix(capacity) + Array(repeating: "-", count: 1)))
    }
  }
}
