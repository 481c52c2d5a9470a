import Strata

/// The guarantee that a level gives to concurrent clients.
public enum LevelConsistency: Sendable {
  /// One order of all operations explains every result (Herlihy and Wing, 1990). A single level is
  /// linearizable.
  case linearizable
  /// A get never returns an older value than the value of the last write that settled before the
  /// get. Gets that overlap with a write may return the old or the new value, in any order
  /// (Lamport's regular register, 1986). A sum is regular, because a write reaches its levels one
  /// after another. A cache made by `switching` is regular, because a clear reaches its branches
  /// one after the other.
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
          "One order of all operations explains every concurrent history.", .history),
        law(
          probe, "level.clearing", "three clients: the order includes each clear",
          "A clear among sets and gets takes effect for all keys in one step.", .clears),
      ]
    case .regular:
      [
        law(
          probe, "level.regularity", "set(k, v) settled; get(k) is not older than v",
          "No get by any of three clients returns a value older than the last settled value.",
          .history)
      ]
    }
  }

  private func law(
    _ probe: LevelProbe, _ name: String, _ statement: String, _ sentence: String,
    _ steps: LevelSteps
  ) -> Law {
    // A level with room for both keys must find their values.
    let isKeeping = probe.keeps.room >= 2
    return Law(
      name, statement, sentence, tries: 20, draw: { steps.trial(probe, &$0) }
    ) { trial in
      let run = LevelRun(probe)
      var seen = run.onThreads(trial.steps, pace: trial.pace)
      // The history includes gets of the final contents, because only those gets may reveal a lost
      // write.
      seen.operations += Set(trial.steps.compactMap(\.action.key)).sorted().map { key in
        run.record(trial.steps.count, Step(.get(key)))
      }
      let history = History(seen, isKeeping: isKeeping)
      return self == .regular ? history.evidenceOfAge() : history.evidence()
    }
  }
}
