extension Cache {
  /// Returns a cache that runs a get only if the key meets a condition.
  ///
  /// A get of a key that doesn't meet the condition fails with the miss
  /// ``CacheError/conditionNotSatisfied``, so a sum reads the next level. The condition doesn't
  /// apply to writes or memory warnings.
  ///
  ///     let shown = disk.conditioned { key in !key.hasPrefix("draft/") } + network
  ///
  /// - Parameter condition: A closure that returns whether to run a get of a key. Called once for
  ///   each get, on the caller's thread. If the closure throws, the get fails with that error and
  ///   doesn't reach the level.
  /// - Complexity: O(1). A hit doesn't allocate.
  /// - Law: `a.conditioned { _ in true } == a` and `a.conditioned(p).conditioned(q) ==
  ///   a.conditioned { q && p }`. See `condition.truth`, `condition.conjunction`, and the other
  ///   laws of `Laws.conditions`, checked by `ConditionLaws`.
  public func conditioned(_ condition: @escaping @Sendable (Key) throws -> Bool) -> Cache {
    limitingGets(.conditioned, to: condition)
  }

  /// Returns a cache that runs a get only if the key meets a condition. In plans, the returned
  /// cache appears as a verb of the given kind.
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

  /// Returns a cache that runs a get only if the key meets an async condition.
  ///
  /// If a get is cancelled while its condition runs, the get doesn't reach the level.
  ///
  /// - Parameter condition: A closure that returns whether to run a get of a key. Each get calls
  ///   the closure once, in a separate task. Cancelling the get cancels the task. If the closure
  ///   throws, the get fails with that error.
  /// - Law: An async condition satisfies all laws of a synchronous condition, and also the law
  ///   `condition.late`. See `ConditionLaws`.
  @_disfavoredOverload
  public func conditioned(
    _ condition: @escaping @Sendable (Key) async throws -> Bool
  ) -> Cache {
    conditioned(when: { key in Promise { try await condition(key) } })
  }

  /// Returns a cache that runs a get only if the promise from `condition` resolves to `true`.
  package func conditioned(
    when condition: @escaping @Sendable (Key) -> Promise<Bool>
  ) -> Cache {
    limitingGets(.conditioned, when: condition)
  }

  /// Returns a cache that runs a get only if the promise from `condition` resolves to `true`. In
  /// plans, the returned cache appears as a verb of the given kind.
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

extension CachePlan.Kind {
  /// The kind of `conditioned`.
  package static let conditioned: Self = "conditioned"
}
