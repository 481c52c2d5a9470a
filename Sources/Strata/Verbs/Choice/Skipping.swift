extension Cache {
  /// Returns this cache, which skips gets of the keys that meet a condition.
  ///
  /// A get of such a key fails with ``CacheError/conditionNotSatisfied``, a miss, without reaching
  /// the level. Use it for a network that may be offline. Writes and warnings pass.
  ///
  ///     let found = memory + disk + network.skipping { key in !key.hasPrefix("https:") }
  ///
  /// - Parameter condition: Called once for each get, on the caller's thread. If it throws, the get
  ///   fails with its error and doesn't reach the level.
  /// - Complexity: O(1). A hit doesn't allocate.
  /// - Law: `a.skipping(p) == a.conditioned { !p }`, so it has all laws of a condition:
  ///   `condition.failure` and more of `Laws.conditions`. See `ConditionLaws`.
  public func skipping(_ condition: @escaping @Sendable (Key) throws -> Bool) -> Cache {
    limitingGets(.skipping, to: { key in try !condition(key) })
  }

  /// Returns this cache, which skips gets of the keys that meet an async condition.
  ///
  /// A get cancelled while the condition runs doesn't reach the level.
  ///
  /// - Parameter condition: Called once for each get, in a separate task, which is cancelled with
  ///   the get. If it throws, the get fails with its error.
  /// - Law: the same laws as for a synchronous condition. See `ConditionLaws`.
  @_disfavoredOverload
  public func skipping(_ condition: @escaping @Sendable (Key) async throws -> Bool) -> Cache {
    skipping(when: { key in Promise { try await condition(key) } })
  }

  /// Returns this cache, which skips gets of the keys whose condition settles with `true`.
  package func skipping(when condition: @escaping @Sendable (Key) -> Promise<Bool>) -> Cache {
    limitingGets(.skipping, when: { key in condition(key).map { !$0 } })
  }
}

extension Fetcher {
  /// Returns this fetcher, which skips gets of the keys that meet a condition. See `skipping(_:)`
  /// of ``Cache``.
  ///
  /// - Law: `f.skipping { _ in false } == f`. See `SkippingTests.testAFetcherIsSkippedToo`.
  public func skipping(_ condition: @escaping @Sendable (Key) throws -> Bool) -> Fetcher {
    Fetcher(cache.skipping(condition))
  }

  /// Returns this fetcher, which skips gets of the keys that meet an async condition.
  ///
  /// - Law: the same laws as for a cache. See `SkippingTests.testAFetcherIsSkippedToo`.
  @_disfavoredOverload
  public func skipping(_ condition: @escaping @Sendable (Key) async throws -> Bool) -> Fetcher {
    Fetcher(cache.skipping(condition))
  }
}

extension CachePlan.Kind {
  /// The kind of `skipping`.
  package static let skipping: Self = "skipping"
}
