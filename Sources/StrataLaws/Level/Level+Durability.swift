import Foundation
import StrataVerbs

extension Laws {
  /// Returns the law about visibility: once a write has settled, the next get must see it.
  static func visible(_ probe: LevelProbe) -> Law {
    var law = Law(
      "level.visibility", "set(k, v) settled; get(k) doesn't change by waiting",
      "A settled write is visible to the next get, and not only to later gets.", tries: 10,
      draw: { random in
        guard Int.random(in: 0..<8, using: &random) == 0 else {
          let isWarned = Int.random(in: 0..<16, using: &random) == 0
          return (isWarned ? LevelSteps.visibilityAfterWarnings : .visibility).trial(probe, &random)
        }
        // Uses few steps, because steps take longer while other tasks occupy the threads. A get
        // follows each write.
        var trial = LevelSteps.writes.trial(probe, &random)
        trial.isCrowded = true
        trial.steps = trial.steps.flatMap { step in
          [step] + (step.action.key.map { [Step(.get($0))] } ?? [])
        }
        return trial
      }
    ) { trial in
      guard trial.isCrowded else { return late(trial, probe, nil) }
      return Crowd.around { late(trial, probe, $0) }
    }
    law.mayOverlap = true
    return law
  }

  /// Returns evidence if a settled write becomes visible only after a delay, and `nil` if there's
  /// none.
  private static func late(
    _ trial: LevelTrial, _ probe: LevelProbe, _ crowd: Crowd?
  ) -> LawEvidence? {
    let run = LevelRun(probe)
    var (model, all) = (probe.model, LevelModel(room: .max, isPersistent: true))
    var facts: [(fact: String, violation: String?)] = []
    for (index, step) in trial.steps.enumerated() {
      guard case .get(let key) = step.action else {
        let answer =
          crowd.map { run.performLast(step.action, in: $0) } ?? run.perform(step.action)
        facts.append(("\(index + 1). \(step.action): \(answer)", nil))
        let operation = LawObservation.Operation(
          step: index + 1, action: step.action, answer: answer)
        model.note(operation)
        all.note(operation)
        continue
      }
      let first = run.perform(step.action)
      crowd?.release()
      facts.append(("\(index + 1). \(step.action): \(first)", nil))
      guard !all.allows(first, of: key) else { continue }
      // The law allows a miss if the level may have evicted the value. Then it still reads the key
      // again, because an evicted value must not reappear.
      let patience = model.allows(first, of: key) ? 1 : probe.patience.lateBeats
      guard let last = run.later(key, than: first, all, patience) else {
        probe.patience.waitLess()
        all.note(key, answered: nil, in: index + 1)
        continue
      }
      facts[index] = (
        "\(index + 1). get \(key): \(first), and soon after: \(last)",
        "\(index + 1). get \(key): \(all.lawful(key)); it became visible late"
      )
      return LawEvidence(facts)
    }
    return revived(after: trial, run, all, facts)
  }

  /// Returns evidence if a value that was removed before a memory warning reappears soon after it.
  /// Warnings may remove values, but must not store any.
  private static func revived(
    after trial: LevelTrial, _ run: LevelRun, _ model: LevelModel,
    _ facts: [(fact: String, violation: String?)]
  ) -> LawEvidence? {
    guard trial.steps.contains(where: { $0.action == .warn }) else { return nil }
    let keys = Set(trial.steps.compactMap(\.action.key)).sorted()
    let absent = keys.filter { run.perform(.get($0)).value == nil && model.values(of: $0).isEmpty }
    guard !absent.isEmpty else { return nil }
    for _ in 0..<2 { run.patience.beat() }
    let gets: [(fact: String, violation: String?)] = absent.map { key in
      let answer = run.perform(.get(key))
      let lawful = "get \(key): \(model.lawful(key)), as at first"
      return ("soon after: get \(key): \(answer)", answer.value.map { _ in lawful })
    }
    return LawEvidence(facts + gets)
  }

