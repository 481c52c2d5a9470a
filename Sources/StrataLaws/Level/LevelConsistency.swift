import Strata

/// The guarantee that a level gives to concurrent clients.
public enum LevelConsistency: Sendable {
  /// There is one order of all operations that explains every result (Herlihy and Wing, 1990). A
  /// single level is linearizable.
  case linearizable
  /// A get never returns a value older than the value of the last write that settled before the
  /// get. Gets that overlap with a write may return the old or the new value, in any order
  /// (Lamport's regular register, 1986). A sum is regular, because a write reaches the levels of
  /// the sum one after another. A cache made by `switching` is regular, because a clear reaches the
  /// two branches one after the other.
  case regular
}

extension LevelConsistency {
  /// The laws about clients on separate threads.
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
    // A level with room for both keys must keep the values of both keys.
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
