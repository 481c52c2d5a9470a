extension Cache {
  /// Returns a cache of plain values that are refreshed from a fetcher when they are stale.
  ///
  /// Fresh values are returned without calling the fetcher. During the `staleWhileRevalidate`
  /// window, a get returns the stale value immediately, and a refresh runs in the background. After
  /// this window, a get waits for a refresh. When that fails, or takes longer than a second, the
  /// get returns the stale value until the `staleIfError` window ends.
  ///
  /// After a failure, a growing pause spares the origin: gets with a stale value return it
  /// immediately. See ``Freshness/pause`` and ``Freshness/waitingAtMost``. Refreshed values are
  /// stored with a new creation time.
  ///
  /// Don't use the returned cache as an upper level of a sum. Apply this verb to the sum of all
  /// levels that store stamped values:
  ///
  ///     let stamped: Cache<String, Stamped<Data>> = .memory()
  ///     let pages = stamped.refreshing(
  ///       Freshness(for: .seconds(60), staleWhileRevalidate: .seconds(600)), from: network)
  ///
  /// As with ``pooled()``, at most one load of a key is in flight at a time. Observers receive each
  /// as a `refresh` event. What happens to the stored value depends on how the load ends:
  ///
  /// - A value replaces it, unless a `set`, `remove`, or `clear` has run meanwhile.
  /// - A miss of the origin removes it.
  /// - ``CacheError/conditionNotSatisfied`` leaves it, because the origin wasn't called.
  /// - Any other failure, including a load that takes longer than the timeout, leaves it as well.
  ///
  /// Cancelling a get doesn't stop a background refresh.
  ///
  /// Write only through the returned cache, because it doesn't notice direct writes to its levels.
  ///
  /// A stored value has its deadline where both of its stale windows have ended. Levels may evict
  /// it then. When one evicts it earlier, for example because it's full, a get has no stale value
  /// to return. This method uses the clock of the cache on which it is called. See ``clock``.
  ///
  /// - Parameters:
  ///   - freshness: The time for which a value is fresh, and the windows in which a get can return
  ///     the stale value.
  ///   - fetcher: The origin of fresh values.
  /// - Complexity: O(1). A hit reads the clock once. A load looks up the value again, because
  ///   another load might have just stored it.
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
    let now = clock.now
    let lifetime: CachePlan.Value = .duration(freshness.lifetime)
    return refreshing(
      { _, _ in freshness }, usual: freshness, lifetime, freshness.timeout, origin
    ) {
      get, refreshing in
      { key in
        guard refreshing.order.isTopQuiet else { return refreshing.getInOrder(key, get) }
        let answer = get(key)
        if case .success(let entry) = answer.state, refreshing.expired.isBefore(entry.storedAt),
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
  ///   - timeout: The maximum duration of a load. This timeout replaces the `timeout` of each
  ///     `Freshness`, because a value's freshness is unknown until the value is loaded. The default
  ///     is 60 s.
  ///   - freshness: A pure function that returns the freshness of a key's value. Called for each
  ///     get that finds a value, and for each `set`. A get calls the function on the thread that
  ///     delivers the value.
  /// - Complexity: O(1). A hit reads the clock once and calls the closure once.
  /// - Law: A cache with a constant freshness function obeys the same laws as
  ///   ``refreshing(_:from:)-(_,Fetcher<Key,Plain>)``. See `RefreshLaws.testAFreshnessByValueObeysTheLaws`.
  public func refreshing<Plain>(
    from fetcher: Fetcher<Key, Plain>, timeout: Duration = .seconds(60),
    _ freshness: @escaping @Sendable (Key, Plain) -> Freshness
  ) -> Cache<Key, Plain> where Value == Stamped<Plain> {
    refreshing(freshness, usual: nil, .name("each"), timeout, { _ in fetcher.loaded }) {
      get, refreshing in
      { key in
        guard refreshing.order.isTopQuiet else { return refreshing.getInOrder(key, get) }
        let answer = get(key)
        if case .success(let entry) = answer.state, refreshing.stage(of: entry, key) == .fresh {
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
