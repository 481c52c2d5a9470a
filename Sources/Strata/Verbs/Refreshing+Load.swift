/// What is done with a value that is not fresh, or not there.
@usableFromInline
struct Refreshing<Key: Hashable & Sendable, Plain: Sendable>: Sendable {
  let look: @Sendable (Key) -> Promise<Stamped<Plain>>
  let load: @Sendable (Key) -> Promise<Plain>
  let running: Refreshes
  let freshness: Freshness
  let now: @Sendable () -> TimeSource.Instant
  @usableFromInline let writes: BehindWrites<Key>

  /// Whether no write waits for its turn: a get need not wait for one then.
  @inlinable var isQuiet: Bool { writes.isQuiet }

  /// Waits for the writes of the key that were called before.
  @usableFromInline
  func getBehindWrites(
    _ key: Key, _ get: @escaping @Sendable (Key) -> Promise<Stamped<Plain>>
  ) -> Promise<Plain> {
    writes.read(key) { self.get(key, get(key)) }
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
        case .dead: return load(key)
        }
      }
    }
  }

  private func stage(of entry: Stamped<Plain>, _ key: Key) -> Freshness.Stage {
    freshness.stage(
      of: entry, at: now(),
      lifetime: freshness.lifetime(of: key.hashValue, bornAt: entry.storedAt))
  }

  /// Begins a refresh that nobody waits for, unless one is running.
  private func refresh(_ key: Key) {
    let hash = key.hashValue
    guard running.begin(hash) else { return }
    load(key).onCompletion { _ in running.end(hash) }
  }

  /// What the cache has for a key whose load has failed: looked up anew, as a write may have come.
  private func saved(_ key: Key, from error: any Error) throws -> Promise<Plain> {
    guard !error.isAbsence else { throw error }
    return look(key).flatMapOutcome { outcome in
      guard case .success(let entry) = outcome, stage(of: entry, key) != .dead
      else { return outcome.isCancelled ? .cancelled : Promise(error: error) }
      return Promise(outcome: .success(entry.value))
    }
  }
}

/// The keys, by hash, that are refreshed in the background: a hit of one need not join its load.
///
/// Equal hashes put a refresh off, and cost no answer.
@usableFromInline
final class Refreshes: Sendable {
  private let running = Lock<Set<Int>>([])

  func begin(_ hash: Int) -> Bool { running.withLock { $0.insert(hash).inserted } }

  func end(_ hash: Int) { _ = running.withLock { $0.remove(hash) } }
}

extension Fetcher {
  /// This fetcher with a limit to the time of each load, and each load reported.
  func loading(
    within limit: Duration, on time: TimeSource, reporter: Reporter? = nil
  ) -> Fetcher {
    let get = get
    return Fetcher(
      get: { key in
        let start = reporter?.now()
        let load = get(key).timeout(after: limit, on: time)
        guard let reporter else { return load }
        return load.observed { reporter.report(.refresh, key, since: start, $0) }
      },
      forget: cache.spine.forget, plan: plan,
      reporting: { reporter in
        Fetcher(cache.reporting(to: reporter)).loading(within: limit, on: time, reporter: reporter)
          .cache
      })
  }
}
