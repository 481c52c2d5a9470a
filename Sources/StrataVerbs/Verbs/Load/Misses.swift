/// The most recent misses, with at most one miss for each key hash.
///
/// Keys are compared outside the lock, because `==` is user code. When two keys have the same hash,
/// the miss of one replaces the miss of the other. This causes an extra get, but never a wrong
/// answer. When a key is written during a get of it, a miss of that get isn't remembered.
final class Misses<Key: Hashable & Sendable>: Sendable {
  struct Miss: Sendable {
    let key: Key
    let error: any Error
    let end: TimeSource.Instant
    let id: Int
  }

  fileprivate struct State {
    var held: [Int: Miss] = [:]
    var queue: [(hash: Int, id: Int)] = []  // The oldest miss first, including removed ones.
    var first = 0
    var lastID = 0
  }

  private let versions = Lock(KeyVersions(remembering: 1))

  private let capacity: Int
  private let now: @Sendable () -> TimeSource.Instant
  private let state = Lock(State())

  init(capacity: Int, clock: TimeSource) {
    self.capacity = capacity
    now = clock.now
  }

  /// The number of entries in the queue, including the entries of removed misses.
  var queueLength: Int { state.withLock { $0.queue.count } }

  /// Returns the remembered error of a key, or runs a get and remembers the error of that get.
  ///
  /// - Parameter lifetime: A closure that returns how long to remember an error, or `nil` if the
  ///   error isn't remembered.
  func get<Value>(
    _ key: Key, for lifetime: @escaping @Sendable (any Error) -> Duration?,
    _ get: (Key) -> Promise<Value>
  ) -> Promise<Value> {
    let hash = KeyVersions.hash(key)
    if let miss = state.withLock({ $0.held[hash] }), KeyHash.areSame(miss.key, key),
      now() < miss.end
    {
      return Promise(error: miss.error)
    }
    let version = versions.withLock { $0.watch(hash) }
    return get(key).observed { outcome in
      if let error = outcome.error, let lifetime = lifetime(error) {
        self.remember(key, hash, for: lifetime, since: version, error)
      }
      self.versions.withLock { $0.unwatch(hash) }
    }
  }

  private func remember(
    _ key: Key, _ hash: Int, for lifetime: Duration, since version: KeyVersions.Version,
    _ error: any Error
  ) {
    guard lifetime > .zero, capacity > 0 else { return }
    let now = now()
    let end = now.advanced(by: lifetime)
    let removed = state.withLock { state -> [Miss] in
      guard !versions.withLock({ $0.isWritten(hash, since: version) }) else { return [] }
      state.lastID += 1
      state.queue.append((hash, state.lastID))
      let replaced = state.held.updateValue(
        Miss(key: key, error: error, end: end, id: state.lastID), forKey: hash)
      return (replaced.map { [$0] } ?? []) + state.sweep(now, capacity: capacity)
    }
    withExtendedLifetime(removed) {}  // Released outside the lock.
  }

  /// Runs a write. Removes the remembered miss of the key when the write begins, and again when it
  /// settles. When `key` is `nil`, removes all remembered misses at both times.
  func forgetting(_ key: Key?, _ write: () -> Promise<Void>) -> Promise<Void> {
    let hash = key.map(KeyVersions.hash)
    let change = { @Sendable in
      self.versions.withLock { _ = $0.change(hash) }
      self.remove(hash)
    }
    change()
    let answer = write()
    if answer.isReady {
      change()
      return answer
    }
    return answer.observed { _ in change() }.flatMapOutcome { Promise(outcome: $0) }
  }

  private func remove(_ hash: Int?) {
    let removed = state.withLock { state -> [Miss] in
      guard let hash else {
        defer { (state.held, state.queue, state.first) = ([:], [], 0) }
        return Array(state.held.values)
      }
      return state.held.removeValue(forKey: hash).map { [$0] } ?? []
    }
    withExtendedLifetime(removed) {}
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

extension Misses.State {
  /// Removes the oldest misses until at most `capacity` remain, and also up to two expired misses.
  fileprivate mutating func sweep(
    _ now: TimeSource.Instant, capacity: Int
  ) -> [Misses<Key>.Miss] {
    var removed: [Misses<Key>.Miss] = []
    var budget = 2
    while first < queue.count {
      let (hash, id) = queue[first]
      let miss = held[hash].flatMap { $0.id == id ? $0 : nil }
      let isExpired = miss.map { $0.end <= now } ?? true
      guard held.count > capacity || (isExpired && budget > 0) else { break }
      budget -= 1
      first += 1
      if let miss {
        held[hash] = nil
        removed.append(miss)
      }
    }
    // Rebuilding the queue takes O(1) time for each remembered miss, amortized.
    if queue.count > 2 * held.count + 64 {
      queue = queue[first...].filter { held[$0.hash]?.id == $0.id }
      first = 0
    }
    return removed
  }
}
