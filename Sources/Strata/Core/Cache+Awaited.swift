extension Cache {
  /// Returns this cache with a limit on the time that a sum waits for it.
  ///
  /// By default, a sum waits at most five seconds for each level. If a level doesn't settle an
  /// operation within its bound, the operation fails with
  /// ``CacheError/timedOut(stage:after:key:)``. A level that hangs therefore delays its callers by
  /// at most its bound:
  ///
  ///     let found = memory + remote.awaited(atMost: .milliseconds(500)) + network
  ///
  /// - A get continues at the next level. Gets of a read-only level, or of a level with an origin,
  ///   have no bound unless this verb sets one, because a load may take longer than the default.
  /// - A write fails, but it isn't cancelled. The level's value for the key is *unknown* until the
  ///   write settles. Until then, gets skip the level for that key and don't back-fill it. Later
  ///   writes of the key still reach the level. After the late write has settled, the sum removes
  ///   the key from the level if the late write failed, or if a later write reached the level. The
  ///   later write therefore wins, and no older value comes back. If that removal fails, the next
  ///   get of the key repeats it. Gets skip the level for the key until a removal or a later write
  ///   succeeds.
  /// - A `clear` doesn't wait for pending writes of single keys. Afterward, the sum removes the
  ///   values that those writes store.
  /// - If a `clear` exceeds its bound, gets skip the level for all keys until a `clear` succeeds
  ///   there. Therefore, no value from before the `clear` comes back. A get repeats the `clear`, at
  ///   most once within each bound, and doesn't wait for it.
  ///
  /// The clock of the sum measures the time. On a cache that isn't in a sum, this verb has no
  /// effect. Use ``timingOut(after:total:clock:)`` there.
  ///
  /// - Parameter bound: The maximum time that a sum waits for one operation of each level. With
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
  /// Returns this fetcher with a limit on the time that a sum waits for it. See
  /// ``Cache/awaited(atMost:)``.
  ///
  /// - Law: the same laws as for a cache. See
  ///   `CacheAwaitedTests.testAnOriginHasNoBoundUnlessAVerbSetsOne`.
  public func awaited(atMost bound: Duration) -> Fetcher { Fetcher(cache.awaited(atMost: bound)) }
}
