/// The most recent misses of a cache's keys.
///
/// Keys are compared outside the lock, because `==` is user code. When two keys have the same hash,
/// the miss of one replaces the miss of the other. This causes an extra get, but never a wrong
/// answer. When a key is written during a get of it, a miss of that get isn't remembered.
struct Misses<Key: Hashable & Sendable>: Sendable {
  private let table: MissTable

  init(capacity: Int, clock: TimeSource) {
    table = MissTable(capacity: capacity, clock: clock)
  }

  /// The number of entries in the queue, including the entries of removed misses.
  var queueLength: Int { table.queueLength }

  /// Returns the remembered error of a key, or runs a get and remembers the error of that get.
  ///
  /// - Parameter lifetime: A closure that returns how long to remember an error, or `nil` if the
  ///   error isn't remembered.
  func get<Value>(
    _ key: Key, for lifetime: @escaping @Sendable (any Error) -> Duration?,
    _ get: (Key) -> Promise<Value>
  ) -> Promise<Value> {
    let hash = KeyVersions.hash(key)
    if let miss = table[hash], let missed = miss.key as? Key, KeyHash.areSame(missed, key),
      table.isCurrent(miss)
    {
      return Promise(error: miss.error)
    }
    let (table, version) = (table, table.begin(hash))
    let answer = get(key)
    if case .success? = answer.outcome {
      table.end(hash)
      return answer
    }
    return answer.observed { outcome in
      if let error = outcome.error, let lifetime = lifetime(error) {
        table.remember(key, hash, for: lifetime, since: version, error)
      }
      table.end(hash)
    }
  }

  /// Runs a write. Removes the remembered miss of the key when the write begins, and again when it
  /// settles. When `key` is `nil`, removes all remembered misses at both times.
  func forgetting(_ key: Key?, _ write: () -> Promise<Void>) -> Promise<Void> {
    let (table, hash) = (table, key.map(KeyVersions.hash))
    table.forget(hash)
    let answer = write()
    if answer.isReady {
      table.forget(hash)
      return answer
    }
    return answer.observed { _ in table.forget(hash) }
      .flatMapOutcome { Promise(outcome: $0) }
  }
}

extension Misses {
  /// Returns the get function of a cache that remembers misses. The cache doesn't remember the miss
  /// of a get that calls no origin, because the origin may have the value. But a `reloading` get
  /// ignores remembered misses.
  func get<Value>(
    _ cache: Cache<Key, Value>, for lifetime: @escaping @Sendable (any Error) -> Duration?
  ) -> @Sendable (Key) -> Promise<Value> {
    let (get, reads) = (cache.get, cache.metadata.reads)
    if !reads.isDisjoint(with: .withoutOrigins) { return get }
    guard reads.contains(.reloading) else {
      return { key in self.get(key, for: lifetime, get) }
    }
    return { key in
      _ = self.forgetting(key) { Promise() }
      return self.get(key, for: lifetime, get)
    }
  }
}
