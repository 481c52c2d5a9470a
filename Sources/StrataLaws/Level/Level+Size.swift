import StrataVerbs

extension Laws {
  /// Returns the law about many keys: even with thousands of keys, a level obeys the laws of
  /// reading, removing, and keeping.
  static func sized(_ probe: LevelProbe) -> Law {
    var law = Law(
      "level.size", "set(k, v); get(k) == v or a miss, for thousands of keys",
      "A level of thousands of keys returns each key's last value, and no other one.",
      draw: { SizeTrial(&$0, keys: probe.keyCount, values: probe.valueCount) }
    ) { trial in
      let run = LevelRun(probe)
      let seen = run.inPhases(trial)
      // Levels that should keep everything, such as memory, often have a default capacity of a
      // thousand.
      let model = probe.model(room: min(1000, probe.keeps.room))
      return probe.explained(violationsInSequence(seen, model).shortEvidence(seen))
    }
    law.share = 100
    return law
  }
}

/// A program of a few phases. Each phase performs one kind of operation on a range of keys.
struct SizeTrial: Trial {
  enum Phase: Equatable, Sendable {
    /// Stores values under all keys.
    case set
    /// Removes the values of every third key.
    case removeSome
    case clear
    /// Reads all keys.
    case get
  }

  var count: Int
  var phases: [Phase]
  let values: Int

  init(_ random: inout SeededGenerator, keys: Int, values: Int) {
    count = min(keys, Int.random(in: 1100...1500, using: &random))
    self.values = values
    let middle: [Phase] = Bool.random(using: &random) ? [.removeSome] : [.clear, .get, .set]
    phases = [.set, .set, .get] + middle + [.get]
  }

  var size: Int { phases.count }

  var lines: [String] {
    phases.enumerated().map { index, phase in
      switch phase {
      case .set: "\(index + 1). set \(count) keys"
      case .removeSome: "\(index + 1). remove every third key"
      case .clear: "\(index + 1). clear"
      case .get: "\(index + 1). get \(count) keys"
      }
    }
  }

  var simpler: [SizeTrial] {
    var all = withoutEach(\.phases)
    let counts = [count / 8, count / 2, count * 3 / 4, count * 15 / 16]
    for count in counts where count > 0 && count < self.count {
      var trial = self
      trial.count = count
      all.append(trial)
    }
    return all
  }

  /// The operations of each phase.
  var steps: [[Step.Action]] {
    phases.enumerated().map { number, phase in
      let keys = (0..<count).map { $0 * Int.spellingsPerKey }
      return switch phase {
      case .set: keys.map { .set($0, ($0.keyNumber + number * 7) % values) }
      case .removeSome: keys.filter { $0.keyNumber.isMultiple(of: 3) }.map { .remove($0) }
      case .clear: [.clear]
      case .get: keys.map { .get($0) }
      }
    }
  }
}

extension LevelRun {
  /// Runs the phases one after another. Within a phase, the operations have different keys, so up
  /// to 64 of them overlap.
  fileprivate func inPhases(_ trial: SizeTrial) -> [LawObservation.Operation] {
    for phase in trial.steps {
      for begin in stride(from: 0, to: phase.count, by: 64) {
        performAll(phase[begin..<min(begin + 64, phase.count)])
      }
    }
    return observation.operations
  }
}

extension Violations {
  /// Returns evidence with only the violations and the operations around them.
  fileprivate func shortEvidence(_ seen: [LawObservation.Operation]) -> LawEvidence? {
    guard !operations.isEmpty else { return nil }
    let shown = operations.keys.sorted().prefix(10)
    var evidence = LawEvidence(shown.map { ("\(seen[$0])", operations[$0]) })
    evidence?.notes = ["\(operations.count) of \(seen.count) operations are wrong."]
    return evidence
  }
}
