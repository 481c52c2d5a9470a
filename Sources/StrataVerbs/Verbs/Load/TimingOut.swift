extension Cache {
  /// Returns a cache with a time limit for gets and writes.
  ///
  /// An operation that takes too long fails with ``CacheError/timedOut(stage:after:key:)``. After a
  /// get has timed out, a sum reads the next level. Then the get's work stops, unless another
  /// caller waits for it. So in events and statistics, a stage inside the limit reports the get as
  /// cancelled, and a name that is written after the limit reports a failure.
  ///
  ///     let found = memory + network.timingOut(after: .seconds(5))
  ///
  /// The limit covers everything that happens in this cache, including the wait for a permit of
  /// ``limited(toConcurrentGets:queue:priority:)``. To limit only the time that the level takes,
  /// write `timingOut` before `limited`. Then a second time limit after `limited` can bound the
  /// wait and the level's time together:
  ///
  ///     let bounded = network.timingOut(after: .seconds(5))
  ///       .limited(toConcurrentGets: 4).timingOut(after: .seconds(20))
  ///
  /// A write that exceeds the limit fails, but it isn't cancelled, because an interrupted write
  /// might still take effect. Instead, its key is *hidden* until this write or a later one
  /// succeeds, or until the key has been removed. Meanwhile, a get of the key fails with
  /// ``CacheError/unsettled(stage:key:)``, but writes to the key still reach the level. If you
  /// apply this verb to a sum, a get skips only the levels in which the key is hidden. See
  /// ``awaitedInSum(atMost:)``.
  ///
  /// - Parameters:
  ///   - limit: The maximum time between the call of the level and the level's answer. Zero or less
  ///     means that only synchronous operations succeed.
  ///   - clock: The clock that measures the time. The default is the clock of the cache.
  /// - Complexity: O(1). Operations that answer synchronously don't start a timer. Hits don't
  ///   allocate.
  /// - Law: `a.timingOut(after: .seconds(Int64.max)) == a`, and no operation outlasts its limit.
  ///   See `timeLimit.patience`, `timeLimit.bound`, and the other laws of `Laws.timeLimit`, checked
  ///   by `TimeLimitLaws`.
  @inlinable
  public func timingOut(after limit: Duration, clock: TimeSource? = nil) -> Cache {
    timingOut(after: limit, clock) { sum in { key in sum.get(key) } }
  }

  @usableFromInline
  func timingOut(after limit: Duration, _ clock: TimeSource?, get: @escaping SumGet) -> Cache {
    let clock = clock ?? self.clock
    let plan = CachePlan.verb(plan, "timingOut", ["after": .duration(limit)])
    return changed(by: .writesWithin(limit)).limited(
      to: limit, stage: self.plan.stage, plan, clock, get)
  }

  /// Returns a sum of this cache alone, with a time limit. When the result is added to another sum,
  /// that sum uses this cache itself, with the same limit.
  private func limited(
    to limit: Duration, stage: String, _ plan: CachePlan, _ clock: TimeSource,
    _ get: @escaping SumGet
  ) -> Cache {
    let alone = CacheMetadata.Member(self, within: limit, isVerbOnly: true, stage: stage)
    let shown = with {
      ($0.plan, $0.members) = (plan, [])
    } again: {
      $0
    }
    return .sum(
      [alone], clock: clock, verb: plan, member: .init(shown, within: limit, stage: stage), get: get
    )
  }
}
