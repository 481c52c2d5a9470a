extension Cache {
  /// Returns a ``CacheUpdates`` value whose reads deliver the cached value immediately, and the
  /// fetcher's value when it arrives.
  ///
  /// Each read calls the cache once and, concurrently, the fetcher once. The read stores the fresh
  /// value in this cache, and delivers it as the last update, even if it equals the cached value.
  /// When the fresh value arrives first, it's the only update.
  ///
  /// When the fetcher fails, the stream delivers the cached value, and then ends with the fetcher's
  /// error. When the cache fails as well, the stream ends with the error of the higher rank, as
  /// described in ``CacheError``. In addition, a miss of the fetcher removes the cached value from
  /// the cache. But ``CacheError/conditionNotSatisfied`` removes nothing, because it means that the
  /// origin wasn't called.
  ///
  /// The write of the fresh value begins before the stream delivers the value. Errors of this write
  /// are ignored. If a tag, or a group of keys, is removed anywhere in this process while the fetcher
  /// runs, the fresh value is delivered but not stored, because the removal may concern it.
  ///
  /// To write, use only the ``CacheUpdates/cache`` of the returned `CacheUpdates`. The `set`,
  /// `remove`, and `clear` of this cache take precedence over in-flight reads. Such a read still
  /// delivers the fetcher's value, but doesn't change the cache. If you write to the original cache
  /// directly, an in-flight read might overwrite your value.
  ///
  ///     let updates = memory.updating(from: network)
  ///     try await updates.cache.set(Data("draft".utf8), for: "page")
  ///
  /// - Parameter fetcher: The origin of fresh values. Use a pooled fetcher if overlapping reads of
  ///   a key should share one load.
  /// - Law: The fresh value is stored and delivered last, and a write during a read takes
  ///   precedence over the fresh value. See `updates.order`, `updates.freshIsLast`,
  ///   `updates.cachedFirst`, `updates.stored`, `updates.removed`, `updates.errors`, and
  ///   `updates.writes`, checked by `UpdatesLaws`.
  public func updating(from fetcher: Fetcher<Key, Value>) -> CacheUpdates<Key, Value> {
    guard metadata.conduct.keepsOrder else { return ordered().updating(from: fetcher) }
    let plan = CachePlan.verb(plan, "updating", ["from": .plan(fetcher.plan.asOrigin())])
    let sum = Sum(
      [.init(self, isVerbOnly: true)], order: SumOrder(levels: 1), clock: clock, reporter: nil)
    return CacheUpdates(plan: plan, cache: forwarded(sum.order, plan, fetcher)) { key in
      AsyncThrowingStream { continuation in
        let entry = ForwardedEntry(sum, key)
        let read = ForwardedRead<Value>(
          continuation, remove: { entry.store { $0.remove(key) } }, isOver: entry.end)
        read.follow(sum.get(key)) { read.cached($0) }
        read.follow(fetcher.get(key)) { outcome in
          if case .success(let value) = outcome { entry.store { $0.set(key, value) } }
          read.fresh(outcome)
        }
      }
    }
  }

  /// Returns a cache whose writes prevent in-flight forwarded reads from storing outdated values.
  private func forwarded(
    _ order: SumOrder, _ plan: CachePlan, _ fetcher: Fetcher<Key, Value>
  ) -> Cache {
    let works: RunningWorks.Visit = { works in
      works.add(order.work)
      works.add(of: fetcher)
    }
    let forwarded = transforming(plan, works: works) { cache, _ in
      let sum = Sum(
        [.init(cache, isVerbOnly: true)], order: order, clock: cache.clock, reporter: nil)
      let (forget, reads) = (fetcher.metadata.forget, cache.metadata.reads)
      let mayLoad = fetcher.plan.node.mayLoad
      let fresh = mayLoad ? fetcher.changed(by: .reading(.reloading)).get : fetcher.get
      let reload = { @Sendable (key: Key) in sum.reload(key, fresh) }
      return CacheOperations(
        get: reads == .reloading ? reload : { sum.get($0) },
        set: { key, value in
          forget(key)
          return sum.write(key) { cache, _ in cache.set(key, value) }
        },
        remove: { key in
          forget(key)
          return sum.write(key) { cache, _ in cache.remove(key) }
        },
        clear: {
          forget(nil)
          return sum.write(nil) { cache, _ in cache.clear() }
        },
        memoryWarning: cache.memoryWarning, dropLoad: cache.metadata.forget,
        expire: { key in
          forget(key)
          return sum.write(key) { cache, _ in cache.operations.expire(key) }
        })
    }
    // Gets don't call the fetcher, so they have the same time limit as the level's gets.
    let isBounded = !hasOrigin && !metadata.conduct.isSum
    let bound = isBounded ? metadata.bound : metadata.properties.awaitedBound
    return forwarded.with {
      $0.awaitedBound = bound
    } again: {
      $0
    }
  }
}

/// A forwarded read's permission to store or remove a value. It ends when the read ends, when the
/// key is written, or when a newer read stores a value.
private final class ForwardedEntry<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let sum: Sum<Key, Value>
  private let key: Key
  private let hash: Int
  private let version: SumOrder.Ticket
  private let epoch = LoadEpoch.current
  private let isOpen = Lock(true)

  init(_ sum: Sum<Key, Value>, _ key: Key) {
    (self.sum, self.key, hash) = (sum, key, sum.hash(of: key))
    version = sum.order.watch(hash)
  }

  /// Changes the cache, unless the key has been written, or a tag or several keys have been removed,
  /// since the read began.
  func store(_ write: (Cache<Key, Value>) -> Promise<Void>) {
    guard isOpen.withLock({ $0 }), epoch == LoadEpoch.current else { return }
    sum.fill(key, hash, since: version) { write(sum.members[$0].cache) }
  }

  @Sendable func end() {
    let isFirst = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    if isFirst { sum.order.unwatch(hash) }
  }
}
