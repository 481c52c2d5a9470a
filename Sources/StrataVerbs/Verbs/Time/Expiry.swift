/// Makes values of a refreshed cache stale.
struct Expiry<Key: Hashable & Sendable, Plain: Sendable>: Sendable {
  /// The levels and the origin.
  let sum: Sum<Key, Loaded<Plain>>
  let levels: Cache<Key, Stamped<Plain>>
  /// Reads a stored value without a trace.
  let look: @Sendable (Key) -> Promise<Stamped<Plain>>
  let refreshing: Refreshing<Key, Plain>
  let loads: Cache<Key, Loaded<Plain>>

  /// Makes the value of a key stale, or all values if `key` is `nil`. Loads that are in flight
  /// won't store their values.
  func expire(_ key: Key?) -> Promise<Void> {
    guard let key else {
      sum.order.outdateLoads()  // First, so no older load stores a value after the mark.
      refreshing.marks.mark(at: refreshing.clock.now())
      loads.metadata.forget(nil)
      return Promise()
    }
    let hash = KeyVersions.hash(key)
    let rewrite = { @Sendable in self.rewrite(key, hash) }
    return sum.order.turn(ofGet: hash)?.flatMap(rewrite) ?? rewrite()
  }

  /// Stores a value again, with a creation time that makes it stale. When a write to the key begins
  /// in the meantime, the written value remains. The same holds for the removal of a tag, because
  /// the value is stored with a ticket.
  private func rewrite(_ key: Key, _ hash: Int) -> Promise<Void> {
    let order = sum.order
    let version = order.beginLoad(hash)
    loads.metadata.forget(key)
    guard order.skip(hash, in: 0) == nil else {
      order.endLoad(hash, since: version)
      return Promise()
    }
    let target = Lock<Cache<Key, Stamped<Plain>>?>(levels.metadata.tickets == nil ? levels : nil)
    return refreshing.limit(find(key, target), key).flatMapOutcome { outcome in
      switch outcome {
      case .success(let entry) where refreshing.isFresh(entry, key):
        guard let target = target.withLock({ $0 }) else {
          order.endLoad(hash, since: version)
          return loads.remove(key)  // Without a ticket, a newer value could be replaced.
        }
        let stale = refreshing.freshness(key, entry.value).ended(entry, at: refreshing.clock.now())
        let isRefused = Lock(false)
        _ = order.watch(hash)
        let write = sum.begin(key, endingLoad: version) { _, level in
          guard level == 0 else { return Promise() }
          return target.set(key, stale).recover { error in
            // Another process has written the key since, so its value remains.
            let failure = error as? any StorageFailure
            guard failure?.isOvertaken == true else { return Promise(error: error) }
            isRefused.withLock { $0 = true }
            return Promise()
          }
        }
        let whole = write.map { write in
          write.end.flatMap {
            isRefused.withLock { $0 } ? Promise() : removeIfFresh(key, since: write.ticket)
          }
        }
        return (whole ?? Promise()).observed { _ in order.unwatch(hash) }
      case .success, .cancelled: break
      case .failure(let error):
        if error.isMiss { break }
        order.endLoad(hash, since: version)
        return loads.remove(key)  // A value that can't be read now might be fresh later.
      }
      order.endLoad(hash, since: version)
      return Promise()
    }
  }

  /// Returns the stored value. If it's fresh and the level has tickets, takes a ticket, reads the
  /// value again, and passes the level's variant for this ticket to `target`.
  private func find(
    _ key: Key, _ target: Lock<Cache<Key, Stamped<Plain>>?>
  ) -> Promise<Stamped<Plain>> {
    let found = look(key)
    guard let tickets = levels.metadata.tickets else { return found }
    return found.flatMap { entry in
      guard refreshing.isFresh(entry, key) else { return Promise(entry) }
      return tickets.take(key, true).flatMap { ticket in
        target.withLock { $0 = ticket.map(tickets.filling) }
        return look(key)
      }
    }
  }

  /// Removes the value if it's still fresh, because a level or a verb has given it a newer stamp.
  /// In such a cache, a stale value can't be kept. But the value of a later write remains.
  private func removeIfFresh(_ key: Key, since ticket: SumOrder.Ticket) -> Promise<Void> {
    look(key).flatMapOutcome { outcome in
      guard case .success(let entry) = outcome, refreshing.isFresh(entry, key) else {
        return Promise()
      }
      return sum.begin(key, following: ticket) { _, level in
        level == 0 ? levels.remove(key) : Promise()
      }?.end ?? Promise()
    }
  }
}

extension Cache {
  /// Makes the value of a key stale, and keeps it as a fallback.
  ///
  /// The next get calls the origin. When the origin fails or is slow, the get returns the stale
  /// value, as long as the ``Freshness`` of `refreshing` allows. The stale windows begin with this
  /// call, unless the value is already stale.
  ///
  ///     let stored: Cache<String, Stamped<Data>> = .memory()
  ///     let pages = stored.refreshing(
  ///       Freshness(for: .seconds(60), staleIfError: .seconds(3600)), from: network)
  ///     try await pages.expire("news")
  ///
  /// The value remains only with ``refreshing(_:from:)-(_,Fetcher<Key,Plain>)``. Without this verb,
  /// a level can't return stale values, so it removes the value. Loads of the key that are in
  /// flight store nothing, and later gets don't join them. When a write to the key begins during
  /// the call, the written value is fresh.
  ///
  /// - Parameter key: The key. If it has no value, nothing changes.
  /// - Throws: The same errors as ``set(_:for:)``.
  /// - Complexity: O(1). With `refreshing`, the cache reads the value, and stores it again with an
  ///   older creation time. So the value is also stale in other processes that share the levels.
  /// - Law: No get returns the value as fresh after this call. A removal before or after this call
  ///   has the same effect as the removal alone. See `reading.expiry`, checked by `ReadingLaws`.
  public func expire(_ key: Key) async throws { try await operations.expire(key).value }

  /// Makes all values stale, and keeps them as fallbacks.
  ///
  /// With `refreshing`, this process sets a mark in memory: until the process ends, it treats all
  /// values that were stored before this call as stale. Levels without `refreshing` are cleared.
  ///
  /// - Throws: The same errors as ``removeAll()``.
  public func expireAll() async throws { try await operations.expire(nil).value }
}
