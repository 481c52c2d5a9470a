import StrataCore

/// The guarantee that a level gives to concurrent clients.
public enum LevelConsistency: Sendable {
  /// A single order of all operations explains every result (Herlihy and Wing, 1990). A single
  /// level is linearizable.
  case linearizable
  /// If a write settles before a get begins, the get never returns the replaced value. A get
  /// that overlaps a write can return the old or the new value (Lamport's regular register, 1986).
  /// While the write is in flight, one get can return the new value, and a later get can return the
  /// old value. A sum is regular but not linearizable, because a write reaches the levels of the
  /// sum one after another. A cache made by `switching` is also regular but not linearizable,
  /// because a `clear` call reaches the two branches one after the other.
  case regular
}

extension LevelConsistency {
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
    }
  }

  private func law(
    _ probe: LevelProbe, _ name: String, _ statement: String, _ sentence: String,
    _ steps: LevelSteps
  ) -> Law {
    // Each trial uses two keys, so a level with room for two keys must keep every value.
    let isKeeping = probe.keeps.room >= 2
    return Law(
      name, statement, sentence, tries: 20, draw: { steps.trial(probe, &$0) }
    ) { trial in
      let run = LevelRun(probe)
      var seen = run.onThreads(trial.steps, pace: trial.pace)
      // The history ends with a get of each key, because a lost write might be visible only in the
      // final contents.
      seen.operations += Set(trial.steps.compactMap(\.action.key)).sorted().map { key in
        run.record(trial.steps.count, Step(.get(key)))
      }
      let history = History(seen, isKeeping: isKeeping)
      return self == .regular ? history.evidenceOfAge() : history.evidence()
    }
  }
}
