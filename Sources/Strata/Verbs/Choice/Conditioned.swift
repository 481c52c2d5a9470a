extension Cache {
  /// Returns this cache with gets limited to the keys that meet a condition.
  ///
  /// A get of a key that doesn't meet the condition fails with the miss
  /// ``CacheError/conditionNotSatisfied``, so a sum reads the next level. The condition doesn't
  /// apply to writes and memory warnings.
  ///
  ///     let shown = disk.conditioned { key in !key.hasPrefix("draft/") } + network
  ///
  /// - Parameter condition: A closure that returns whether a key may be read. Called once for each
  ///   get, on the caller's thread. If the closure throws, the get fails with that error and
  ///   doesn't reach the level.
  /// - Complexity: O(1). A hit doesn't allocate.
  /// - Law: `a.conditioned { _ in true } == a` and `a.conditioned(p).conditioned(q) ==
  ///   a.conditioned { q && p }`. See `condition.truth`, `condition.conjunction`, and the other
  ///   laws of `Laws.conditions`, checked by `ConditionLaws`.
  public func conditioned(_ condition: @escaping @Sendable (Key) throws -> Bool) -> Cache {
    limitingGets(.conditioned, to: condition)
  }

  /// Returns this cache with gets limited to the keys that meet a condition. Plans show the result
  /// as a verb of the given kind.
  func limitingGets(
    _ kind: CachePlan.Kind, to condition: @escaping @Sendable (Key) throws -> Bool
  ) -> Cache {
    transformingGet(kind) { get in
      { key in
        do {
          return try condition(key) ? get(key) : Promise(error: CacheError.conditionNotSatisfied)
        } catch { return Promise(error: error) }
      }
    }
  }

  /// Returns this cache with gets limited to the keys that meet an async condition.
  ///
  /// If a get is cancelled while its condition runs, the get doesn't reach the level.
  ///
  /// - Parameter condition: A closure that returns whether a key may be read. Called once for each
  ///   get, in a separate task. Cancelling the get cancels the task. If the closure throws, the get
  ///   fails with that error.
  /// - Law: all laws of a synchronous condition hold, and so does `condition.late`. See
  ///   `ConditionLaws`.
  @_disfavoredOverload
  public func conditioned(
    _ condition: @escaping @Sendable (Key) async throws -> Bool
  ) -> Cache {
    conditioned(when: { key in Promise { try await condition(key) } })
  }

  /// Returns this cache with gets limited to the keys for which `condition` returns a promise of
  /// `true`.
  package func conditioned(
    when condition: @escaping @Sendable (Key) -> Promise<Bool>
  ) -> Cache {
    limitingGets(.conditioned, when: condition)
  }

  /// Returns this cache with gets limited to the keys for which `condition` returns a promise of
  /// `true`. Plans show the result as a verb of the given kind.
  func limitingGets(
    _ kind: CachePlan.Kind, when condition: @escaping @Sendable (Key) -> Promise<Bool>
  ) -> Cache {
    transformingGet(kind) { get in
      { key in
        condition(key).flatMap { isMet in
          isMet ? get(key) : Promise(error: CacheError.conditionNotSatisfied)
        }
      }
    }
  }
}

extension Fetcher {
  /// Returns this fetcher with gets limited to the keys that meet a condition. See
  /// `conditioned(_:)` of ``Cache``.
  ///
  /// - Law: `f.conditioned { _ in true } == f`. See
  ///   `ConditionedTests.testAFetcherIsConditionedToo`.
  public func conditioned(_ condition: @escaping @Sendable (Key) throws -> Bool) -> Fetcher {
    Fetcher(cache.conditioned(condition))
  }

  /// Returns this fetcher with gets limited to the keys that meet an async condition.
  ///
  /// - Law: the same as for a cache. See `ConditionedTests.testAFetcherIsConditionedToo`.
  @_disfavoredOverload
  public func conditioned(
    _ condition: @escaping @Sendable (Key) async throws -> Bool
  ) -> Fetcher {
    Fetcher(cache.conditioned(condition))
  }
}

extension CachePlan.Kind {
  /// The kind of `conditioned`.
  package static let conditioned: Self = "conditioned"
}
