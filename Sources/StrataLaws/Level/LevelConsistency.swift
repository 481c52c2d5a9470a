import Strata

/// What clients at work at the same time may count on.
public enum LevelConsistency: Sendable {
  /// One order of all operations explains every answer (Herlihy and Wing, 1990). A single level
  /// keeps it.
  case linearizable
  /// Nothing is found that is older than what had settled before; gets that overlap with a write
  /// may find the old value or the new one, in any order (Lamport's regular register, 1986). A sum
  /// of levels keeps this, for a write reaches them one after another.
  case regular
}

extension LevelConsistency {
  func law(_ probe: LevelProbe) -> Law {
    switch self {
    case .linearizable:
      law(
        probe, "level.linearizability",
        "three clients, four operations each: some order explains them",
        "Concurrent histories are those of a level that does one thing after another and may forget."
      ) { $0.evidence() }
    case .regular:
      law(
        probe, "level.regularity", "set(k, v) settled; get(k) is not older than v",
        "Three clients, four operations each, find nothing older than what had settled before."
      ) { $0.evidenceOfAge() }
    }
  }

  private func law(
    _ probe: LevelProbe, _ name: String, _ statement: String, _ sentence: String,
    judge: @escaping @Sendable (History) -> Evidence?
  ) -> Law {
    Law(
      name, statement, sentence, tries: 100, draw: { LevelSteps.history.trial(probe, &$0) }
    ) { judge(History(LevelRun(probe).onThreads($0.steps))) }
  }
}
