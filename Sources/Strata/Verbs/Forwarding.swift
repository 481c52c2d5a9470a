extension Cache {
  /// Returns a read of this cache that answers with what is cached at once, and with what a fetcher
  /// brings when that comes.
  ///
  /// Both are asked at the same time, and the fetcher once. What it brings is stored through this
  /// cache and delivered, equal or not, as the last answer; if it comes first, the cached value is
  /// not delivered any more. If it fails, the stream ends with its error, after the cached value;
  /// if there is none, with the error that says more of the two. If it says that it has none (a
  /// miss, but not of a condition), what is cached is delivered a last time, and removed.
  ///
  ///     let updates = pages.forwarding(to: .network() <*> .utf8)
  ///
  /// The fresh value is on its way into the cache when it is delivered; a failure of that is
  /// dropped. A `set`, `remove` or `clear` during a read wins over what the fetcher brings, which
  /// is delivered and not stored then, and over a removal. Writes are those of this cache and of
  /// its copies, by ``set(_:for:)``, ``removeValue(for:)`` and ``removeAll()``; what is written by
  /// its stored functions, or through another cache over the same levels, is as if somebody else
  /// had written it.
  ///
  /// - Parameter fetcher: Where fresh values come from; pool it, if reads of one key overlap.
  /// - Law: `updates.order`, `updates.freshIsLast`, `updates.cachedFirst`, `updates.stored`,
  ///   `updates.removed`, `updates.errors`, `updates.writes`; see `UpdatesLaws`.
  public func forwarding(to fetcher: Fetcher<Key, Value>) -> Updates<Key, Value> {
    let (cache, fetch, forget) = (self, fetcher.get, fetcher.cache.spine.forget)
    let forwards = spine.forwards
    return Updates(
      plan: .verb(plan, name: "forwarding", arguments: "to: \(fetcher.plan)")
    ) { key in
      AsyncThrowingStream { continuation in
        let ownRead = Forwards.Read(key, forget: forget)
        let read = ForwardedRead<Value>(
          continuation, remove: { forwards.store(ownRead) { cache.remove(key) } },
          isOver: { forwards.end(ownRead) })
        forwards.begin(ownRead)
        read.follow(cache.get(key)) { read.cached($0) }
        read.follow(fetch(key)) { outcome in
          if case .success(let value) = outcome {
            forwards.store(ownRead) { cache.set(key, value) }
          }
          read.fresh(outcome)
        }
      }
    }
  }
}
