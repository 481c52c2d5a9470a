extension Cache {
  /// Returns this cache with a limit on the time that a sum waits for each operation of the cache.
  ///
  /// By default, a sum waits at most five seconds for each level. Operations that haven't settled
  /// by then fail with ``CacheError/timedOut(stage:after:key:)``. So a level that hangs delays its
  /// callers by at most this bound:
  ///
  ///     let found = memory + remote.awaitedInSum(atMost: .milliseconds(500)) + network
  ///
  /// - A get that exceeds the bound of a level continues at the next level. By default, gets of a
  ///   level that is read-only or contains an origin have no bound, because loads can take longer.
  /// - A write that exceeds the bound fails, but it isn't cancelled. Later writes to the key call
  ///   the level without waiting for this one. Meanwhile, the key is *hidden* in the level: gets
  ///   skip the level for this key, and don't back-fill it. When this write or a later one
  ///   succeeds, the key is no longer hidden. When the write fails, the sum removes the key from
  ///   the level. Until a removal or a write has succeeded, each get that skips the level begins a
  ///   removal, unless one is in flight. Other keys aren't affected.
  /// - A `clear` doesn't wait for writes, and writes don't wait for a `clear`. When a `clear`
  ///   exceeds the bound of a level, gets skip the level until the level has been cleared. Each
  ///   such get begins another `clear` of this level in the background, unless one is in flight.
  ///
  /// After a write has ended, even with a failure, no later get returns an older value. See
  /// <doc:TheContractOfALevel>.
  ///
  /// The sum's clock measures the time. Outside of a sum, this verb has no effect, so use
  /// ``timingOut(after:clock:)``.
  ///
  /// - Parameter bound: The maximum time for which a sum waits for one operation of this cache. If
  ///   this cache is a sum, the bound applies to each of its levels. When it's a verb above a sum,
  ///   the bound also applies to each get of that sum as a whole. Of several bounds, the last one
  ///   is in effect. Zero or less means that only synchronous operations succeed.
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
          // Of several bounds, the last one is in effect.
          if case .awaited(let new) = change { return self.awaitedInSum(atMost: new) }
          return rebuilding?(change)
        }
      })
  }
}
