extension Cache {
  /// Returns a cache that answers a failed get with a value computed from the key and the error.
  ///
  /// The closure receives both misses and failures, so rethrow each error that you don't handle. It
  /// isn't called for cancelled gets. This cache doesn't store the value that the closure returns.
  /// But for a sum, this value counts as found, so the sum doesn't read the levels below.
  ///
  ///     let texts = pages.recovering { url, error in
  ///       guard error.isMiss else { throw error }
  ///       return "nothing at \(url)"
  ///     }
  ///
  /// - Parameter transform: A closure that computes a value from the key and the error. It runs at
  ///   most once for each get, on the thread that reports the failure. When it throws, the get
  ///   fails with that error.
  /// - Complexity: O(1). Hits don't allocate.
  /// - Law: `a.recovering { _, e in throw e } == a`. For fetchers, `f.recovering { k, _ in g(k) }
  ///   == f + g` if `g` has a value for every key. See `recovery.identity` and `recovery.sum`,
  ///   checked by `RecoveryLaws`.
  @inlinable
  public func recovering(
    _ transform: @escaping @Sendable (Key, any Error) throws -> Value
  ) -> Cache {
    recovering(with: { key, error in Promise(catching: { try transform(key, error) }) })
  }

  /// Returns a cache that answers a failed get with a value that an async closure computes from the
  /// key and the error.
  ///
  /// - Parameter transform: A closure that computes a value from the key and the error. It runs at
  ///   most once for each get, in a separate task, which is cancelled with the get. When it throws,
  ///   the get fails with that error.
  /// - Law: An async closure satisfies the laws of a synchronous closure. See `RecoveryLaws`.
  @_disfavoredOverload
  @inlinable
  public func recovering(
    _ transform: @escaping @Sendable (Key, any Error) async throws -> Value
  ) -> Cache {
    recovering(with: { key, error in Promise { try await transform(key, error) } })
  }

  /// Returns a cache that answers a failed get with the promise that a closure returns.
  @inlinable
  package func recovering(
    with transform: @escaping @Sendable (Key, any Error) -> Promise<Value>
  ) -> Cache {
    recovering(with: transform) { Cache.passingHits($0, $1) }
  }

  @usableFromInline
  func recovering(
    with transform: @escaping @Sendable (Key, any Error) -> Promise<Value>, get: @escaping HitGet
  ) -> Cache {
    passingHits(.verb(plan, .recovering), get) { _ in
      { key, answer in answer.recover { transform(key, $0) } }
    }
  }
}

extension CachePlan.Kind {
  /// The kind of `recovering`.
  package static let recovering: Self = "recovering"
}
