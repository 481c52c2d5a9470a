extension Cache {
  /// Returns a cache that skips gets of the keys that meet a condition.
  ///
  /// If a key meets the condition, its get doesn't reach the level, and fails with
  /// ``CacheError/conditionNotSatisfied``, which is a miss. Use this verb to skip a network that
  /// may be offline. The condition doesn't apply to writes and memory warnings.
  ///
  ///     let found = memory + disk + network.skipping { key in !key.hasPrefix("https:") }
  ///
  /// - Parameter condition: A closure that returns whether to skip a key. Called once for each get,
  ///   on the caller's thread. If it throws, the get fails with that error and doesn't reach the
  ///   level.
  /// - Complexity: O(1). A hit doesn't allocate.
  /// - Law: `a.skipping(p) == a.conditioned { !p }`, so it has all laws of a condition:
  ///   `condition.failure` and more of `Laws.conditions`. See `ConditionLaws`.
  public func skipping(_ condition: @escaping @Sendable (Key) throws -> Bool) -> Cache {
    limitingGets(.skipping, to: { key in try !condition(key) })
  }

  /// Returns a cache that skips gets of the keys that meet an async condition.
  ///
  /// If a get is cancelled while its condition runs, it doesn't reach the level.
  ///
  /// - Parameter condition: A closure that returns whether to skip a key. Called once for each get,
  ///   in a separate task. Cancelling the get cancels the task. If the closure throws, the get
  ///   fails with that error.
  /// - Law: the same laws as for a synchronous condition. See `ConditionLaws`.
  @_disfavoredOverload
  public func skipping(_ condition: @escaping @Sendable (Key) async throws -> Bool) -> Cache {
    skipping(when: { key in Promise { try await condition(key) } })
  }

  /// Returns a cache that skips gets of the keys whose condition settles with `true`.
  package func skipping(when condition: @escaping @Sendable (Key) -> Promise<Bool>) -> Cache {
    limitingGets(.skipping, when: { key in condition(key).map { !$0 } })
  }
}

extension Fetcher {
  /// Returns a fetcher that skips gets of the keys that meet a condition. See `skipping(_:)` of
  /// ``Cache``.
  ///
  /// - Law: `f.skipping { _ in false } == f`. See `SkippingTests.testAFetcherIsSkippedToo`.
  public func skipping(_ condition: @escaping @Sendable (Key) throws -> Bool) -> Fetcher {
    Fetcher(cache.skipping(condition))
  }

  /// Returns a fetcher that skips gets of the keys that meet an async condition.
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
