import StrataVerbs

/// The guarantee that a level gives to concurrent clients.
public enum LevelConsistency: Equatable, Sendable {
  /// One order of all operations explains every result (Herlihy and Wing, 1990). Single levels are
  /// linearizable.
  case linearizable
  /// Once a write has settled, no later get returns the replaced value. But a get that overlaps the
  /// write can return the old or the new value (Lamport's regular register, 1986). So one get can
  /// return the new value, and a later one the old.
  ///
  /// Sums are regular but not linearizable, because a write reaches their levels one after another.
  /// A `clear` of a sum may remove one key before another: a key that is being written counts as
  /// absent at once. The verbs `refreshing`, `timingOut`, and `breakingCircuit` order their writes
  /// as a sum does, so they are regular, too. So are caches made by `switching`, because a `clear`
  /// reaches their two branches one after the other.
  case regular
  /// Until this time has passed after a write, a get may return an older value, or miss. From then
  /// on, a get returns the value of the last write, and no older value reappears.
  ///
  /// Use this guarantee for a level that is stale by design, such as a replica. Laws read a key
  /// again until its value is lawful, for at most this time. For a correct level, they rarely have
  /// to wait that long. So pass a time that even a busy machine doesn't exceed, such as a minute.
  case eventual(within: Duration)
}

extension LevelConsistency {
  /// The time for which gets may return older values, or `nil` if they never may.
  var bound: Duration? { if case .eventual(let bound) = self { bound } else { nil } }

  /// Returns the laws about clients on separate threads.
  func laws(_ probe: LevelProbe) -> [Law] {
    switch self {
    case .linearizable:
      [
        law(
          probe, "level.linearizability",
          "three clients, four operations each: some order explains them",
          "One order of the operations explains all results of a concurrent history.", .history),
        law(
          probe, "level.clearing", "three clients: the order includes each clear",
          "A clear that overlaps with other operations removes all values in one step.", .clears),
      ]
    case .regular:
      [
        law(
          probe, "level.regularity", "set(k, v) settled; get(k) is not older than v",
          "No client's get returns a value older than the value of the last settled write.",
          .history)
      ]
    case .eventual:
      [
        law(
          probe, "level.convergence", "at rest, get(k) becomes the value of a last set",
          "Within its bound, a level at rest returns the values of the last writes.", .history)
      ]
    }
  }

  private func law(
    _ probe: LevelProbe, _ name: String, _ statement: String, _ sentence: String,
    _ steps: LevelSteps
  ) -> Law {
    Law(
      name, statement, sentence, tries: 20, draw: { steps.concurrent(probe, &$0) }
    ) { trial in
      let run = LevelRun(probe)
      run.performApart(trial.setup.map(\.action))
      var seen = run.onThreads(trial.steps, pace: trial.pace)
      let isKeeping = probe.keepsAll(trial)
      // The history ends with a get of each key, because some lost writes show only in the final
      // contents.
      let keys = Set(trial.steps.compactMap(\.action.key)).sorted()
      guard let bound else {
        seen.operations += keys.map { run.record(trial.steps.count, Step(.get($0))) }
        let history = History(seen, isKeeping: isKeeping)
        return probe.explained(self == .regular ? history.evidenceOfAge() : history.evidence())
      }
      seen.operations.removeAll { if case .get = $0.action { true } else { false } }
      var last = History(seen, isKeeping: isKeeping)
      probe.patience.wait(within: bound) {
        let gets = keys.map { run.record(trial.steps.count, Step(.get($0))) }
        last = History(LawObservation(operations: seen.operations + gets), isKeeping: isKeeping)
        return last.outdated.isEmpty
      }
      return probe.explained(last.evidenceOfAge())
    }
  }
}
