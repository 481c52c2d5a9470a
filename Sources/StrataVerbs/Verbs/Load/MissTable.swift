/// The most recent misses by key hash, with at most one miss for each hash.
///
/// The table isn't generic, so all caches of a program share its code, and a lookup needs no generic
/// metadata. It doesn't compare keys: `Misses` does, outside the lock, because `==` is user code.
final class MissTable: Sendable {
  struct Miss: Sendable {
    let key: any Sendable
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

  /// The miss of a key hash, also one whose lifetime has passed.
  subscript(hash: Int) -> Miss? { state.withLock { $0.held[hash] } }

  /// Whether a miss is still remembered at this time.
  func isCurrent(_ miss: Miss) -> Bool { now() < miss.end }

  /// Begins a get. Its miss isn't remembered if the key is written before `end`.
  func begin(_ hash: Int) -> KeyVersions.Version { versions.withLock { $0.watch(hash) } }

  /// Ends a get.
  func end(_ hash: Int) { versions.withLock { $0.unwatch(hash) } }

  /// Remembers a miss, unless the key was written since `version`.
  func remember(
    _ key: any Sendable, _ hash: Int, for lifetime: Duration, since version: KeyVersions.Version,
    _ error: any Error
  ) {
    guard lifetime > .zero, capacity > 0 else { return }
    let now = now()
    let end = now.advanced(by: lifetime)
    _ = state.withLock { state -> [Miss] in
      guard !versions.withLock({ $0.isWritten(hash, since: version) }) else { return [] }
      state.lastID += 1
      state.queue.append((hash, state.lastID))
      let replaced = state.held.updateValue(
        Miss(key: key, error: error, end: end, id: state.lastID), forKey: hash)
      return (replaced.map { [$0] } ?? []) + state.sweep(now, capacity: capacity)
    }
  }

  /// Notes that a key is written, and removes its miss. When `hash` is `nil`, removes all misses.
  func forget(_ hash: Int?) {
    versions.withLock { _ = $0.change(hash) }
    _ = state.withLock { state -> [Miss] in
      guard let hash else {
        defer { (state.held, state.queue, state.first) = ([:], [], 0) }
        return Array(state.held.values)
      }
      return state.held.removeValue(forKey: hash).map { [$0] } ?? []
    }
  }
}

extension MissTable.State {
  /// Removes the oldest misses until at most `capacity` remain, and also up to two expired misses.
  fileprivate mutating func sweep(
    _ now: TimeSource.Instant, capacity: Int
  ) -> [MissTable.Miss] {
    var removed: [MissTable.Miss] = []
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
