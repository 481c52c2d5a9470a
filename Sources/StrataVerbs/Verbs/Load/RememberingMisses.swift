extension Cache {
  /// Returns a cache that remembers each miss for a given time, so a repeated get of an absent key
  /// doesn't reach the level.
  ///
  /// Each miss is remembered together with its error, such as the error of a 404 or 410 response.
  /// By default, only a miss that the level itself reports is remembered. So a get reaches the
  /// level again if, the last time, a condition rejected the get or `isOffline` kept it from the
  /// network.
  ///
  /// A `set` or `remove` forgets the key's miss, and a `clear` forgets all misses. When a key is
  /// written during a get of it, a miss of that get isn't remembered.
  ///
  /// Apply this verb to a level whose misses are expensive, and place that level below the levels
  /// that store values:
  ///
  ///     let pages = memory + network.rememberingMisses(for: .seconds(30))
  ///
  /// - Parameters:
  ///   - lifetime: The time for which a miss is remembered. Zero or less means that misses aren't
  ///     remembered.
  ///   - capacity: The maximum number of remembered misses. When it's reached, a new miss replaces
  ///     the oldest one. Zero or less means that misses aren't remembered. The default is 10,000.
  ///   - clock: The clock that measures the lifetime. The default is the clock of the cache.
  ///   - isRemembered: A closure that returns whether to remember an error. The default is
  ///     `{ $0.isAbsence }`, which selects all misses except `conditionNotSatisfied`. The closure
  ///     runs once for each failure, on the thread that reports the failure.
  /// - Complexity: O(1), amortized. For n remembered misses, a `clear` takes O(n) time.
  /// - Law: A miss is remembered for exactly its lifetime, and a write to a key removes the key's
  ///   remembered miss. See `misses.definition` and `misses.writes` in `Laws.misses`, checked by
  ///   `MissLaws`.
  public func rememberingMisses(
    for lifetime: Duration, capacity: Int = 10_000, clock: TimeSource? = nil,
    where isRemembered: @escaping @Sendable (any Error) -> Bool = { $0.isAbsence }
  ) -> Cache {
    let plan = CachePlan.verb(plan, "rememberingMisses", ["for": .duration(lifetime)])
    return rememberingMisses(plan, capacity: capacity, clock: clock ?? self.clock) {
      isRemembered($0) ? lifetime : nil
    }
  }

  /// Returns a cache that remembers each error for the time that `lifetime` returns.
  func rememberingMisses(
    _ plan: CachePlan, capacity: Int = 10_000, clock: TimeSource,
    for lifetime: @escaping @Sendable (any Error) -> Duration?
  ) -> Cache {
    let misses = Misses<Key>(capacity: capacity, clock: clock)
    return transforming(plan, conduct: metadata.conduct) { cache, _ in
      let below = cache.operations
      return CacheOperations(
        get: misses.get(cache, for: lifetime),
        set: { key, value in misses.forgetting(key) { below.set(key, value) } },
        remove: { key in misses.forgetting(key) { below.remove(key) } },
        clear: { misses.forgetting(nil, below.clear) },
        memoryWarning: below.memoryWarning,
        dropLoad: { key in
          // `below.dropLoad` must come first. Otherwise, a get could receive an old miss from the
          // level and remember it.
          below.dropLoad(key)
          _ = misses.forgetting(key) { Promise() }
        }, expire: { key in misses.forgetting(key) { below.expire(key) } })
    }
  }
}
