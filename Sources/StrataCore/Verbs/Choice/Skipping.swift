extension Cache {
  /// Returns a cache that skips a get if the key meets a condition.
  ///
  /// If a key meets the condition, a get of the key doesn't reach the level, and fails with the
  /// miss ``CacheError/conditionNotSatisfied``. Use this verb, for example, to skip the network
  /// while the device is offline. The condition doesn't apply to writes or memory warnings.
  ///
  ///     let found = memory + disk + network.skipping { key in !key.hasPrefix("https:") }
  ///
  /// - Parameter condition: A closure that returns whether to skip a key. Called once for each get,
  ///   on the caller's thread. If the closure throws, the get fails with that error and doesn't
  ///   reach the level.
  /// - Complexity: O(1). A hit doesn't allocate.
  /// - Law: `a.skipping(p) == a.conditioned { !p }`, so the result satisfies all laws of a
  ///   condition. See `condition.failure` and the other laws of `Laws.conditions`, checked by
  ///   `ConditionLaws`.
  public func skipping(_ condition: @escaping @Sendable (Key) throws -> Bool) -> Cache {
    limitingGets(.skipping, to: { key in try !condition(key) })
  }

  /// Returns a cache that skips a get if the key meets an async condition.
  ///
  /// If a get is cancelled while its condition runs, the get doesn't reach the level.
  ///
  /// - Parameter condition: A closure that returns whether to skip a key. Called once for each get,
  ///   in a separate task. Cancelling the get cancels the task. If the closure throws, the get
  ///   fails with that error.
  /// - Law: An async condition satisfies the laws of a synchronous condition. See `ConditionLaws`.
  @_disfavoredOverload
  public func skipping(_ condition: @escaping @Sendable (Key) async throws -> Bool) -> Cache {
    skipping(when: { key in Promise { try await condition(key) } })
  }

  /// Returns a cache that skips a get if the promise from `condition` resolves to `true`.
  package func skipping(when condition: @escaping @Sendable (Key) -> Promise<Bool>) -> Cache {
    limitingGets(.skipping, when: { key in condition(key).map { !$0 } })
  }
}

extension CachePlan.Kind {
  /// The kind of `skipping`.
  package static let skipping: Self = "skipping"
}
