/// The misses that are remembered, one for each hash, the latest ones.
///
/// Keys are compared by those who ask, outside the lock. Equal hashes cost a miss its place, and
/// never an answer.
final class Misses<Key: Hashable & Sendable>: Sendable {
  struct Miss: Sendable {
    let key: Key
    let error: any Error
    let end: TimeSource.Instant
    let id: Int
  }

  fileprivate struct State {
    var held: [Int: Miss] = [:]
    var order: [(hash: Int, id: Int)] = []  // As they came; some of them are gone.
    var first = 0
    var lastID = 0
    var writes = [Int](repeating: 0, count: 64)  // By a part of the hash.
    var clears = 0
  }

  private let lifetime: Duration
  private let capacity: Int
  private let now: @Sendable () -> TimeSource.Instant
  private let state = Lock(State())

  init(for lifetime: Duration, capacity: Int, on time: TimeSource) {
    self.lifetime = lifetime
    self.capacity = capacity
    now = time.now
  }

  /// What is remembered under a hash, and how many writes there have been.
  func look(_ hash: Int) -> (miss: Miss?, mark: Int) {
    state.withLock { ($0.held[hash], $0.mark(hash)) }
  }

  /// How many places it takes, those of misses that are gone included.
  var places: Int { state.withLock { $0.order.count } }

  /// The error that a get of `key` fails with, if the miss is of that key and its time not over.
  func error(of miss: Miss, _ key: Key) -> (any Error)? {
    miss.key == key && now() < miss.end ? miss.error : nil
  }

  func remember(_ key: Key, _ hash: Int, _ error: any Error, unlessWrittenSince mark: Int) {
    guard lifetime > .zero, capacity > 0 else { return }
    let now = now()
    let end = now.advanced(by: lifetime)
    let gone = state.withLock { state -> [Miss] in
      guard state.mark(hash) == mark else { return [] }
      state.lastID += 1
      state.order.append((hash, state.lastID))
      let replaced = state.held.updateValue(
        Miss(key: key, error: error, end: end, id: state.lastID), forKey: hash)
      return (replaced.map { [$0] } ?? []) + state.sweep(now, capacity: capacity)
    }
    withExtendedLifetime(gone) {}  // Released outside the lock.
  }

  /// Forgets the miss of a hash, or all of them.
  func forget(_ hash: Int?) {
    let gone = state.withLock { state -> [Miss] in
      guard let hash else {
        defer { (state.held, state.order, state.first) = ([:], [], 0) }
        state.clears += 1
        return Array(state.held.values)
      }
      state.writes[hash & 63] += 1
      return state.held.removeValue(forKey: hash).map { [$0] } ?? []
    }
    withExtendedLifetime(gone) {}
  }

  /// Forgets before a write and after it; only then is the write seen to have settled.
  func forgetting(_ hash: Int?, _ write: () -> Promise<Void>) -> Promise<Void> {
    forget(hash)
    return write().observed { _ in self.forget(hash) }.flatMapOutcome { Promise(outcome: $0) }
  }
}

extension Misses.State {
  fileprivate func mark(_ hash: Int) -> Int { writes[hash & 63] + clears }

  /// Lets go of the oldest while there are too many, and of two that are over at most.
  fileprivate mutating func sweep(_ now: TimeSource.Instant, capacity: Int) -> [Misses<Key>.Miss] {
    var gone: [Misses<Key>.Miss] = []
    var budget = 2
    while first < order.count {
      let (hash, id) = order[first]
      let miss = held[hash].flatMap { $0.id == id ? $0 : nil }
      let isOver = miss.map { $0.end <= now } ?? true
      guard held.count > capacity || (isOver && budget > 0) else { break }
      budget -= 1
      first += 1
      if let miss {
        held[hash] = nil
        gone.append(miss)
      }
    }
    if order.count > 2 * held.count + 64 {  // A constant amount of work for each that has come.
      order = order[first...].filter { held[$0.hash]?.id == $0.id }
      first = 0
    }
    return gone
  }
}
