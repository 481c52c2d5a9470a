extension Cache {
  /// Returns a cache that remembers its misses for some time, so a repeated get of an absent
  /// key doesn't reach the level.
  ///
  /// A miss is remembered with its error, such as a 404 or 410 of the network. By default, other
  /// failures aren't remembered. A `set`, `remove`, or `clear` removes the key's remembered miss.
  /// If a get began before such a write, its miss isn't remembered. Apply the verb to the level
  /// with expensive misses, below the levels that store values:
  ///
  ///     let pages = memory + network.rememberingMisses(for: .seconds(30))
  ///
  /// - Parameters:
  ///   - lifetime: The time for which a miss is remembered. Zero or less disables the verb.
  ///   - capacity: The maximum number of remembered misses. At that number, a new miss replaces the
  ///     oldest miss. Zero or less disables the verb. The default is 10,000.
  ///   - clock: The clock that measures the lifetime. The default is the clock of the cache.
  ///   - isRemembered: A closure that returns whether to remember an error. The default remembers
  ///     misses. Called once for each failure, on the thread that reports the failure.
  /// - Complexity: O(1). A get or write enters a few short critical sections.
  /// - Law: `misses.definition`, `misses.writes` of `Laws.misses`. See `MissLaws`.
  public func rememberingMisses(
    for lifetime: Duration, capacity: Int = 10_000, clock: TimeSource? = nil,
    where isRemembered: @escaping @Sendable (any Error) -> Bool = { $0.isMiss }
  ) -> Cache {
    let misses = Misses<Key>(for: lifetime, capacity: capacity, clock: clock ?? self.clock)
    return transforming("rememberingMisses", ["for": .duration(lifetime)]) { below in
      CacheOperations(
        get: { key in misses.get(key, where: isRemembered, below.get) },
        set: { key, value in misses.forgetting(key) { below.set(key, value) } },
        remove: { key in misses.forgetting(key) { below.remove(key) } },
        clear: { misses.forgetting(nil, below.clear) },
        memoryWarning: below.memoryWarning,
        forget: { key in
          below.forget(key)  // Comes first, because a get in between could remember an old miss.
          _ = misses.forgetting(key) { Promise() }
        })
    }
  }
}

extension Fetcher {
  /// Returns a fetcher that remembers its misses for some time. See
  /// ``Cache/rememberingMisses(for:capacity:clock:where:)``.
  ///
  /// If you make a cache from the result, a write to that cache removes its key's remembered miss.
  ///
  /// - Parameters:
  ///   - lifetime: The time for which a miss is remembered. Zero or less disables the verb.
  ///   - capacity: The maximum number of remembered misses. The default is 10,000.
  ///   - clock: The clock that measures the lifetime. The default is the clock of the fetcher.
  ///   - isRemembered: A closure that returns whether to remember an error.
  /// - Law: see `RememberingMissesTests.testAWriteOfTheCacheMadeOfAFetcherEndsAMiss`.
  public func rememberingMisses(
    for lifetime: Duration, capacity: Int = 10_000, clock: TimeSource? = nil,
    where isRemembered: @escaping @Sendable (any Error) -> Bool = { $0.isMiss }
  ) -> Fetcher {
    Fetcher(
      cache.rememberingMisses(for: lifetime, capacity: capacity, clock: clock, where: isRemembered))
  }
}
