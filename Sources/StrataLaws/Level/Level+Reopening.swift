import StrataVerbs

extension Laws {
  /// Returns the law about reopening: a level must contain the same values after it was closed and
  /// reopened, even several times.
  ///
  /// - Parameters:
  ///   - hostile: A probe of the level with keys that levels may confuse.
  ///   - valued: A probe of the level with values that levels may lose.
  static func reopened(_ hostile: LevelProbe, _ valued: LevelProbe) -> Law {
    Law(
      "level.reopening", "set(k, v); reopen; get(k) == v",
      "A reopened level finds exactly the values that it had before it was closed.",
      draw: { random in
        let isHostile = Bool.random(using: &random)
        // A level may store many values in another way than a few.
        let most = min(200, valued.keeps.room)
        let isMany = !isHostile && Int.random(in: 0..<16, using: &random) == 0 && most > 0
        let steps: LevelSteps =
          isMany ? .filling(most) : isHostile ? .reopeningClose : .reopening
        var trial = steps.trial(isHostile ? hostile : valued, &random)
        trial.isHostile = isHostile
        let count = trial.steps.count
        trial.openings = (0..<Int.random(in: 0...2, using: &random))
          .map { _ in Int.random(in: 0...count, using: &random) }.sorted()
        return trial
      }
    ) { trial in
      let probe = trial.isHostile ? hostile : valued
      let place = LevelPlace()
      var begin = 0
      for end in trial.openings + [trial.steps.count] {
        let part = Array(trial.steps[begin..<max(begin, end)])
        begin = max(begin, end)
        let before = LevelRun.heldAtEnd(probe, part, readingAll: trial.steps, at: place)
        let after = LevelRun(probe, at: place).held(trial.steps)
        // A level that may lose any value may also lose it while it is closed.
        let isLawful =
          probe.keepsAll(trial) ? before == after : after.allSatisfy(before.contains)
        guard isLawful else {
          return probe.explained(
            LawEvidence(
              left: ("before it is reopened, after step \(begin)", before),
              right: ("after it is reopened", after)))
        }
      }
      return nil
    }
  }
}

extension LevelRun {
  /// Runs steps against a level, reads the values of all keys, and releases the level.
  fileprivate static func heldAtEnd(
    _ probe: LevelProbe, _ steps: [Step], readingAll all: [Step], at place: LevelPlace
  ) -> [String] {
    let run = LevelRun(probe, at: place)
    _ = run.waiting(steps)
    return run.held(all)
  }
}
