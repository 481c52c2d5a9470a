extension Cache {
  /// Returns an ``Updates`` value whose reads deliver the cached value immediately, and the
  /// fetcher's value when that value arrives.
  ///
  /// Each read calls the cache and the fetcher concurrently, and calls the fetcher only once. The
  /// read stores the fresh value in this cache, and delivers that value as the last update, even if
  /// it equals the cached value. If the fresh value arrives first, the read doesn't deliver the
  /// cached value.
  ///
  /// If the fetcher fails, the stream delivers the cached value and then ends with the fetcher's
  /// error. If both the cache and the fetcher fail, the stream ends with the higher-ranking error,
  /// as described in ``CacheError``. If the fetcher reports a miss, the read delivers the cached
  /// value and then removes it from the cache. If the fetcher fails with
  /// ``CacheError/conditionNotSatisfied``, the cached value isn't removed, because the origin
  /// wasn't called.
  ///
  /// The write of the fresh value to this cache begins before the stream delivers the value. If the
  /// write of the fresh value fails, the read ignores the error.
  ///
  /// To write values, use only the cache in the ``Updates/cache`` property of the returned value. A
  /// `set`, `remove`, or `clear` through ``Updates/cache`` takes precedence over in-flight reads.
  /// If a write begins during a read, the stream still delivers the fetcher's value, but the read
  /// doesn't change the cache. If you write to the original cache directly, an in-flight read might
  /// overwrite the written value.
  ///
  ///     let updates = memory.forwarding(to: network)
  ///     try await updates.cache.set(Data("draft".utf8), for: "page").value
  ///
  /// - Parameter fetcher: The origin of fresh values. If overlapping reads of a key should share
  ///   one load, use a pooled fetcher.
  /// - Law: The fresh value is stored and delivered last, and a write during a read takes
  ///   precedence over the fresh value. See `updates.order`, `updates.freshIsLast`,
  ///   `updates.cachedFirst`, `updates.stored`, `updates.removed`, `updates.errors`, and
  ///   `updates.writes`, checked by `UpdatesLaws`.
  public func forwarding(to fetcher: Fetcher<Key, Value>) -> Updates<Key, Value> {
    let order = OperationOrder()
    let plan = CachePlan.verb(plan, "forwarding", ["to": .plan(fetcher.plan)])
    return Updates(plan: plan, cache: forwarded(order, plan, fetcher)) { key in
      AsyncThrowingStream { continuation in
        let hash = OperationOrder.hash(key)
        let entry = ForwardedEntry(order, hash)
        let read = ForwardedRead<Value>(
          continuation, remove: { entry.store { remove(key) } }, isOver: entry.end)
        read.follow(order.read(hash) { self.get(key) }) { read.cached($0) }
        read.follow(fetcher.get(key)) { outcome in
          if case .success(let value) = outcome { entry.store { set(key, value) } }
          read.fresh(outcome)
        }
      }
    }
  }

  /// Returns a cache whose writes prevent in-flight forwarded reads from storing outdated values.
  private func forwarded(
    _ order: OperationOrder, _ plan: CachePlan, _ fetcher: Fetcher<Key, Value>
  ) -> Cache {
    transforming(plan) { cache, _ in
      let below = cache.operations
      @Sendable func write(
        _ key: Key?, _ write: @escaping @Sendable () -> Promise<Void>
      ) -> Promise<Void> {
        fetcher.metadata.forget(key)
        let hash = key.map(OperationOrder.hash)
        order.overtake(hash)
        return order.write(hash, beginning: { (write(), Promise()) })
      }
      return CacheOperations(
        get: { key in order.read(OperationOrder.hash(key)) { below.get(key) } },
        set: { key, value in write(key) { below.set(key, value) } },
        remove: { key in write(key) { below.remove(key) } },
        clear: { write(nil, below.clear) },
        memoryWarning: below.memoryWarning, forget: below.forget)
    }
  }
}

/// A forwarded read's permission to store or remove a value. A read may change the cache only until
/// the read ends, or until a write to its key begins.
private final class ForwardedEntry: Sendable {
  private let order: OperationOrder
  private let get: WriteTracker.Get
  private let isOpen = Lock(true)

  init(_ order: OperationOrder, _ hash: Int) { (self.order, get) = (order, order.begin(hash)) }

  /// Begins a write after all previous writes to the same key have begun. Later writes don't wait
  /// for this write to settle.
  ///
  /// The call has no effect if the read has ended, if the key was written during the read, or if a
  /// newer read of the key has already stored a value.
  func store(_ write: @escaping @Sendable () -> Promise<Void>) {
    _ = order.write(
      get.hash,
      beginning: { [self] in
        guard isOpen.withLock({ $0 }), order.mayStore(get) else { return (Promise(), Promise()) }
        return (write(), Promise())
      })
  }

  @Sendable func end() {
    let isFirst = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    if isFirst { order.end(get) }
  }
}
