extension Cache {
  /// A function that creates the `get` function of a refreshed cache. Each overload of `refreshing`
  /// passes a separate closure, so the compiler can specialize the code for a hit.
  @usableFromInline
  typealias RefreshingGet<Plain: Sendable> =
    @Sendable (
      _ get: @escaping @Sendable (Key) -> Promise<Stamped<Plain>>,
      _ refreshing: Refreshing<Key, Plain>
    ) -> @Sendable (Key) -> Promise<Plain>

  /// A function that creates the origin of a refreshed cache. Its argument is a function that reads
  /// the stored value of a key.
  @usableFromInline
  typealias LoadedOrigin<Plain: Sendable> =
    @Sendable (
      _ old: @escaping @Sendable (Key) -> Promise<Stamped<Plain>?>
    ) -> Cache<Key, Loaded<Plain>>

  @usableFromInline
  func refreshing<Plain>(
    _ freshness: @escaping @Sendable (Key, Plain) -> Freshness, usual: Freshness?,
    _ lifetime: CachePlan.Value, _ timeout: Duration, _ origin: @escaping LoadedOrigin<Plain>,
    get: @escaping RefreshingGet<Plain>
  ) -> Cache<Key, Plain> where Value == Stamped<Plain> {
    guard metadata.conduct.keepsOrder else {
      return ordered().refreshing(
        freshness, usual: usual, lifetime, timeout, origin, get: get)
    }
    let (clock, running, order) = (clock, Refreshes(), SumOrder(levels: 2))
    let marks = StaleMarks()
    let expired = marks.newest
    let levels = CacheMetadata<Key, Loaded<Plain>>.Member(fresh(freshness, expired))
    let limit = { @Sendable (answer: Promise<Stamped<Plain>>, key: Key) in
      guard !answer.isReady, let bound = levels.getBound else { return answer }
      return answer.timeout(after: bound, clock: clock) {
        CacheError.timedOut(stage: levels.stage, after: bound, key: shortened(key))
      }
    }
    let origin = origin { key in
      // A hidden value may be outdated, so the load receives no stored value.
      guard order.skip(KeyVersions.hash(key), in: 0) == nil else { return Promise(nil) }
      return limit(self.get(key), key).map { $0 }.recover { _ in Promise(nil) }
    }
    let loader = origin.loading(within: timeout, clock: clock, notingIn: running)
    let sum = Sum([levels, .init(loader)], order: order, clock: clock, reporter: nil)
    let loading = Cache<Key, Loaded<Plain>>.sum(sum.members, order: order, clock: clock) {
      sum in { sum.get($0) }
    }.pooled()
    let arguments: CachePlan.Arguments = [nil: lifetime, "from": .plan(origin.plan.asOrigin())]
    let refreshed = transforming(
      .verb(plan, .refreshing, arguments), conduct: loading.metadata.conduct,
      works: { $0.add(of: loading) }
    ) { cache, reporter in
      let reads = cache.metadata.reads
      let mode = reads.contains(.reloading) ? loading.changed(by: .reading(.reloading)) : loading
      let probe = reporter?.probe.map { _ in GetProbe() }
      let loads =
        reporter.map { reporter in
          mode.reporting(to: probe.map { reporter.with(probe: $0) } ?? reporter)
        } ?? mode
      let refreshing = Refreshing(
        look: cache.get, load: { loads.get($0).map(\.value) }, running: running,
        freshness: freshness, usual: usual, clock: clock, order: order, marks: marks,
        expired: expired, limit: limit, reporter: reporter, loadProbe: probe)
      let expiry = Expiry(
        sum: sum, levels: self, look: self.changed(by: .reading(.peeking)).get,
        refreshing: refreshing, loads: loads)
      return CacheOperations<Key, Plain>(
        get: refreshing.get(reads) ?? get(cache.get, refreshing),
        set: { loads.set($0, Loaded($1)) }, remove: loads.remove, clear: loads.clear,
        memoryWarning: cache.memoryWarning, dropLoad: loads.metadata.forget,
        expire: { key in expiry.expire(key) })
    }
    guard let tickets = loading.metadata.tickets else { return refreshed }
    return refreshed.filledByTicket(take: tickets.take) { key, value, ticket in
      tickets.filling(ticket).set(key, Loaded(value))
    }
  }

  /// Returns a cache whose gets return only fresh values. When the value isn't fresh, the get fails
  /// with `OutdatedMiss`. A `set` stamps its value, but stores nothing if the load has returned
  /// `.unstored`.
  private func fresh<Plain>(
    _ freshness: @escaping @Sendable (Key, Plain) -> Freshness, _ expired: NewestMark
  ) -> Cache<Key, Loaded<Plain>> where Value == Stamped<Plain> {
    let now = clock.now
    return transforming(.verb(plan, .refreshing), conduct: metadata.conduct) { cache, _ in
      let below = cache.operations
      return CacheOperations<Key, Loaded<Plain>>(
        get: { key in
          below.get(key).flatMap { entry in
            expired.isBefore(entry.storedAt)
              && freshness(key, entry.value).stage(of: entry, key.hashValue, at: now()) == .fresh
              ? Promise(outcome: .success(Loaded(entry.value)))
              : Promise(error: OutdatedMiss.shared)
          }
        },
        set: { key, loaded in
          guard loaded.isStored else { return Promise() }
          let freshness = freshness(key, loaded.value)
          return below.set(
            key, freshness.stamp(loaded.value, at: expired.next(now()), lasting: loaded.lifetime))
        },
        remove: below.remove, clear: below.clear, memoryWarning: below.memoryWarning,
        dropLoad: below.dropLoad)
    }
  }
}
