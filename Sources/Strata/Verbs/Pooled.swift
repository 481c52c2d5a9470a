extension Cache {
  /// Returns this cache with one load under way for each key, however many ask for it.
  ///
  /// The load, not a waiter, frees its place: a waiter that is cancelled disturbs nobody, and the
  /// load is cancelled with the last. An error is shared by those who wait and not remembered. `set`,
  /// `remove` and `clear` detach a running load when they begin and when they settle: those who wait
  /// for it get its answer, those who come later do not. Only gets are shared.
  ///
  ///     let pages = memory + (disk + network).pooled()
  ///
  /// A load that asks this cache for its own key waits for itself; bound it with a time limit.
  ///
  /// - Complexity: O(1); a hit costs two atomic steps, a get that joins a load one allocation.
  /// - Law: `a.pooled().pooled() == a.pooled()`; `a.pooled() == a`, one operation at a time:
  ///   `pool.idempotence`, `pool.sequence` and others of `Laws.pool`; see `VerbLaws`.
  @inlinable
  public func pooled() -> Cache {
    pooled(by: Pool()) { pool, get in { key in pool.load(key, get) } }
  }

  /// - Parameter asking: How it is asked: made where the types are known, so that a hit is compiled
  ///   for them.
  @usableFromInline
  func pooled(
    by pool: Pool<Key, Value>,
    asking:
      @escaping @Sendable (
        Pool<Key, Value>, _ get: @escaping @Sendable (Key) -> Promise<Value>
      ) -> @Sendable (Key) -> Promise<Value>
  ) -> Cache {
    let (set, remove, clear, forget) = (set, remove, clear, spine.forget)
    return Cache(
      get: asking(pool, get),
      set: { key, value in pool.detaching(pool.hash(key)) { set(key, value) } },
      remove: { key in pool.detaching(pool.hash(key)) { remove(key) } },
      clear: { pool.detaching(nil, clear) },
      memoryWarning: memoryWarning,
      spine: Spine(
        plan: .verb(plan, name: "pooled"), isReadOnly: spine.isReadOnly,
        forget: { key in
          forget(key)  // Before the pool: a load that begins meanwhile may join an old one beneath.
          pool.detach(key.map(pool.hash))
        },
        reporting: { reporter in
          reporting(to: reporter).pooled(by: pool) { pool, get in
            { key in pool.load(key, get, reporter) }
          }
        }))
  }
}

extension Fetcher {
  /// Returns this fetcher with one load under way for each key; see ``Cache/pooled()``.
  ///
  /// A write of a cache made with it drops a load that is running.
  ///
  /// - Law: see `PooledTests.testAWriteOfTheCacheMadeOfAFetcherDetachesItsLoad`.
  @inlinable
  public func pooled() -> Fetcher { Fetcher(cache.pooled()) }
}
