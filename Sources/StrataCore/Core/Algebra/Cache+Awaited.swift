extension Cache {
  /// Returns this cache with a limit on the time that a sum waits for each operation of the cache.
  ///
  /// By default, a sum waits at most five seconds for each level. If a level doesn't settle an
  /// operation within the level's time bound, the operation fails with
  /// ``CacheError/timedOut(stage:after:key:)``. A hanging level delays its callers by at most the
  /// level's time bound:
  ///
  ///     let found = memory + remote.awaitedInSum(atMost: .milliseconds(500)) + network
  ///
  /// - A get that exceeds the time bound of a level continues at the next level. By default, a get
  ///   has no time bound if the level is read-only or contains an origin, because a load can take
  ///   longer than five seconds.
  /// - A write that exceeds the time bound fails, but it isn't cancelled. Later writes of the key are
  ///   called without waiting for it. Its key is *hidden* in the level: gets skip the level for this
  ///   key, and don't back-fill it. If the write succeeds later, or if a later write succeeds, the key
  ///   is shown again. If it fails, the sum removes the key from the level. Until a removal or a write
  ///   has succeeded, each get that skips the level begins a removal, unless one is in flight. Other
  ///   keys aren't affected.
  /// - A `clear` waits for no write, and no write waits for it. If a `clear` exceeds the time bound of
  ///   a level, gets skip the level until a `clear` of the level succeeds. The next get begins one in
  ///   the background, unless one is in flight.
  ///
  /// After a write has ended, even by failing, no later get returns an older value. See
  /// <doc:TheContractOfALevel>.
  ///
  /// The sum's clock measures the time that the sum waits. On a cache that isn't in a sum, this
  /// verb has no effect. To limit the time of a cache outside of a sum, use
  /// ``timingOut(after:clock:)``.
  ///
  /// - Parameter bound: The maximum time that a sum waits for one operation of this cache. If this
  ///   cache is a sum, the bound applies to each of its levels. The last of several bounds is in
  ///   effect. Above a verb, the bound also limits each get of the sum below as a whole. With a bound
  ///   of zero or less, only synchronous operations succeed.
  /// - Law: The bound of a sum is the bound of each of its levels, and no operation exceeds its
  ///   time bound. See `sum.patience`, `sum.unknown`, `sum.recovery`, `sum.neighbors`, and
  ///   `ComposeLaws`.
  public func awaitedInSum(atMost bound: Duration) -> Cache {
    let changed = changed(by: .awaited(bound))
    guard metadata.members.isEmpty, changed.metadata.properties.awaitedBound != bound else {
      return changed
    }
    let plan = CachePlan.verb(plan, "awaitedInSum", ["atMost": .duration(bound)])
    let bounded = changed.with {
      ($0.plan, $0.awaitedBound) = (plan, bound)
    } again: {
      $0.awaitedInSum(atMost: bound)
    }
    return Cache(
      bounded.operations,
      metadata: bounded.metadata.with { properties in
        let rebuilding = properties.rebuilding
        properties.rebuilding = { change in
          // The last bound wins.
          if case .awaited(let new) = change { return self.awaitedInSum(atMost: new) }
          return rebuilding?(change)
        }
      })
  }
}
