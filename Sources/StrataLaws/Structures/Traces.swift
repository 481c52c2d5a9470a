import StrataVerbs
import StrataExplain

extension Laws {
  /// A function that reads a trace. It returns the called stages in the order of their calls, and
  /// the stage that returned the value, or `nil` if none did.
  package typealias Reading = @Sendable (Trace) -> (asked: [String], answeredBy: String?)

  /// The laws of traces: a trace contains the called stages and the stage that returned the value.
  package static var traces: Laws {
    traces { trace in
      let gets = trace.steps.filter { $0.operation == .get }
      return (gets.map(\.stage), trace.answeredBy)
    }
  }

  /// Returns laws that check your own function for reading a trace.
  package static func traces(_ read: @escaping Reading) -> Laws {
    Laws(
      "traces",
      [
        Law(
          "traces.truth", "trace(a + b) shows the levels that were read, and the one that answered",
          "The trace shows the called stages in order and the level that returned the value.",
          draw: { TraceTrial(&$0) }
        ) { trial in
          let (told, lawful) = (trial.told(read), trial.lawful)
          return told == lawful
            ? nil : LawEvidence(left: ("traced", told), right: ("lawful", lawful))
        }
      ])
  }
}

/// The levels of a random sum. Their gets return a value, miss, or fail. The levels from the index
/// `pool` down are inside `pooled()`.
private struct TraceTrial: Trial {
  enum Level: String, CaseIterable, Sendable { case holds, misses, fails }

  var levels: [Level]
  /// The index of the first pooled level.
  var pool: Int

  init(_ random: inout SeededGenerator) {
    levels = (0..<Int.random(in: 1...5, using: &random)).map { _ in
      Level.allCases[Int.random(in: 0..<3, using: &random)]
    }
    pool = Int.random(in: 0...levels.count, using: &random)
  }

  private func told(_ read: Laws.Reading, _ recorder: Recorder) -> [String] {
    let stages = levels.enumerated().map { index, level in
      let script = LevelScript(
        contents: level == .holds ? [0: index] : [:],
        getFaults: level == .fails ? [0: .failure] : [:])
      return ScriptedLevel(index, script).cache.named("level \(index)")
    }
    let lower = stages[pool...].reduce(.empty, +).pooled()
    let whole = stages[..<pool].reduce(.empty, +) + lower
    let cache = whole.named("all").observed(by: recorder)
    guard let traced = recorder.trace({ cache.get(0) }).outcome?.value else { return ["no answer"] }
    let (asked, answeredBy) = read(traced.trace)
    return asked + ["answered by \(answeredBy ?? "no level"): \(traced.outcome.value ?? -1)"]
  }

  func told(_ read: Laws.Reading) -> [String] {
    told(read, Recorder(clock: TimeSource.manual().clock))
  }

  var lawful: [String] {
    let depth = levels.firstIndex(of: .holds)
    let asked = levels.indices.prefix((depth ?? levels.count - 1) + 1).map { "level \($0)" }
    let end = depth.map { "answered by level \($0): \($0)" } ?? "answered by no level: -1"
    return ["all"] + asked + [end]
  }

  var simpler: [TraceTrial] {
    guard levels.count > 1 else { return [] }
    return levels.indices.map { depth in
      var trial = self
      trial.levels.remove(at: depth)
      trial.pool = min(pool, trial.levels.count)
      return trial
    }
  }

  var size: Int { levels.count }
  var lines: [String] { levels.map(\.rawValue) + ["in a pool from level \(pool)"] }
}
