extension Cache {
  /// Returns a cache of plain values that are refreshed from a fetcher when they are stale.
  ///
  /// A fresh value is answered and the fetcher not asked. A stale one is answered at once, and a
  /// refresh runs in the background; later one is waited for, and the stale value is answered if it
  /// fails. What a refresh brings is stored with a new age. Put the levels that hold stamped values
  /// before this verb, and nothing beneath it:
  ///
  ///     let stamped: Cache<String, Stamped<Data>> = .memory()
  ///     let pages = stamped.refreshing(
  ///       Freshness(for: .seconds(60), staleWhileRevalidate: .seconds(600)), from: network)
  ///
  /// One load of a key runs at a time, on the terms of ``pooled()``; nobody who leaves stops a
  /// refresh in the background. A `set`, `remove` or `clear` during a load wins over what it
  /// brings. A load that takes longer than the timeout fails, and one that fails hides no value
  /// that may still be served: observers are told, as `refresh` of ``CacheEvent``. That the origin
  /// has nothing (a miss) is an answer and no error: the value is removed, whether somebody waits
  /// for the load or not. A miss of a condition is none: the origin was not asked.
  ///
  /// Stored values are given the end of their last window as their deadline, so that levels may
  /// drop them. A level that drops what somebody else gave an earlier deadline has nothing stale to
  /// offer.
  ///
  /// - Parameters:
  ///   - freshness: For how long a value is fresh, and may be served when stale.
  ///   - fetcher: Where fresh values come from.
  ///   - time: Where the time comes from; a memory level beneath has a clock of its own, which has
  ///     to be the same: `.memory(on: time)`.
  /// - Complexity: O(1); one look at the clock for a hit. A value that is not there is looked for
  ///   twice, the second time by the load, lest a load that has just ended run again.
  /// - Law: `refresh.once`, `refresh.lively`, `refresh.errors`, `refresh.dead`, `refresh.writes`,
  ///   `refresh.none` of `Laws.refresh`; see `RefreshLaws`.
  @inlinable
  public func refreshing<Plain>(
    _ freshness: Freshness, from fetcher: Fetcher<Key, Plain>, on time: TimeSource = .system
  ) -> Cache<Key, Plain> where Value == Stamped<Plain> {
    let now = time.now
    return refreshing(freshness, fetcher, on: time) { get, refreshing in
      { key in
        guard refreshing.isQuiet else { return refreshing.getBehindWrites(key, get) }
        let answer = get(key)
        if case .success(let entry) = answer.state {
          let life = freshness.lifetime(of: key.hashValue, bornAt: entry.storedAt)
          if freshness.stage(of: entry, at: now(), lifetime: life) == .fresh {
            return Promise<Plain>(outcome: .success(entry.value))
          }
        }
        return refreshing.get(key, answer)
      }
    }
  }

  /// How it is asked: made where the types are known, so that a hit is compiled for them.
  @usableFromInline
  typealias AskingFresh<Plain: Sendable> =
    @Sendable (
      _ get: @escaping @Sendable (Key) -> Promise<Stamped<Plain>>,
      _ refreshing: Refreshing<Key, Plain>
    ) -> @Sendable (Key) -> Promise<Plain>

  @usableFromInline
  func refreshing<Plain>(
    _ freshness: Freshness, _ fetcher: Fetcher<Key, Plain>, on time: TimeSource,
    asking: @escaping AskingFresh<Plain>
  ) -> Cache<Key, Plain> where Value == Stamped<Plain> {
    let (now, reads) = (time.now, Forwards<Key>())
    let fresh = aging(
      "refreshing", "",
      asking: { get in
        { key in
          get(key).flatMap { entry in
            let life = freshness.lifetime(of: key.hashValue, bornAt: entry.storedAt)
            let stage = freshness.stage(of: entry, at: now(), lifetime: life)
            if stage == .fresh { return Promise(outcome: .success(entry.value)) }
            reads.noteOutdated(key)
            return .miss
          }
        }
      }, stamp: { _, value in freshness.stamp(value, at: now()) })
    let sum = fresh.backed(by: fetcher.loading(within: freshness.timeout, on: time))
    let arguments = "\(freshness.lifetime.formattedExactly), from: \(fetcher.plan)"
    return refreshing(
      sum.retracting(by: reads).pooled(), Refreshes(), freshness, now,
      BehindWrites(ledger: sum.spine.ledger, order: reads.order),
      plan: .verb(plan, name: "refreshing", arguments: arguments), asking: asking)
  }

  private func refreshing<Plain>(
    _ loading: Cache<Key, Plain>, _ running: Refreshes, _ freshness: Freshness,
    _ now: @escaping @Sendable () -> TimeSource.Instant, _ writes: BehindWrites<Key>,
    plan: CachePlan, asking: @escaping AskingFresh<Plain>
  ) -> Cache<Key, Plain> where Value == Stamped<Plain> {
    Cache<Key, Plain>(
      get: asking(
        get,
        Refreshing(
          look: get, load: loading.get, running: running, freshness: freshness, now: now,
          writes: writes)),
      set: loading.set, remove: loading.remove, clear: loading.clear, memoryWarning: memoryWarning,
      spine: Spine<Key, Plain>(
        plan: plan, isReadOnly: spine.isReadOnly, forget: loading.spine.forget,
        reporting: { reporter in
          reporting(to: reporter).refreshing(
            loading.reporting(to: reporter), running, freshness, now, writes, plan: plan,
            asking: asking)
        }))
  }
}
