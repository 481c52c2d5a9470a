extension Cache {
  /// A level in memory, bounded, with a store of its own.
  ///
  /// A copy of the cache shares the store; another call makes another store. Whatever has left it is
  /// released on the thread that caused that, after the level's own work: the `deinit` of a value may
  /// use the cache.
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
  /// - Complexity: O(1) for get and remove; O(1) amortised for set.
  /// - Law: a get after a settled set answers that value or misses; never more than `capacity` is
  ///   held: `level.reading`, `level.capacity` and others of `Laws.level`. See `LevelLaws`.
  public static func memory(
    capacity: Int? = nil, cost: Cost<Value>? = nil,
    onMemoryWarning: MemoryWarningResponse = .clear
  ) -> Cache {
    let bound = capacity ?? (cost == nil ? 1000 : 64 << 20)
    let store = MemoryStore<Key, Value>(capacity: bound, cost: (cost ?? Cost { _ in 1 }).of)
    let detail = cost?.isBytes == true ? CachePlan.bytes(bound) : "\(bound)"
    return memory(store, onMemoryWarning, plan: .level("memory", detail: detail), reporter: nil)
  }

  private static func memory(
    _ store: MemoryStore<Key, Value>, _ response: MemoryWarningResponse, plan: CachePlan,
    reporter: Reporter?
  ) -> Cache {
    let report: @Sendable ([Key]) -> Void = { evicted in
      for key in evicted {
        reporter?.report(.eviction, key, since: nil, Promise<Void>.Outcome.success(()))
      }
    }
    return Cache(
      get: { key in store.value(for: key).map { Promise($0) } ?? .miss },
      set: { key, value in
        store.set(value, for: key, evicted: report)
        return Promise()
      },
      remove: { key in
        store.remove(key)
        return Promise()
      },
      clear: {
        store.removeAll()
        return Promise()
      },
      memoryWarning: { store.respond(to: response, evicted: report) },
      spine: Spine(plan: plan, reporting: { memory(store, response, plan: plan, reporter: $0) }))
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
