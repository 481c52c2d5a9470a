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
  /// - A write that exceeds the time bound fails, but it isn't cancelled. Until a timed-out write
  ///   settles, the level's value for the written key is *unknown*. Gets of a key with an unknown
  ///   value skip the level and don't back-fill the level. A new write to the key reaches the level
  ///   without waiting for the timed-out write. If a timed-out write eventually fails in the level,
  ///   the sum removes the key from the level. If a newer write to the key begins before the
  ///   timed-out write settles, the level might contain the older value, so the sum removes the key
  ///   from the level. A newer write wins over a timed-out write, so an old value never reappears.
  ///   If the removal of a key fails, the next get of the key retries the removal. After a failed
  ///   removal, each get of the key skips the level until the key is removed or written
  ///   successfully.
  /// - A `clear` doesn't wait for pending writes to single keys. If a write is pending during a
  ///   `clear`, the sum removes the written value when the write settles.
  /// - If a `clear` exceeds the time bound of a level, every get skips the level until a `clear` of
  ///   the level succeeds. Values that were stored before a timed-out `clear` never reappear. After
  ///   a `clear` has timed out, the next get calls `clear` again in the background, unless another
  ///   `clear` is already in flight.
  ///
  /// The sum's clock measures the time that the sum waits. On a cache that isn't in a sum, this
  /// verb has no effect. To limit the time of a cache outside of a sum, use
  /// ``timingOut(after:clock:)``.
  ///
  /// - Parameter bound: The maximum time that a sum waits for one operation of this cache. If this
  ///   cache is a sum, the bound applies to each of its levels. With a bound of zero or less, only
  ///   synchronous operations succeed.
  /// - Law: The bound of a sum is the bound of each of its levels, and no operation exceeds its
  ///   time bound. See `sum.patience`, `sum.unknown`, `sum.recovery`, `sum.neighbors`, and
  ///   `ComposeLaws`.
  public func awaitedInSum(atMost bound: Duration) -> Cache {
    let changed = changed(by: .awaited(bound))
    guard metadata.members.isEmpty, changed.metadata.properties.patience != bound else {
      return changed
    }
    let plan = CachePlan.verb(plan, "awaitedInSum", ["atMost": .duration(bound)])
    return changed.with {
      ($0.plan, $0.patience) = (plan, bound)
    } again: {
      $0.awaitedInSum(atMost: bound)
    }
  }
}
