extension Cache {
  /// Returns this cache with gets limited to the keys that meet a condition.
  ///
  /// A get of any other key fails with ``CacheError/conditionNotSatisfied``. That is a miss, so a
  /// sum reads the next level. Writes and warnings pass, because the condition is about gets.
  ///
  ///     let shown = disk.conditioned { key in !key.hasPrefix("draft/") } + network
  ///
  /// - Parameter condition: Called once for each get, on the caller's thread. If it throws, the get
  ///   fails with its error and doesn't reach the level.
  /// - Complexity: O(1). A hit doesn't allocate.
  /// - Law: `a.conditioned { _ in true } == a` and
  ///   `a.conditioned(p).conditioned(q) == a.conditioned { q && p }`: `condition.truth`,
  ///   `condition.conjunction`, and more of `Laws.conditions`. See `ConditionLaws`.
  public func conditioned(_ condition: @escaping @Sendable (Key) throws -> Bool) -> Cache {
    limitingGets(.conditioned, to: condition)
  }

  /// Limits gets to the keys that meet a condition, as a verb of the given kind.
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
  /// A get cancelled while the condition runs doesn't reach the level.
  ///
  /// - Parameter condition: Called once for each get, in a separate task, which is cancelled with
  ///   the get. If it throws, the get fails with its error.
  /// - Law: the same laws as for a synchronous condition, and `condition.late`. See
  ///   `ConditionLaws`.
  @_disfavoredOverload
  public func conditioned(
    _ condition: @escaping @Sendable (Key) async throws -> Bool
  ) -> Cache {
    conditioned(when: { key in Promise { try await condition(key) } })
  }

  /// Returns this cache with gets limited to the keys whose condition settles with `true`.
  package func conditioned(
    when condition: @escaping @Sendable (Key) -> Promise<Bool>
  ) -> Cache {
    limitingGets(.conditioned, when: condition)
  }

  /// Limits gets to the keys whose condition settles with `true`, as a verb of the given kind.
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
  /// - Law: the same laws as for a cache. See `ConditionedTests.testAFetcherIsConditionedToo`.
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
