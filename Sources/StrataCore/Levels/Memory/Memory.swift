extension Cache {
  /// Returns a bounded in-memory level with a new, empty store.
  ///
  /// Copies of the cache share the store. Evicted values are released on the thread that caused the
  /// eviction, without a lock. So their `deinit` may use the cache. If values are ``Stamped``, the
  /// level also evicts entries that have expired by the system clock. See
  /// `memory(capacity:favoring:onMemoryWarning:clock:onEviction:)`.
  ///
  ///     let articles: Cache<URL, Article> = .memory(capacity: 500)
  ///     let images: Cache<URL, Data> = .memory(capacity: .bytes(32 << 20))
  ///
  /// - Parameters:
  ///   - capacity: The maximum number of values, the maximum of their total size, or both. The
  ///     default is ``MemoryCapacity/standard``: 1,000 values, and 64 MiB of data or text.
  ///   - goal: The hit ratio to favor. The default, `objects`, is the fraction of gets that are
  ///     hits. With `bytes`, each get is weighted by the size of its value. The goal has no effect
  ///     if the capacity only counts values.
  ///   - onMemoryWarning: The response to a memory warning. By default, it evicts everything. On
  ///     Apple's platforms, the level itself listens to the system's warnings. On Linux, use
  ///     ``listenToMemoryWarnings(from:)``.
  ///   - onEviction: A closure that receives the key, the value, and the cause of each eviction, on
  ///     the thread that caused the eviction. It may use the cache. It never receives a value that
  ///     is larger than the capacity, because the level doesn't store such a value.
  /// - Complexity: O(1) for `get`, `set`, and `remove`, plus O(1) for each entry that a `set`
  ///   evicts. Of keys with a custom `==`, the level stores at most 64 with the same hash.
  /// - Law: After a `set` has settled, a get returns the stored value or misses, and the level
  ///   never holds more than `capacity`. See `level.reading`, `level.capacity`, and the other laws
  ///   of `Laws.level` in `LevelLaws`.
  @inlinable
  public static func memory(
    capacity: MemoryCapacity<Value> = .standard, favoring goal: HitRatioGoal = .objects,
    onMemoryWarning: MemoryWarningResponse = .clear,
    onEviction: (@Sendable (Key, Value, EvictionCause) -> Void)? = nil
  ) -> Cache {
    let expirations = ExpirationTracker<Value>.forStampedValues(.system)
    let store = MemoryStore<Key, Value>(
      capacity: capacity.limit, cost: capacity.measure, share: capacity.share, favoring: goal,
      expirations: expirations)
    let level = memory(store, onMemoryWarning, onEviction, metadata: { .memory(capacity, $0) })
    return expirations == nil ? level : level.clocked(by: .system)
  }

  /// Returns an in-memory level with a fixed hash seed, for repeatable replays.
  ///
  /// Someone who knows the seed can construct keys whose hashes collide.
  package static func memory(
    capacity: MemoryCapacity<Value>, favoring goal: HitRatioGoal = .objects, seed: UInt64
  ) -> Cache {
    let store = MemoryStore<Key, Value>(
      capacity: capacity.limit, cost: capacity.measure, share: capacity.share, favoring: goal,
      seed: seed)
    return memory(store, .clear, nil, metadata: { .memory(capacity, $0) })
  }

  /// - Parameter metadata: A closure that returns the level's metadata. Its argument, `rebuild`, is
  ///   a function that returns this level with an additional eviction handler.
  @inlinable
  static func memory(
    _ store: MemoryStore<Key, Value>, _ response: MemoryWarningResponse,
    _ report: (@Sendable (Key, Value, EvictionCause) -> Void)?,
    metadata:
      @escaping @Sendable (
        _ rebuild:
          @escaping @Sendable (@escaping @Sendable (Key, Value, EvictionCause) -> Void) -> Cache
      ) -> CacheMetadata<Key, Value>
  ) -> Cache {
    let listener = MemoryListener { store.respond(to: response) { report?($0, $1, $2) } }
    return Cache(
      get: { key in
        guard let value = store.value(for: key) else { return .miss }
        return Promise(outcome: .success(value))
      },
      set: { key, value in
        store.set(value, for: key, then: report)
        return Promise()
      },
      remove: { key in
        let evicted = store.remove(key)
        if let report { evicted.forEach(writtenKey: key, report) }
        return Promise()
      },
      clear: {
        store.removeAll { report?($0, $1, $2) }
        return Promise()
      },
      memoryWarning: { listener.warn() },
      metadata: metadata { more in
        memory(
          store, response,
          { key, value, cause in
            report?(key, value, cause)
            more(key, value, cause)
          }, metadata: metadata)
      }.measuring(store).listing { store.keys }
        .peeking(
          { key in
            guard let value = store.value(for: key, .peek) else { return .miss }
            return Promise(outcome: .success(value))
          },
          hit: { key in
            guard let value = store.value(for: key, .hit) else { return .miss }
            return Promise(outcome: .success(value))
          }))
  }
}

extension CacheMetadata {
  /// Returns the metadata of a memory level with the gauges of its store.
  @usableFromInline
  func measuring(_ store: MemoryStore<Key, Value>) -> CacheMetadata {
    with {
      $0.works = { works in  // Two levels may share a store.
        works.add("memory", level: store) { store.gauges }
      }
    }
  }

  /// Returns the metadata of a memory level.
  @usableFromInline
  static func memory(
    _ capacity: MemoryCapacity<Value>,
    _ rebuild:
      @escaping @Sendable (
        @escaping @Sendable (Key, Value, EvictionCause) -> Void
      ) -> Cache<Key, Value>
  ) -> CacheMetadata { memory(capacity.arguments, rebuild) }

  static func memory(
    _ arguments: CachePlan.Arguments,
    _ rebuild:
      @escaping @Sendable (
        @escaping @Sendable (Key, Value, EvictionCause) -> Void
      ) -> Cache<Key, Value>
  ) -> CacheMetadata {
    CacheMetadata(
      plan: .level("memory", .memory, arguments),
      rebuilding: { change in
        guard case .reporting(let reporter) = change else { return nil }
        return rebuild { key, value, cause in
          guard cause.isReported else { return }
          reporter.report(
            .eviction, key, since: nil, Promise<Void>.Outcome.success(()), cause: cause,
            bytes: CacheEvent.bytes(of: value))
        }
      })
  }
}

extension EvictionCause {
  /// Whether observers receive an event for an eviction with this cause. They receive no event if a
  /// caller removes, replaces, or clears entries.
  fileprivate var isReported: Bool {
    switch self {
    case .capacity, .memoryWarning, .expired: true
    case .removed, .replaced, .cleared: false
    }
  }
}

/// The response of a memory level to a memory warning.
public enum MemoryWarningResponse: Sendable {
  /// Evicts everything.
  case clear
  /// Evicts the least valuable entries until the level holds at most this fraction of its capacity,
  /// from 0 to 1.
  case trim(to: Double)
  /// Ignores the warning.
  case ignore
}
