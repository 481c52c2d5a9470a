/// The slow path of a get from a refreshed cache, used if the value is absent or not fresh.
@usableFromInline
struct Refreshing<Key: Hashable & Sendable, Plain: Sendable>: Sendable {
  let look: @Sendable (Key) -> Promise<Stamped<Plain>>
  let load: @Sendable (Key) -> Promise<Plain>
  let running: Refreshes
  let freshness: @Sendable (Key, Plain) -> Freshness
  let now: @Sendable () -> TimeSource.Instant
  /// The object that orders the writes to the levels. A get reads the levels directly, so
  /// `getBehindWrites` uses this object to wait for earlier writes.
  @usableFromInline let order: OperationOrder

  /// Reads a key. If the last write to the key had to wait for an earlier write, the read waits for
  /// both writes.
  @usableFromInline
  func getBehindWrites(
    _ key: Key, _ get: @escaping @Sendable (Key) -> Promise<Stamped<Plain>>
  ) -> Promise<Plain> {
    let hash = OperationOrder.hash(key)
    guard !order.isUnknown(hash) else { return load(key) }
    return order.read(hash) {
      order.skips(hash) ? load(key) : self.get(key, get(key))
    }
  }

  @usableFromInline
  func get(_ key: Key, _ answer: Promise<Stamped<Plain>>) -> Promise<Plain> {
    answer.flatMapOutcome { outcome in
      switch outcome {
      case .cancelled: return .cancelled
      case .failure: return load(key)
      case .success(let entry):
        switch stage(of: entry, key) {
        case .fresh: return Promise(outcome: .success(entry.value))
        case .stale:
          refresh(key)
          return Promise(outcome: .success(entry.value))
        case .staleOnError: return load(key).recover { try saved(key, from: $0) }
        case .expired: return load(key)
        }
      }
    }
  }

  func stage(of entry: Stamped<Plain>, _ key: Key) -> Freshness.Stage {
    freshness(key, entry.value).stage(of: entry, key.hashValue, at: now())
  }

  /// Begins a background refresh of a key, unless a refresh of the key is already in flight.
  private func refresh(_ key: Key) {
    let hash = OperationOrder.hash(key)
    guard running.begin(hash) else { return }
    load(key).onCompletion { _ in running.end(hash) }
  }

  /// Returns the stored value of a key after a load of the key has failed. Reads the value again,
  /// because a write might have changed the value during the load.
  private func saved(_ key: Key, from error: any Error) throws -> Promise<Plain> {
    let hash = OperationOrder.hash(key)
    guard !error.isAbsence, !order.skips(hash) else { throw error }
    return order.read(hash) { look(key) }.flatMapOutcome { outcome in
      guard case .success(let entry) = outcome, stage(of: entry, key) != .expired
      else { return outcome.isCancelled ? .cancelled : Promise(error: error) }
      return Promise(outcome: .success(entry.value))
    }
  }
}

/// The hashes of the keys with a background refresh in flight. While a key's hash is in this set, a
/// get that finds a stale value doesn't begin another refresh of the key.
///
/// A refresh of one key can delay the refresh of another key with the same hash, but gets still
/// return correct values.
final class Refreshes: Sendable {
  private let running = Lock<Set<Int>>([])

  func begin(_ hash: Int) -> Bool { running.withLock { $0.insert(hash).inserted } }

  func end(_ hash: Int) { _ = running.withLock { $0.remove(hash) } }
}

extension Fetcher {
  /// Returns this fetcher with a time limit for each load. Observers receive each load as a
  /// `refresh` event.
  func loading(within limit: Duration, clock: TimeSource) -> Fetcher {
    Fetcher(
      cache.transforming(plan) { cache, reporter in
        var result = cache.operations
        let get = result.get
        result.get = { key in
          let start = reporter?.now()
          let load = get(key).timeout(after: limit, clock: clock)
          guard let reporter else { return load }
          return load.observed { reporter.report(.refresh, key, since: start, $0) }
        }
        return result
      })
  }
}
