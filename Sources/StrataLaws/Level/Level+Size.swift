import StrataVerbs

extension Laws {
  /// Returns the law about many keys: even with thousands of keys, a level obeys the laws of
  /// reading, removing, and keeping.
  static func sized(_ probe: LevelProbe) -> Law {
    var law = Law(
      "level.size", "set(k, v); get(k) == v or a miss, for thousands of keys",
      "A level of thousands of keys returns each key's last value, and no other one.",
      // Levels that should keep everything, such as memory, often have a default capacity of a
      // thousand.
      draw: { random in
        SizeTrial(
          &random, keys: probe.keyCount, room: min(1000, probe.keeps.room),
          values: probe.valueCount)
      }
    ) { trial in
      let run = LevelRun(probe)
      let seen = run.inPhases(trial)
      let model = probe.model(room: trial.room)
      return probe.explained(violationsInSequence(seen, model).shortEvidence(seen))
    }
    law.share = 100
    return law
  }
}

/// A program of a few phases. Each phase performs one kind of operation on a range of keys.
///
/// The first phases store, overwrite, and remove as many values as the level must keep, and read them.
/// Later ones use more keys.
struct SizeTrial: Trial {
  struct Phase: Equatable, Sendable {
    enum Kind: String, Sendable { case set, remove, clear, get }

    let kind: Kind
    /// Whether the phase uses only as many keys as there is room for.
    var isWithin = false
    /// Whether the phase uses only every third key.
    var isThird = false
  }

  var count: Int
  var phases: [Phase]
  /// The number of keys whose values the level must keep.
  let room: Int
  let values: Int

  init(_ random: inout SeededGenerator, keys: Int, room: Int, values: Int) {
    count = min(keys, Int.random(in: 1050...1250, using: &random))
    (self.room, self.values) = (room, values)
    let (set, get) = (Phase(kind: .set), Phase(kind: .get))
    let setSome = Phase(kind: .set, isWithin: true, isThird: true)
    let getWithin = Phase(kind: .get, isWithin: true)
    // The first reads come before the removal, because an overwrite may have evicted a key that is
    // removed and stored again.
    let within = [
      Phase(kind: .set, isWithin: true), setSome, getWithin,
      Phase(kind: .remove, isWithin: true, isThird: true), setSome, getWithin,
    ]
    let middle =
      Bool.random(using: &random)
      ? [Phase(kind: .remove, isThird: true)] : [Phase(kind: .clear), get, set]
    phases = (room > 0 ? within : [set]) + [set, get] + middle + [get]
  }

  var size: Int { phases.count }

  var lines: [String] {
    phases.enumerated().map { index, phase in
      let keys = phase.kind == .clear ? "" : phase.isThird ? " every third of" : ""
      let number = phase.kind == .clear ? "" : " \(number(of: phase)) keys"
      return "\(index + 1). \(phase.kind)\(keys)\(number)"
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

  private func number(of phase: Phase) -> Int { phase.isWithin ? min(count, room) : count }

  /// The operations of each phase.
  var steps: [[Step.Action]] {
    phases.enumerated().map { index, phase in
      // The last keys come first, so new keys are stored before old ones are overwritten.
      let numbers = (0..<number(of: phase)).reversed().filter {
        !phase.isThird || $0.isMultiple(of: 3)
      }
      let keys = numbers.map { $0 * Int.spellingsPerKey }
      return switch phase.kind {
      case .set: keys.map { .set($0, ($0.keyNumber + index * 7) % values) }
      case .remove: keys.map { .remove($0) }
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
    for phase in trial.steps { performApart(phase) }
    return observation.operations
  }
}

extension LevelRun {
  /// Performs operations of different keys, of which up to 64 overlap.
  func performApart(_ actions: [Step.Action]) {
    for begin in stride(from: 0, to: actions.count, by: 64) {
      performAll(actions[begin..<min(begin + 64, actions.count)])
    }
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
