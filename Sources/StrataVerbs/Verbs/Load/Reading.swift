extension Cache {
  /// This cache without its origins: gets return only what is stored.
  ///
  /// Use `stored` offline, or where a load would take too long. It shares the levels, statistics,
  /// and state of this cache, and its writes reach every level.
  ///
  ///     let offline = pages.stored
  ///     let page = try await offline.findValue(for: url)  // nil if no level has it
  ///
  /// Gets also skip the verbs that apply to an origin. With `refreshing`, they return stored values
  /// as long as these haven't expired, even if they're stale, and begin no refresh. Gets join no
  /// load.
  ///
  /// These count as origins: every ``Fetcher``, network level, and ``Loader``, and every level that
  /// was created `as: .origin`.
  ///
  /// - Complexity: O(n) to build for n levels. Hits take the same time as in this cache.
  /// - Law: `(a + o).stored == a` for an origin `o`, `a.stored.stored == a.stored`, and `(a +
  ///   b).stored == a.stored + b.stored`. See `reading.stored` and `ReadingLaws`.
  public var stored: Cache { reading(.stored) }

  /// A copy of this cache whose gets skip stored values, call the origin, and store its value in
  /// all levels.
  ///
  /// It shares the levels, statistics, and state of this cache, and its writes reach every level.
  ///
  ///     let page = try await pages.reloading.value(for: url)  // from the origin, and stored
  ///
  /// Such a get returns what the origin answers now, because it never joins an earlier load. Once
  /// such a get has begun, earlier loads of the key store nothing. The get itself doesn't store its
  /// value either, if a write to the key begins in the meantime. When the load fails, the stored
  /// value remains. To return the stored value in this case, use ``reloadingOrStored``. But a
  /// ``Loader`` still receives the stored value, for a conditional load.
  ///
  /// - Complexity: O(n) to build for n levels.
  /// - Law: `a.stored.reloading` always misses, because it has no origin. `stored` and `reloading`
  ///   commute with maps, for example `(f <^> a).reloading == f <^> a.reloading`. See
  ///   `reading.reloading`, `reading.both`, and `ReadingLaws`.
  public var reloading: Cache { reading(.reloading) }

  /// The same as ``reloading``, except that gets return the stored value if the origin fails.
  ///
  /// A miss of the origin isn't a failure. Without a stored value, the get throws the origin's
  /// error.
  ///
  ///     let page = try await pages.reloadingOrStored.value(for: url)  // pull to refresh
  ///
  /// - Law: It equals ``reloading`` if the origin answers, and ``stored`` if the origin fails. See
  ///   `reading.fallback` and `ReadingLaws`.
  public var reloadingOrStored: Cache {
    let (stored, reloading) = (stored, changed(by: .reading(.reloading)))
    return reloading.transforming(
      .verb(plan, .reloading, ["or": .name("stored")]), conduct: metadata.conduct
    ) { cache, reporter in
      let saved = reporter.map { stored.reporting(to: $0) } ?? stored
      var result = cache.operations
      let get = result.get
      result.get = { key in
        get(key).flatMapOutcome { outcome in
          guard case .failure(let error) = outcome, !error.isAbsence else {
            return Promise(outcome: outcome)
          }
          return saved.get(key).flatMapOutcome {
            $0.value == nil ? Promise(error: error) : Promise(outcome: $0)
          }
        }
      }
      return result
    }
  }

  /// A copy of this cache whose gets call no origin and leave no trace.
  ///
  /// Statistics don't count these gets, and observers receive no events. These gets store nothing
  /// in other levels, and count neither for idle times nor for eviction. Use `peeking` to look into
  /// a cache from a test, a log, or a debugger. In other respects, this cache is the same as
  /// ``stored``. Only two kinds of levels notice a peek. A level that was created from functions
  /// runs its `get`, and a Redis server counts the request.
  ///
  /// - Complexity: O(n) to build for n levels. Store the result if you peek often.
  /// - Law: A peek changes no later answer and no count. See `reading.peek` and `ReadingLaws`.
  public var peeking: Cache { reading(.peeking) }

  /// Returns the stored value of a key, or `nil`, and leaves no trace.
  ///
  ///     let page = try await pages.peek(url)
  ///
  /// - Throws: The same errors as ``findValue(for:)``.
  /// - Complexity: O(n) for n levels, because it builds ``peeking``.
  public func peek(_ key: Key) async throws -> Value? { try await peeking.findValue(for: key) }

  private func reading(_ mode: ReadMode) -> Cache {
    metadata.reads.contains(mode) ? self : changed(by: .reading(mode)).planned(over: plan, mode)
  }

  /// Returns this cache with the plan of a mode.
  private func planned(over plan: CachePlan, _ mode: ReadMode) -> Cache {
    with {
      ($0.plan, $0.members, $0.member) = (.verb(plan, mode.kind), [], nil)
    } again: {
      $0.planned(over: $0.plan, mode)
    }
  }
}

extension ReadMode {
  fileprivate var kind: CachePlan.Kind {
    switch self {
    case .stored: .stored
    case .reloading: .reloading
    default: .peeking
    }
  }
}

extension CachePlan.Kind {
  /// The kind of `stored`.
  package static let stored: Self = "stored"
  /// The kind of `reloading` and `reloadingOrStored`.
  package static let reloading: Self = "reloading"
  /// The kind of `peeking`.
  package static let peeking: Self = "peeking"
}
