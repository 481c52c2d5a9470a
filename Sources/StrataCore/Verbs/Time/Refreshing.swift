extension Cache {
  /// Returns a cache of plain values that are refreshed from a fetcher when they are stale.
  ///
  /// A get returns a fresh value without calling the fetcher. During the `staleWhileRevalidate`
  /// window, a get returns the stale value immediately, and a refresh runs in the background. After
  /// the `staleWhileRevalidate` window, a get waits for a refresh. If the refresh fails, or takes
  /// longer than a second, the get returns the stale value until the `staleIfError` window ends.
  /// After a failure, a growing pause spares the origin: gets with a stale value return it
  /// immediately. See ``Freshness/pause`` and ``Freshness/waitingAtMost``. A refreshed value is
  /// stored with a new creation time. Don't use the returned cache as an upper level of a sum.
  /// Apply this verb to the sum of all levels that store stamped values:
  ///
  ///     let stamped: Cache<String, Stamped<Data>> = .memory()
  ///     let pages = stamped.refreshing(
  ///       Freshness(for: .seconds(60), staleWhileRevalidate: .seconds(600)), from: network)
  ///
  /// As with ``pooled()``, at most one load of a key is in flight at a time. A cancelled get
  /// doesn't stop a background refresh. A load that takes longer than the timeout fails. Observers
  /// receive each load as a `refresh` event. If the origin reports a miss, the stored value is
  /// removed. If the fetcher fails with ``CacheError/conditionNotSatisfied``, the stored value
  /// isn't removed, because the origin wasn't called.
  ///
  /// If a `set`, `remove`, or `clear` runs during a load, the loaded value isn't stored. Write only
  /// through the returned cache, because it doesn't detect direct writes to its levels.
  ///
  /// The deadline of a stored value is the time at which both of its stale windows have ended.
  /// Levels are allowed to evict a value after its deadline. If a level evicts a value before its
  /// deadline, a get has no stale value to return. This method uses the clock of the cache on
  /// which it is called. See ``clock``.
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
    let now = clock.now
    let lifetime: CachePlan.Value = .duration(freshness.lifetime)
    return refreshing({ _, _ in freshness }, lifetime, freshness.timeout, fetcher) {
      get, refreshing in
      { key in
        guard refreshing.order.isTopQuiet else { return refreshing.getInOrder(key, get) }
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
  ///   - timeout: The maximum duration of a load. This timeout replaces the `timeout` of each
  ///     `Freshness`, because a value's freshness is unknown until the value is loaded. The default
  ///     is 60 s.
  ///   - freshness: A pure function that returns the freshness of a key's value. Called for each
  ///     get that finds a value, and for each `set`. A get calls the function on the thread that
  ///     delivers the value.
  /// - Complexity: O(1). A hit reads the clock once and calls the closure once.
  /// - Law: A cache with a constant freshness function obeys the same laws as
  ///   ``refreshing(_:from:)``. See `RefreshLaws.testAFreshnessByValueObeysTheLaws`.
  public func refreshing<Plain>(
    from fetcher: Fetcher<Key, Plain>, timeout: Duration = .seconds(60),
    _ freshness: @escaping @Sendable (Key, Plain) -> Freshness
  ) -> Cache<Key, Plain> where Value == Stamped<Plain> {
    refreshing(freshness, .name("each"), timeout, fetcher) { get, refreshing in
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

  /// A function that creates the `get` function of a refreshed cache. Each overload of `refreshing`
  /// passes a separate closure, so the compiler can specialize the code for a hit.
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
    guard metadata.conduct.keepsOrder else {
      return ordered().refreshing(freshness, lifetime, timeout, fetcher, get: get)
    }
    let (clock, running, order) = (clock, Refreshes(), SumOrder(levels: 2))
    let levels = CacheMetadata<Key, Plain>.Member(fresh(freshness))
    let loader = fetcher.loading(within: timeout, clock: clock, notingIn: running)
    let loading = Cache<Key, Plain>.sum([levels, .init(loader)], order: order, clock: clock) {
      sum in { sum.get($0) }
    }.pooled()
    let arguments: CachePlan.Arguments = [nil: lifetime, "from": .plan(fetcher.plan)]
    return transforming(
      .verb(plan, .refreshing, arguments), conduct: loading.metadata.conduct,
      works: { $0.add(of: loading) }
    ) { cache, reporter in
      let loads = reporter.map { loading.reporting(to: $0) } ?? loading
      let refreshing = Refreshing(
        look: cache.get, load: loads.get, running: running, freshness: freshness, clock: clock,
        order: order,
        limit: { answer, key in
          guard !answer.isReady, let bound = levels.getBound else { return answer }
          return answer.timeout(after: bound, clock: clock) {
            CacheError.timedOut(stage: levels.stage, after: bound, key: shortened(key))
          }
        })
      return CacheOperations<Key, Plain>(
        get: get(cache.get, refreshing),
        set: loads.set, remove: loads.remove, clear: loads.clear,
        memoryWarning: cache.memoryWarning, dropLoad: loads.metadata.forget)
    }
  }

  /// Returns a cache whose gets return only fresh values, without their stamps. A get of a value
  /// that isn't fresh fails with `OutdatedMiss`.
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
