extension Cache {
  /// Returns this cache with at most one load in flight for each key.
  ///
  /// Overlapping gets of a key share a load. A cancelled get doesn't affect the other gets. When
  /// all gets of a load are cancelled, the load is cancelled. All gets of a load receive its error,
  /// which isn't remembered. `set`, `remove`, and `clear` detach the key's load when they begin and
  /// again when they settle: the waiting gets still receive its result, but later gets don't join
  /// it. Writes aren't shared.
  ///
  ///     let pages = memory + (disk + network).pooled()
  ///
  /// A load that gets its own key from this cache waits for itself. Set a time limit to end such a
  /// wait.
  ///
  /// - Complexity: O(1). A get enters four short critical sections and allocates its load.
  /// - Law: `a.pooled().pooled() == a.pooled()`, and `a.pooled() == a` for one operation at a time:
  ///   `pool.idempotence`, `pool.sequence`, and more of `Laws.pool`. See `VerbLaws`.
  public func pooled() -> Cache { pooled(by: Pool()) }

  func pooled(by pool: Pool<Key, Value>) -> Cache {
    transforming(.verb(plan, .pooled)) { cache, reporter in
      let below = cache.operations
      return CacheOperations(
        get: { key in pool.load(key, reportingTo: reporter, below.get) },
        set: { key, value in pool.detaching(key) { below.set(key, value) } },
        remove: { key in pool.detaching(key) { below.remove(key) } },
        clear: { pool.detaching(nil, below.clear) },
        memoryWarning: below.memoryWarning,
        forget: { key in
          below.forget(key)  // Comes first, so that a new load doesn't join an old load below.
          pool.detach(key)
        })
    }
  }
}

extension Fetcher {
  /// Returns this fetcher with at most one load in flight for each key. See ``Cache/pooled()``.
  ///
  /// If you make a cache from the result, a write to that cache detaches the load of its key.
  ///
  /// - Law: see `PooledTests.testAWriteOfTheCacheMadeOfAFetcherDetachesItsLoad`.
  public func pooled() -> Fetcher { Fetcher(cache.pooled()) }
}

extension CachePlan.Kind {
  /// The kind of `pooled()`.
  package static let pooled: Self = "pooled"
}
