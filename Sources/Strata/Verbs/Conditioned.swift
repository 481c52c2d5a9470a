extension Cache {
  /// Returns this cache asked for those keys only of which a condition holds.
  ///
  /// A get of any other key fails with ``CacheError/conditionNotSatisfied``, a miss, so that in a
  /// sum the level beneath answers. Writes and warnings pass: the condition is about gets alone.
  ///
  ///     let shown = disk.conditioned { key in !key.hasPrefix("draft/") } + network
  ///
  /// - Parameter condition: Called once for each get, on the caller's thread. If it throws, the get
  ///   fails with its error and the level is not asked.
  /// - Complexity: O(1). A hit allocates nothing of its own.
  /// - Law: `a.conditioned { _ in true } == a` and `a.conditioned(p).conditioned(q) ==
  ///   a.conditioned { q && p }`: `condition.truth`, `condition.conjunction` and others of
  ///   `Laws.conditions`; see `ConditionLaws`.
  @inlinable
  public func conditioned(_ condition: @escaping @Sendable (Key) throws -> Bool) -> Cache {
    asked("conditioned") { get in
      { key in
        do {
          let isMet = try ask(condition, key)
          return isMet ? ask(get, key) : Promise(error: CacheError.conditionNotSatisfied)
        } catch { return Promise(error: error) }
      }
    }
  }

  /// Returns this cache asked for those keys only of which a condition holds that may take its
  /// time.
  ///
  /// A get that is cancelled while the condition is looked into does not reach the level.
  ///
  /// - Parameter condition: As for a function that answers at once; a failure of its promise is
  ///   that of the get, and so is a cancellation.
  /// - Law: where it answers at once, all that holds of a function: `condition.failure` and others
  ///   of `Laws.conditions`; `cancel(a.conditioned(p))` asks nothing: `condition.late`; see
  ///   `ConditionLaws`.
  @_disfavoredOverload
  @inlinable
  public func conditioned(
    _ condition: @escaping @Sendable (Key) -> Promise<Bool>
  ) -> Cache {
    asked("conditioned") { get in
      { key in
        let isMet = condition(key)
        if case .success(true) = isMet.state { return get(key) }
        return isMet.flatMap { isMet in
          isMet ? get(key) : Promise(error: CacheError.conditionNotSatisfied)
        }
      }
    }
  }

  /// Returns this cache asked for those keys only of which an async condition holds.
  ///
  /// - Parameter condition: As for a promise; each call has a task of its own, which is cancelled
  ///   with the get.
  /// - Law: as for a promise.
  @_disfavoredOverload
  public func conditioned(
    _ condition: @escaping @Sendable (Key) async throws -> Bool
  ) -> Cache {
    conditioned { key -> Promise<Bool> in Promise { try await condition(key) } }
  }
}

extension Fetcher {
  /// Returns this fetcher asked for those keys only of which a condition holds, as a cache is.
  ///
  /// - Law: `f.conditioned { _ in true } == f`; see
  ///   `ConditionedTests.testAFetcherIsConditionedToo`.
  @inlinable
  public func conditioned(_ condition: @escaping @Sendable (Key) throws -> Bool) -> Fetcher {
    Fetcher(cache.conditioned(condition))
  }

  /// Returns this fetcher under a condition that may take its time.
  ///
  /// - Law: as for a cache.
  @_disfavoredOverload
  @inlinable
  public func conditioned(_ condition: @escaping @Sendable (Key) -> Promise<Bool>) -> Fetcher {
    Fetcher(cache.conditioned(condition))
  }

  /// Returns this fetcher under an async condition.
  ///
  /// - Law: as for a cache.
  @_disfavoredOverload
  @inlinable
  public func conditioned(
    _ condition: @escaping @Sendable (Key) async throws -> Bool
  ) -> Fetcher {
    Fetcher(cache.conditioned(condition))
  }
}
