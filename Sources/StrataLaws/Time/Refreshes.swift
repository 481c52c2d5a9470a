import StrataVerbs

extension Laws {
  /// A function that returns a cache that refreshes stamped values from a fetcher.
  public typealias Refresher =
    @Sendable (
      Cache<Int, Stamped<Int>>, Freshness, Fetcher<Int, Int>, TimeSource
    ) -> Cache<Int, Int>

  /// The laws of `refreshing`.
  public static var refresh: Laws { refresh { $0.clocked(by: $3).refreshing($1, from: $2) } }

  /// Returns laws that check your own implementation of `refreshing`.
  ///
  /// - Parameters:
  ///   - dependsOnValues: Whether the verb chooses a freshness for each value. If it does, a get
  ///     without a stored value has no freshness that would make it fail during a pause. The
  ///     default is `false`.
  ///   - verb: A function that returns a cache that refreshes stamped values.
  public static func refresh(
    dependsOnValues: Bool = false, _ verb: @escaping Refresher
  ) -> Laws {
    func law(
      _ name: String, _ statement: String, _ sentence: String,
      _ judge: @escaping @Sendable (RefreshLog) -> LawEvidence?
    ) -> Law {
      Law(
        "refresh.\(name)", statement, sentence, draw: { RefreshProgram.random(using: &$0) },
        judge: { judge(RefreshRun($0, verb).observation()) })
    }
    return Laws(
      "refresh",
      [
        law(
          "fresh", "fresh(v): get is v, no load",
          "A fresh value is returned immediately, without a load.", judgeFresh),
        law(
          "lively", "stale(v): get is v immediately, and one load runs",
          "A get returns a stale value immediately and starts a refresh, except in a pause.",
          judgeLively),
        law(
          "errors", "staleOnError(v): get is v if the load fails",
          "If a refresh fails, the get returns the stale value unless the value has expired.",
          judgeErrors),
        law(
          "pause", "load fails; stale(v): get is v immediately, no load",
          "During the pause after a failed load, a get returns the stale value without a load.",
          judgePause),
        law(
          "fast", "failsInPause; load fails; expired(v): get fails immediately, no load",
          "During a pause, a get without a value that it may return fails without a load."
        ) { judgeFast($0, needsEntry: dependsOnValues) },
        law(
          "dead", "expired(v): get isn't v", "A get never returns an expired value.", judgeDead),
        law(
          "once", "get || get: one load",
          "While a load of a key is in flight and not overtaken, no other load of the key begins.",
          judgeOnce),
        law(
          "writes", "load || w: the level holds w",
          "A loaded value doesn't replace the value of a write that began during the load.",
          judgeWrites),
        law(
          "none", "load is a miss: the level is empty; load fails: the level is unchanged",
          "A miss of the origin removes the value, unless a write has overtaken the load.",
          judgeNone),
        law(
          "ends", "get ends within the time limit of a load",
          "When a hanging load times out, every get that waits for the load settles.",
          judgeEnds),
        law(
          "ages", "v.storedAt is the time at which v was loaded",
          "A refresh stores its value with a new creation time. No other creation time changes.",
          judgeAges),
      ])
  }
}
