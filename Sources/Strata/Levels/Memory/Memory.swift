extension Cache {
  /// A level in memory, bounded, with a store of its own.
  ///
  /// A copy of the cache shares the store; another call makes another store. Whatever has left it
  /// is released on the thread that caused that, after the level's own work: the `deinit` of a
  /// value may use the cache.
  ///
  ///     let articles: Cache<URL, Article> = .memory(capacity: 500)
  ///     let images: Cache<URL, Data> = .memory(capacity: 32 << 20, cost: .bytes)
  ///
  /// - Parameters:
  ///   - capacity: The most it holds: 1,000 values unless told otherwise, or with `cost` a sum of
  ///     costs, 64 MiB unless told otherwise. With zero or less it holds nothing.
  ///   - cost: What a value counts for. A value that costs more than the capacity is not kept, and
  ///     what was under its key is removed.
  ///   - onMemoryWarning: What a memory warning does.
  ///   - onEviction: Called with each value that has left, and why, after the fact, on the thread
  ///     that caused it. It may use the cache. A value that was too costly to be kept has not been
  ///     there.
  /// - Complexity: O(1) for get, set and remove, but for the values that leave to make room. Of
  ///   keys that share one hash no more than 64 are kept.
  /// - Law: a get after a settled set answers that value or misses; never more than `capacity` is
  ///   held: `level.reading`, `level.capacity` and others of `Laws.level`. See `LevelLaws`.
  @inlinable
  public static func memory(
    capacity: Int? = nil, cost: Cost<Value>? = nil,
    onMemoryWarning: MemoryWarningResponse = .clear,
    onEviction: (@Sendable (Key, Value, EvictionCause) -> Void)? = nil
  ) -> Cache {
    let bound = capacity ?? (cost == nil ? 1000 : 64 << 20)
    let store = MemoryStore<Key, Value>(capacity: bound, cost: cost?.of)
    return memory(store, onMemoryWarning, onEviction, spine: { .memory(bound, cost, $0) })
  }

  /// A level in memory whose hash is the same in every process: for what has to come out the same
  /// again, such as a replay. Whoever knows the seed can choose keys that collide.
  package static func memory(capacity: Int, seed: UInt64) -> Cache {
    let store = MemoryStore<Key, Value>(capacity: capacity, cost: nil, seed: seed)
    return memory(store, .clear, nil, spine: { .memory(capacity, nil, $0) })
  }

  /// - Parameter spine: Makes the static side, of a function that makes this level anew to report.
  @inlinable
  static func memory(
    _ store: MemoryStore<Key, Value>, _ response: MemoryWarningResponse,
    _ report: (@Sendable (Key, Value, EvictionCause) -> Void)?,
    spine:
      @escaping @Sendable (
        _ again:
          @escaping @Sendable (@escaping @Sendable (Key, Value, EvictionCause) -> Void) -> Cache
      ) -> Spine<Key, Value>
  ) -> Cache {
    Cache(
      get: { key in
        guard let value = store.value(for: key) else { return .miss }
        return Promise(outcome: .success(value))
      },
      set: { key, value in
        store.set(value, for: key, then: report)
        return Promise()
      },
      remove: { key in
        let departed = store.remove(key)
        if let report { departed.forEach(of: key, report) }
        return Promise()
      },
      clear: {
        store.removeAll { report?($0, $1, $2) }
        return Promise()
      },
      memoryWarning: { store.respond(to: response) { report?($0, $1, $2) } },
      spine: spine { more in
        memory(
          store, response,
          { key, value, cause in
            report?(key, value, cause)
            more(key, value, cause)
          }, spine: spine)
      })
  }
}

extension Spine {
  /// The static side of a memory level.
  @usableFromInline
  static func memory(
    _ capacity: Int, _ cost: Cost<Value>?,
    _ again:
      @escaping @Sendable (
        @escaping @Sendable (Key, Value, EvictionCause) -> Void
      ) -> Cache<Key, Value>
  ) -> Spine {
    Spine(
      plan: .level(
        "memory", detail: cost?.isBytes == true ? CachePlan.bytes(capacity) : "\(capacity)"),
      reporting: { reporter in
        again { key, value, cause in
          guard [.capacity, .memoryWarning, .expired].contains(cause) else { return }
          reporter.report(
            .eviction, key, since: nil, Promise<Void>.Outcome.success(()), cause: cause,
            bytes: CacheEvent.bytes(of: value))
        }
      })
  }
}

/// What a memory level does when memory is short.
public enum MemoryWarningResponse: Sendable {
  /// Lets everything go.
  case clear
  /// Lets go of what is worth least, until no more than this part of the capacity is held, 0 to 1.
  case trim(to: Double)
  /// Keeps everything.
  case ignore
}
