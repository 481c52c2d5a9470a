extension Cache {
  /// Returns this cache with a bound on the time that a sum waits for it.
  ///
  /// Without this verb, a sum waits five seconds for each level. An operation that a level hasn't
  /// settled by then fails with ``CacheError/timedOut(stage:after:key:)``, so a level that hangs
  /// delays its callers by the bound and no longer:
  ///
  ///     let found = memory + remote.awaited(atMost: .milliseconds(500)) + network
  ///
  /// - A get continues at the next level. A read-only level, and a level with an origin, has no
  ///   bound for gets unless this verb sets a bound, because a load may take longer.
  /// - A write fails, but it isn't cancelled. The level's value for the key is *unknown* until the
  ///   write settles. Until then, gets skip the level for that key and don't back-fill it. Later
  ///   writes of the key still reach the level. If there was a later write, or if the late write
  ///   fails, the sum removes the key from the level when the late write has settled. So the later
  ///   write wins, and no older value returns. If that removal fails, the next get of the key
  ///   repeats it. Gets skip the level for the key until a removal or a later write succeeds.
  /// - A `clear` doesn't wait for pending writes of single keys. The value that such a write stores
  ///   is removed.
  /// - After a `clear` has passed its bound, gets skip the level for all keys until a `clear`
  ///   succeeds there, so no value older than the `clear` returns. A get repeats the `clear`, at
  ///   most once in each bound, and doesn't wait for it.
  ///
  /// The clock of the sum measures the time. On a cache that isn't in a sum, this verb has no
  /// effect. Use ``timingOut(after:total:clock:)`` there.
  ///
  /// - Parameter bound: The longest time that a sum waits for one operation of each level. With
  ///   zero or less, only synchronous operations succeed.
  /// - Law: `(a + b).awaited(atMost: t) == a.awaited(atMost: t) + b.awaited(atMost: t)`, and no
  ///   operation outlasts its bounds: `sum.patience`, `sum.unknown`, `sum.recovery`, and
  ///   `sum.neighbors`. See `ComposeLaws`.
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
  /// Returns this fetcher with a bound on the time that a sum waits for it. See
  /// ``Cache/awaited(atMost:)``.
  ///
  /// - Law: the same laws as for a cache. See
  ///   `CacheAwaitedTests.testAnOriginHasNoBoundUnlessAVerbSetsOne`.
  public func awaited(atMost bound: Duration) -> Fetcher { Fetcher(cache.awaited(atMost: bound)) }
}
