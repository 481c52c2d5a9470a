extension Cache {
  /// Returns this cache with a limit on the time that a sum waits for each operation of the cache.
  ///
  /// By default, a sum waits at most five seconds for each level. What isn't settled by then fails
  /// with ``CacheError/timedOut(stage:after:key:)``. So a hanging level delays its callers by at
  /// most this bound:
  ///
  ///     let found = memory + remote.awaitedInSum(atMost: .milliseconds(500)) + network
  ///
  /// - After exceeding the bound of a level, a get continues at the next one. By default, a get has
  ///   no time bound if the level is read-only or contains an origin, because a load can take
  ///   longer than five seconds.
  /// - Writes that exceed the bound fail, but they aren't cancelled. Later writes of the key are
  ///   called without waiting for them. Meanwhile, the key is *hidden* in the level: gets skip the
  ///   level for this key, and don't back-fill it. When the write succeeds later, or a later write
  ///   succeeds, the key is shown again. When it fails, the sum removes the key from the level.
  ///   Until a removal or a write has succeeded, each get that skips the level begins a removal,
  ///   unless one is in flight. Other keys aren't affected.
  /// - A `clear` waits for no write, and no write waits for it. After it has exceeded the bound of
  ///   a level, gets skip the level until a `clear` of it succeeds. The next get begins one in the
  ///   background, unless one is in flight.
  ///
  /// After a write has ended, even by failing, no later get returns an older value. See
  /// <doc:TheContractOfALevel>.
  ///
  /// This time is measured by the sum's clock. Outside of a sum, the verb has no effect. There, use
  /// ``timingOut(after:clock:)``.
  ///
  /// - Parameter bound: The maximum time that a sum waits for one operation of this cache. For a
  ///   sum, it applies to each of its levels. Of several bounds, the last one is in effect. Above a
  ///   verb, it also limits each get of the sum below as a whole. With a bound of zero or less,
  ///   only synchronous operations succeed.
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