  /// Returns the law about keeping values: as long as the level has room, a get must find each
  /// stored value.
  static func keeping(_ probe: LevelProbe) -> Law {
    Law(
      "level.keeping", "set(k, v); get(k) isn't a miss, if there is room",
      "A set succeeds, and a get finds the value again unless the level ran out of room.",
      draw: { random in
        let isMany = Int.random(in: 0..<20, using: &random) == 0
        let room = probe.keeps.room
        let most = room > 1000 ? 200 : max(1, room)
        let isMixed = Bool.random(using: &random)
        let steps: LevelSteps =
          isMany ? .filling(most) : isMixed && room > 0 ? .mixed(within: room) : .keeping
        return steps.trial(probe, &random)
      }
    ) { trial in
      let gets = Set(trial.steps.compactMap(\.action.key)).sorted().map { Step(.get($0)) }
      let seen = LevelRun(probe).waiting(
        trial.steps + gets, within: probe.consistency.bound, probe.model)
      return probe.explained(violationsOfKeeping(seen, probe.model).evidence(seen))
    }
  }

  /// Returns the law about unchanged values: a get must return each value unchanged, even if the
  /// value is large, empty, or stored under two keys.
  static func valued(_ probe: LevelProbe) -> Law {
    Law(
      "level.values", "set(k, v); set(l, v); remove(l); get(k) == v, for any v",
      "A get returns each value unchanged, even if it's large, empty, or stored under two keys.",
      draw: { LevelSteps.values.trial(probe, &$0) }
    ) { trial in
      let seen = LevelRun(probe).waiting(
        trial.steps, within: probe.consistency.bound, probe.model)
      return probe.explained(violationsInSequence(seen.operations, probe.model).evidence(seen))
    }
  }

  static func persistent(_ probe: LevelProbe) -> Law {
    Law(
      "level.persistence", "warn; get(k) == get(k)",
      "A memory warning removes no value.", draw: { LevelSteps.stores(4).trial(probe, &$0) }
    ) { trial in
      let run = LevelRun(probe)
      _ = run.waiting(trial.steps)
      let before = run.held(trial.steps)
      run.cache.memoryWarning()
      let after = run.held(trial.steps)
      return before == after
        ? nil : LawEvidence(left: ("before a warning", before), right: ("after it", after))
    }
  }
}

/// Returns the `set` calls that failed, and the gets that missed a value that the level must keep.
/// Ignores wrong values, because other laws find them.
private func violationsOfKeeping(_ seen: LawObservation, _ model: LevelModel) -> Violations {
  var violations = Violations()
  var model = model
  for (index, operation) in seen.operations.enumerated() {
    switch (operation.action, operation.answer) {
    case (.get(let key), .miss):
      if !model.mayMiss(key) {
        violations.operation(index, "\(operation.step). get \(key): \(model.lawful(key))")
      }
      model.note(key, answered: nil, in: operation.step)
    case (.set, let answer) where answer != .done && model.room > 0:
      violations.operation(index, "\(operation.step). done")
    default: model.note(operation)
    }
  }
  return violations
}

/// Returns the operations whose results violate the law, in a run whose clients use separate keys.
/// Because the keys are separate, each client has a model of its own.
func violationsApart(_ seen: LawObservation, _ model: LevelModel) -> Violations {
  var violations = Violations()
  let clients = Dictionary(grouping: seen.operations.indices) { seen.operations[$0].client }
  for (_, places) in clients {
    let alone = violationsInSequence(places.map { seen.operations[$0] }, model)
    for (index, lawful) in alone.operations { violations.operation(places[index], lawful) }
  }
  return violations
}

extension LevelRun {
  /// Reads a key again and again, until the model allows the result and the result differs from
  /// `first`. After ten reads, waits before each further one until a new task and a new dispatched
  /// block have run. So even on a loaded machine, a delayed write has time to take effect.
  fileprivate func later(
    _ key: Int, than first: LawObservation.Answer, _ model: LevelModel, _ beats: Int
  ) -> LawObservation.Answer? {
    for attempt in 0..<10 + beats {
      if attempt >= 10 { patience.beat() } else { Thread.sleep(forTimeInterval: 0.000_1) }
      let answer = perform(.get(key))
      if answer != first, model.allows(answer, of: key) { return answer }
    }
    return nil
  }
}
