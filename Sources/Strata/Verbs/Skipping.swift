extension Cache {
  /// Returns this cache passed over for those keys of which a condition holds.
  ///
  /// A get of such a key fails with ``CacheError/conditionNotSatisfied``, a miss, without asking the
  /// level: put it on a network that cannot be reached. Writes and warnings pass.
  ///
  ///     let found = memory + disk + network.skipping { key in !key.hasPrefix("https:") }
  ///
  /// - Parameter condition: Called once for each get, on the caller's thread. If it throws, the get
  ///   fails with its error and the level is not asked.
  /// - Complexity: O(1). A hit allocates nothing of its own.
  /// - Law: `a.skipping(p) == a.conditioned { !p }`, in all that holds of a condition:
  ///   `condition.failure` and others of `Laws.conditions`; see `ConditionLaws`.
  @inlinable
  public func skipping(_ condition: @escaping @Sendable (Key) throws -> Bool) -> Cache {
    asked("skipping") { get in
      { key in
        do {
          let isSkipped = try ask(condition, key)
          return isSkipped ? Promise(error: CacheError.conditionNotSatisfied) : ask(get, key)
        } catch { return Promise(error: error) }
      }
    }
  }

  /// Returns this cache passed over under a condition that may take its time.
  ///
  /// A get that is cancelled while the condition is looked into does not reach the level.
  ///
  /// - Parameter condition: As for a function that answers at once; a failure of its promise is that
  ///   of the get, and so is a cancellation.
  /// - Law: as for a function that answers at once; see `ConditionLaws`.
  @_disfavoredOverload
  @inlinable
  public func skipping(_ condition: @escaping @Sendable (Key) -> Promise<Bool>) -> Cache {
    asked("skipping") { get in
      { key in
        let isSkipped = condition(key)
        if case .success(false) = isSkipped.state { return get(key) }
        return isSkipped.flatMap { isSkipped in
          isSkipped ? Promise(error: CacheError.conditionNotSatisfied) : get(key)
        }
      }
    }
  }

  /// Returns this cache passed over under an async condition.
  ///
  /// - Parameter condition: As for a promise; each call has a task of its own, which is cancelled
  ///   with the get.
  /// - Law: as for a promise.
  @_disfavoredOverload
  public func skipping(_ condition: @escaping @Sendable (Key) async throws -> Bool) -> Cache {
    skipping { key -> Promise<Bool> in Promise { try await condition(key) } }
  }
}

extension Fetcher {
  /// Returns this fetcher passed over for those keys of which a condition holds, as a cache is.
  ///
  /// - Law: `f.skipping { _ in false } == f`; see `SkippingTests.testAFetcherIsPassedOverToo`.
  @inlinable
  public func skipping(_ condition: @escaping @Sendable (Key) throws -> Bool) -> Fetcher {
    Fetcher(cache.skipping(condition))
  }

  /// Returns this fetcher passed over under a condition that may take its time.
  ///
  /// - Law: as for a cache.
  @_disfavoredOverload
  @inlinable
  public func skipping(_ condition: @escaping @Sendable (Key) -> Promise<Bool>) -> Fetcher {
    Fetcher(cache.skipping(condition))
  }

  /// Returns this fetcher passed over under an async condition.
  ///
  /// - Law: as for a cache.
  @_disfavoredOverload
  @inlinable
  public func skipping(_ condition: @escaping @Sendable (Key) async throws -> Bool) -> Fetcher {
    Fetcher(cache.skipping(condition))
  }
}
