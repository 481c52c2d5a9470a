/// Makes the values of a refreshed cache stale.
struct Expiry<Key: Hashable & Sendable, Plain: Sendable>: Sendable {
  /// The levels and the origin.
  let sum: Sum<Key, Loaded<Plain>>
  let levels: Cache<Key, Stamped<Plain>>
  /// Reads a stored value without a trace.
  let look: @Sendable (Key) -> Promise<Stamped<Plain>>
  let refreshing: Refreshing<Key, Plain>
  let loads: Cache<Key, Loaded<Plain>>

  /// Makes a value stale, or all values. A load that is in flight stores nothing.
  func expire(_ key: Key?) -> Promise<Void> {
    guard let key else {
      refreshing.expired.store(refreshing.expired.next(refreshing.clock.now()))
      sum.order.outdateLoads()
      loads.metadata.forget(nil)
      return Promise()
    }
    let hash = KeyVersions.hash(key)
    let rewrite = { @Sendable in self.rewrite(key, hash) }
    return sum.order.turn(ofGet: hash)?.flatMap(rewrite) ?? rewrite()
  }

  /// Stores a value again, with a creation time that makes it stale. A write that begins meanwhile wins.
  private func rewrite(_ key: Key, _ hash: Int) -> Promise<Void> {
    let order = sum.order
    let version = order.beginLoad(hash)
    loads.metadata.forget(key)
    guard order.skip(hash, in: 0) == nil else {
      order.endLoad(hash, since: version)
      return Promise()
    }
    return refreshing.limit(look(key), key).flatMapOutcome { outcome in
      switch outcome {
      case .success(let entry) where refreshing.stage(of: entry, key) == .fresh:
        let stale = refreshing.freshness(key, entry.value).ended(entry, at: refreshing.clock.now())
        return sum.write(key, endingLoad: version) { _, level in
          level == 0 ? levels.set(key, stale).flatMap { removeIfFresh(key) } : Promise()
        }
      case .success, .cancelled: break
      case .failure(let error):
        if error.isMiss { break }
        order.endLoad(hash, since: version)
        return loads.remove(key)  // A value that can't be read now may be fresh later.
      }
      order.endLoad(hash, since: version)
      return Promise()
    }
  }

  /// Removes a value that a level or a verb has given a newer stamp. Such a value can't be kept.
  private func removeIfFresh(_ key: Key) -> Promise<Void> {
    look(key).flatMapOutcome { outcome in
      guard case .success(let entry) = outcome, refreshing.stage(of: entry, key) == .fresh else {
        return Promise()
      }
      return levels.remove(key)
    }
  }
}

extension Cache {
  /// Makes the value of a key stale, and keeps it as a fallback.
  ///
  /// The next get calls the origin. If that fails or is slow, the get returns the stale value, as far as
  /// the ``Freshness`` of `refreshing` allows. Its stale windows begin with this call.
  ///
  ///     let stored: Cache<String, Stamped<Data>> = .memory()
  ///     let pages = stored.refreshing(
  ///       Freshness(for: .seconds(60), staleIfError: .seconds(3600)), from: network)
  ///     try await pages.expire("news")
  ///
  /// Only ``refreshing(_:from:)-(_,Fetcher<Key,Plain>)`` can return a stale value, so every other level
  /// removes the value. A load that is in flight isn't stored, and later gets don't join it. A write that
  /// begins during the call wins.
  ///
  /// - Parameter key: The key. Without a value, nothing changes.
  /// - Throws: The same errors as ``set(_:for:)``.
  /// - Complexity: O(1). Below `refreshing`, the value is read, and stored again with an older creation
  ///   time, so other processes that share the levels see it as stale too.
  /// - Law: A value that is expired is never returned as fresh, and a removal absorbs it. See
  ///   `reading.expiry`, checked by `ReadingLaws`.
  public func expire(_ key: Key) async throws { try await operations.expire(key).value }

  /// Makes all values stale, and keeps them as fallbacks.
  ///
  /// Under `refreshing`, this sets a mark in memory: values that were stored before are stale in this
  /// process, and until it ends. Levels without stale values are emptied.
  ///
  /// - Throws: The same errors as ``removeAll()``.
  public func expireAll() async throws { try await operations.expire(nil).value }
}
