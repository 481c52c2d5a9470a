import Strata

extension Laws {
  /// A function that refreshes stamped values from a fetcher.
  public typealias Refresher =
    @Sendable (
      Cache<Int, Stamped<Int>>, Freshness, Fetcher<Int, Int>, TimeSource
    ) -> Cache<Int, Int>

  /// The laws of `refreshing`.
  public static var refresh: Laws { refresh { $0.clocked(by: $3).refreshing($1, from: $2) } }

  /// The laws of refreshing, for your own verb.
  public static func refresh(_ verb: @escaping Refresher) -> Laws {
    func law(
      _ name: String, _ statement: String, _ sentence: String,
      _ judge: @escaping @Sendable (RefreshLog) -> Evidence?
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
          "What is fresh is answered at once, and nobody else is asked.", judgeFresh),
        law(
          "lively", "stale(v): get is v at once, one load",
          "What is stale is answered at once, and a refresh is under way then.", judgeLively),
        law(
          "errors", "staleOnError(v): get is v if the load fails",
          "A failing refresh never hides a value that may still be served.", judgeErrors),
        law(
          "dead", "dead(v): get is not v", "What is dead is answered no more.", judgeDead),
        law(
          "once", "get || get: one load",
          "While a load of a key is under way and nothing is written, nobody begins another.",
          judgeOnce),
        law(
          "writes", "load || w: the level holds w",
          "A write during a load wins over what the load brings.", judgeWrites),
        law(
          "none", "load is a miss: the level holds nothing; load fails: it holds what it held",
          "A value of which the origin says that there is none is removed, unless a write came.",
          judgeNone),
        law(
          "ends", "get ends in the time a load may take",
          "A load that hangs ends with its time, and everybody who waits for it is told.",
          judgeEnds),
        law(
          "ages", "v.storedAt is when v came",
          "A refresh gives what it brings a new age, and nothing else any.", judgeAges),
      ])
  }
}
