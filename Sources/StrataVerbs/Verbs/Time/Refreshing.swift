extension Cache {
  /// Returns a cache of plain values that are refreshed from a fetcher when they are stale.
  ///
  /// A get returns a fresh value without calling the fetcher. During the `staleWhileRevalidate`
  /// window, it returns the stale value immediately, and a refresh runs in the background. After
  /// this window, a get waits for a refresh. When the refresh fails, or takes longer than a second,
  /// the get returns the stale value, as long as the `staleIfError` window lasts.
  ///
  /// After a failed refresh, the origin gets a pause, in which gets that have a stale value return
  /// it immediately. With each further failure, this pause grows. See ``Freshness/pause`` and
  /// ``Freshness/waitingAtMost``. Each refreshed value is stored with a new creation time.
  ///
  /// Don't use the returned cache as an upper level of a sum. Apply this verb to the sum of all
  /// levels that store stamped values:
  ///
  ///     let stamped: Cache<String, Stamped<Data>> = .memory()
  ///     let pages = stamped.refreshing(
  ///       Freshness(for: .seconds(60), staleWhileRevalidate: .seconds(600)), from: network)
  ///
  /// As with ``pooled()``, at most one load of a key is in flight at a time. Observers receive each
  /// load as a `refresh` event. The end of the load decides what happens to the stored value:
  ///
  /// - A new value replaces the stored value, unless a `set`, `remove`, or `clear` has run in the
  ///   meantime.
  /// - A miss of the origin removes the stored value.
  /// - ``CacheError/conditionNotSatisfied`` leaves the stored value, because the origin wasn't
  ///   called.
  /// - Any other failure also leaves the stored value, even if the load has exceeded its timeout.
  ///
  /// Cancelling a get doesn't stop a background refresh.
  ///
  /// Write only through the returned cache. It doesn't notice direct writes to its levels.
  ///
  /// A stored value has its deadline at the end of the longer stale window. From then on, levels
  /// may evict the value. When a level evicts it earlier, for example because the level is full, a
  /// get has no stale value to return. This method uses the clock of the cache on which it is
  /// called. See ``clock``.
  ///
  /// - Parameters:
  ///   - freshness: The time for which a value is fresh, and the windows in which a get can return
  ///     the stale value.
  ///   - fetcher: The origin of fresh values.
  /// - Complexity: O(1). Hits read the clock in the same way as those of
  ///   ``expiring(after:jitter:)``. Loads look up the value again, because another load might have
  ///   stored it just before.
  /// - Law: Concurrent gets of a key share one load, a get never returns an expired value, and a
  ///   write takes precedence over a load. See `refresh.once`, `refresh.lively`, `refresh.errors`,
  ///   `refresh.dead`, `refresh.writes`, `refresh.none`, and `refresh.pause` in `Laws.refresh`,
  ///   checked by `RefreshLaws`.
  @inlinable
  public func refreshing<Plain>(
    _ freshness: Freshness, from fetcher: Fetcher<Key, Plain>
  ) -> Cache<Key, Plain> where Value == Stamped<Plain> {
    refreshing(freshness) { _ in fetcher.loaded }
  }

  /// Returns a cache of plain values that are refreshed from an origin, with one freshness.
  @inlinable
  func refreshing<Plain>(
    _ freshness: Freshness, _ origin: @escaping LoadedOrigin<Plain>
  ) -> Cache<Key, Plain> where Value == Stamped<Plain> {
    let clock = clock
    let lifetime: CachePlan.Value = .duration(freshness.lifetime)
    return refreshing(
      { _, _ in freshness }, usual: freshness, lifetime, freshness.timeout, origin
    ) {
      get, refreshing in
      { key in
        guard refreshing.order.isTopQuiet else { return refreshing.getInOrder(key, get) }
        let answer = get(key)
        if case .success(let entry) = answer.state, refreshing.expired.isBefore(entry.storedAt),
          clock.isNow(from: entry.firstUse, until: freshness.endOfStage(of: entry, key.hashValue))
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
  ///   - timeout: The maximum duration of a load. This timeout replaces the `timeout` of each
  ///     `Freshness`, because the freshness of a value is unknown before the value has been loaded.
  ///     The default is 60 seconds.
  ///   - freshness: A pure function that returns the freshness of a key's value. It runs for each
  ///     get that finds a value, on the thread that delivers the value, and for each `set`.
  /// - Complexity: O(1). Hits read the clock in the same way as those of
  ///   ``expiring(after:jitter:)``, and call the closure once.
  /// - Law: A cache with a constant freshness function obeys the same laws as
  ///   ``refreshing(_:from:)-(_,Fetcher<Key,Plain>)``. See
  ///   `RefreshLaws.testAFreshnessByValueObeysTheLaws`.
  public func refreshing<Plain>(
    from fetcher: Fetcher<Key, Plain>, timeout: Duration = .seconds(60),
    _ freshness: @escaping @Sendable (Key, Plain) -> Freshness
  ) -> Cache<Key, Plain> where Value == Stamped<Plain> {
    refreshing(freshness, usual: nil, .name("each"), timeout, { _ in fetcher.loaded }) {
      get, refreshing in
      { key in
        guard refreshing.order.isTopQuiet else { return refreshing.getInOrder(key, get) }
        let answer = get(key)
        if case .success(let entry) = answer.state, refreshing.isInFirstStage(entry, key) {
          return Promise<Plain>(outcome: .success(entry.value))
        }
        return refreshing.get(key, answer)
      }
    }
  }
}

extension CachePlan.Kind {
  /// The kind of `refreshing(_:from:)`.
  package static let refreshing: Self = "refreshing"
}
