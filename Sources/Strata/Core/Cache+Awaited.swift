extension Cache {
  /// Returns this cache with a limit on the time that a sum waits for this cache.
  ///
  /// By default, a sum waits at most five seconds for each level. If a level doesn't settle an
  /// operation within the level's time bound, the operation fails with
  /// ``CacheError/timedOut(stage:after:key:)``. A level that hangs therefore delays a caller by at
  /// most the level's time bound:
  ///
  ///     let found = memory + remote.awaited(atMost: .milliseconds(500)) + network
  ///
  /// - A get that exceeds the bound continues at the next level. By default, gets of a read-only
  ///   level, or of a level with an origin, have no bound, because a load may take longer than five
  ///   seconds.
  /// - A write that exceeds the bound fails, but it isn't cancelled. The level's value for the
  ///   written key is *unknown* until the write settles. While the value is unknown, gets of the
  ///   key skip the level and don't back-fill it. Later writes of the key still reach the level.
  ///   Once the late write has settled, the sum removes the key from the level if the late write
  ///   failed or a later write reached the level. A newer write therefore wins over a late write,
  ///   and an old value never reappears. If the removal fails, the next get of the key tries the
  ///   removal again. Gets of the key skip the level until a removal or a later write succeeds.
  /// - A `clear` doesn't wait for pending writes of single keys. If a write is pending during a
  ///   `clear`, the sum removes the written value when the write settles.
  /// - If a `clear` exceeds the bound in a level, all gets skip that level until a `clear` succeeds
  ///   in that level. A value from before the `clear` therefore never reappears. A later get calls
  ///   `clear` again in the background, unless another attempt is already in flight.
  ///
  /// The clock of the sum measures the waiting time. On a cache that isn't in a sum, this verb has
  /// no effect. To limit the time of a cache outside of a sum, use
  /// ``timingOut(after:total:clock:)``.
  ///
  /// - Parameter bound: The maximum time that a sum waits for one operation of this cache, or of
  ///   each level if this cache is a sum. With a bound of zero or less, only synchronous operations
  ///   succeed.
  /// - Law: `(a + b).awaited(atMost: t) == a.awaited(atMost: t) + b.awaited(atMost: t)`, and no
  ///   operation outlasts its bound. See `sum.patience`, `sum.unknown`, `sum.recovery`,
  ///   `sum.neighbors`, and `ComposeLaws`.
  public func awaited(atMost bound: Duration) -> Cache {
    if let rebuilding = metadata.rebuilding {
      return rebuilding(
        metadata.members.map { .init($0.cache.awaited(atMost: bound)) }, metadata.clock)
    }
    let plan = CachePlan.verb(plan, "awaited", ["atMost": .duration(bound)])
    return Cache(
      operations,
      metadata: CacheMetadata(
        plan: plan, isEmpty: metadata.isEmpty, isReadOnly: metadata.isReadOnly,
        clock: metadata.clock, patience: bound, forget: metadata.forget,
        reporting: { reporting(to: $0).awaited(atMost: bound) },
        leasing: metadata.leasingRebuilt { $0.awaited(atMost: bound) }))
  }
}

extension Fetcher {
  /// Returns this fetcher with a limit on the time that a sum waits for this fetcher. See
  /// ``Cache/awaited(atMost:)``.
  ///
  /// - Law: a fetcher satisfies the laws of ``Cache/awaited(atMost:)``. See
  ///   `CacheAwaitedTests.testAnOriginHasNoBoundUnlessAVerbSetsOne`.
  public func awaited(atMost bound: Duration) -> Fetcher { Fetcher(cache.awaited(atMost: bound)) }
}
