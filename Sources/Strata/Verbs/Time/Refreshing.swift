extension Cache {
  /// Returns a cache of plain values that are refreshed from a fetcher when they are stale.
  ///
  /// A get returns a fresh value without calling the fetcher. During `staleWhileRevalidate`, a get
  /// returns the stale value immediately, and a refresh runs in the background. After that window,
  /// until the end of `staleIfError`, a get waits for the refresh, and returns the stale value only
  /// if the refresh fails. A refreshed value is stored with a new creation time. Apply this verb to
  /// the sum of all levels of stamped values, and don't add levels below the result:
  ///
  ///     let stamped: Cache<String, Stamped<Data>> = .memory()
  ///     let pages = stamped.refreshing(
  ///       Freshness(for: .seconds(60), staleWhileRevalidate: .seconds(600)), from: network)
  ///
  /// At most one load of a key is in flight, as in ``pooled()``. A cancelled get doesn't stop a
  /// background refresh. A load that takes longer than the timeout fails. If a load fails, gets
  /// still return a value that is within its windows, and observers receive the failure as a
  /// `refresh` event. If the origin reports a miss, the stored value is removed. The miss
  /// ``CacheError/conditionNotSatisfied`` doesn't remove the value, because the origin wasn't
  /// called.
  ///
  /// If a `set`, `remove`, or `clear` runs during a load, the loaded value isn't stored. Write only
  /// through the returned cache, because it doesn't detect direct writes to its levels.
  ///
  /// The deadline of a stored value is the end of its last window. Levels are allowed to evict a
  /// value after its deadline. If a level evicts a value earlier, a get has no stale value to
  /// return. The verb uses the clock of the levels. See ``clock``.
  ///
  /// - Parameters:
  ///   - freshness: The time for which a value is fresh, and the windows in which a get returns a
  ///     stale value.
  ///   - fetcher: The origin of fresh values.
  /// - Complexity: O(1). A hit reads the clock once. A load looks up the value again, because
  ///   another load might have just stored it.
  /// - Law: concurrent gets of a key share one load, a get never returns an expired value, and a
  ///   write wins over a load. See `refresh.once`, `refresh.lively`, `refresh.errors`,
  ///   `refresh.dead`, `refresh.writes`, and `refresh.none` in `Laws.refresh`, checked by
  ///   `RefreshLaws`.
  @inlinable
  public func refreshing<Plain>(
    _ freshness: Freshness, from fetcher: Fetcher<Key, Plain>
  ) -> Cache<Key, Plain> where Value == Stamped<Plain> {
    let now = clock.now
    let lifetime: CachePlan.Value = .duration(freshness.lifetime)
    return refreshing({ _, _ in freshness }, lifetime, freshness.timeout, fetcher) {
      get, refreshing in
      { key in
        guard refreshing.order.isQuiet else { return refreshing.getBehindWrites(key, get) }
        let answer = get(key)
        if case .success(let entry) = answer.state,
          freshness.stage(of: entry, key.hashValue, at: now()) == .fresh
        {
          return Promise<Plain>(outcome: .success(entry.value))
        }
        return refreshing.get(key, answer)
      }
    }
  }

  /// Returns a cache of plain values that are refreshed from a fetcher when they are stale, with a
  /// separate freshness for each value.
  ///
  ///     let stamped: Cache<String, Stamped<Data>> = .memory()
  ///     let pages = stamped.refreshing(from: network) { key, page in
  ///       Freshness(for: key.hasPrefix("news/") ? .seconds(60) : .seconds(86_400))
  ///     }
  ///
  /// - Parameters:
  ///   - fetcher: The origin of fresh values.
  ///   - timeout: The maximum duration of a load. This timeout replaces the timeout of each
  ///     `Freshness`, because the first load of a key begins before the key has a value. The
  ///     default is 60 s.
  ///   - freshness: A pure function that returns the freshness of a key's value. Called for each
  ///     get that finds a value, and for each `set`, on the thread that delivers the value.
  /// - Complexity: O(1). A hit reads the clock once and calls the closure once.
  /// - Law: with a constant function, the laws are the same as for ``refreshing(_:from:)``. See
  ///   `RefreshLaws.testAFreshnessByValueObeysTheLaws`.
  public func refreshing<Plain>(
    from fetcher: Fetcher<Key, Plain>, timeout: Duration = .seconds(60),
    _ freshness: @escaping @Sendable (Key, Plain) -> Freshness
  ) -> Cache<Key, Plain> where Value == Stamped<Plain> {
    refreshing(freshness, .name("each"), timeout, fetcher) { get, refreshing in
      { key in
        guard refreshing.order.isQuiet else { return refreshing.getBehindWrites(key, get) }
        let answer = get(key)
        if case .success(let entry) = answer.state, refreshing.stage(of: entry, key) == .fresh {
          return Promise<Plain>(outcome: .success(entry.value))
        }
        return refreshing.get(key, answer)
      }
    }
  }

  /// A function that creates the `get` function of a refreshed cache. Each caller passes a separate
  /// closure, so the compiler knows the types and specializes the code for a hit.
  @usableFromInline
  typealias RefreshingGet<Plain: Sendable> =
    @Sendable (
      _ get: @escaping @Sendable (Key) -> Promise<Stamped<Plain>>,
      _ refreshing: Refreshing<Key, Plain>
    ) -> @Sendable (Key) -> Promise<Plain>

  @usableFromInline
  func refreshing<Plain>(
    _ freshness: @escaping @Sendable (Key, Plain) -> Freshness, _ lifetime: CachePlan.Value,
    _ timeout: Duration, _ fetcher: Fetcher<Key, Plain>, get: @escaping RefreshingGet<Plain>
  ) -> Cache<Key, Plain> where Value == Stamped<Plain> {
    let (clock, running) = (clock, Refreshes())
    let sum = fresh(freshness).backed(by: fetcher.loading(within: timeout, clock: clock))
    // If this cache or the fetcher is empty, `sum` has no order, so gets don't wait for writes.
    let order = sum.metadata.order ?? OperationOrder()
    let loading = sum.pooled()
    let arguments: CachePlan.Arguments = [nil: lifetime, "from": .plan(fetcher.plan)]
    return transforming(.verb(plan, .refreshing, arguments)) { cache, reporter in
      let loads = reporter.map { loading.reporting(to: $0) } ?? loading
      let refreshing = Refreshing(
        look: cache.get, load: loads.get, running: running, freshness: freshness, now: clock.now,
        order: order)
      return CacheOperations<Key, Plain>(
        get: get(cache.get, refreshing),
        set: loads.set, remove: loads.remove, clear: loads.clear,
        memoryWarning: cache.memoryWarning, forget: loads.metadata.forget)
    }
  }

  /// Returns this cache as a cache of plain values, whose gets return only fresh values. A get of a
  /// value that isn't fresh fails with `OutdatedMiss`.
  private func fresh<Plain>(
    _ freshness: @escaping @Sendable (Key, Plain) -> Freshness
  ) -> Cache<Key, Plain> where Value == Stamped<Plain> {
    let now = clock.now
    return unstamping(
      .refreshing, [:],
      get: { get in
        { key in
          get(key).flatMap { entry in
            freshness(key, entry.value).stage(of: entry, key.hashValue, at: now()) == .fresh
              ? Promise(outcome: .success(entry.value)) : Promise(error: OutdatedMiss.shared)
          }
        }
      }, stamp: { key, value in freshness(key, value).stamp(value, at: now()) })
  }
}

extension CachePlan.Kind {
  /// The kind of `refreshing(_:from:)`.
  package static let refreshing: Self = "refreshing"
}
