extension Cache {
  /// Returns a cache with at most one load in flight for each key.
  ///
  /// Overlapping gets of a key share a load. Cancelling one of these gets doesn't affect the
  /// others. The load is cancelled only when all its gets are cancelled. When the load fails, all
  /// its gets receive the error, and the next get begins a new load.
  ///
  /// A `set`, `remove`, or `clear` *detaches* the loads of the affected keys, once when it begins,
  /// and again when it settles. Gets that already wait for a detached load receive its result, but
  /// new gets don't join it. Writes aren't shared.
  ///
  ///     let pages = memory + (disk + network).pooled()
  ///
  /// When the load of a key calls the returned cache's `get` for the same key, it waits for itself
  /// until a time limit ends it.
  ///
  /// - Complexity: O(1). A hit in a memory level, or in a sum that begins with one, costs one more
  ///   call and doesn't allocate. Any other get whose level returns synchronously enters two short
  ///   critical sections and allocates one object. So does a get that joins a load.
  /// - Law: `a.pooled().pooled() == a.pooled()`, and `a.pooled() == a` if operations don't overlap.
  ///   See `pool.idempotence`, `pool.sequence`, and the other laws of `Laws.pool`, checked by
  ///   `VerbLaws`.
  @inlinable
  public func pooled() -> Cache { pooled { Cache.passingHits($0, $1) } }

  @usableFromInline
  func pooled(get: @escaping HitGet) -> Cache {
    let pool = Pool<Key, Value>()
    return transforming(.verb(plan, .pooled), conduct: metadata.conduct, passesHits: true) {
      cache, reporter in
      let below = cache.operations
      return CacheOperations(
        get: pool.get(cache, reportingTo: reporter, get),
        set: { key, value in pool.detaching(key) { below.set(key, value) } },
        remove: { key in pool.detaching(key) { below.remove(key) } },
        clear: { pool.detaching(nil, below.clear) },
        memoryWarning: below.memoryWarning,
        dropLoad: { key in
          // `below.dropLoad` must come first. Otherwise, a new load in this pool could join an
          // outdated load in a lower pool.
          below.dropLoad(key)
          pool.detach(key)
        }, expire: { key in pool.detaching(key) { below.expire(key) } })
    }
  }
}

extension CachePlan.Kind {
  /// The kind of `pooled()`.
  package static let pooled: Self = "pooled"
}
