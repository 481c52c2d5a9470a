extension Cache {
  /// Returns this cache with a failed get answered by a function of the key and the error.
  ///
  /// A miss is a failure too: rethrow what you do not answer. A cancellation is none and passes.
  /// What the function answers is not stored, and in a sum it hides the levels beneath.
  ///
  ///     let texts = pages.recovering { url, error in
  ///       guard error.isMiss else { throw error }
  ///       return "nothing at \(url)"
  ///     }
  ///
  /// - Parameter transform: Called at most once for each get, on the thread that fails, or on the
  ///   caller's if that was at once. If it throws, the get fails with that error.
  /// - Complexity: O(1). A hit allocates nothing of its own.
  /// - Law: `a.recovering { _, e in throw e } == a` and `f.recovering { k, _ in g(k) } == f + g`
  ///   for fetchers where `g` has all: `recovery.identity`, `recovery.sum`; see `RecoveryLaws`.
  @inlinable
  public func recovering(
    _ transform: @escaping @Sendable (Key, any Error) throws -> Value
  ) -> Cache {
    recovering { key, error in Promise(catching: { try transform(key, error) }) }
  }

  /// Returns this cache with a failed get answered by a function that may take its time.
  ///
  /// A get that is cancelled meanwhile withdraws from the function's promise.
  ///
  /// - Parameter transform: As for a function that answers at once.
  /// - Law: as for a function that answers at once; see `RecoveryLaws`.
  @_disfavoredOverload
  @inlinable
  public func recovering(
    _ transform: @escaping @Sendable (Key, any Error) -> Promise<Value>
  ) -> Cache {
    asked("recovering") { get in
      { key in
        let answer = ask(get, key)
        if case .success = answer.state { return answer }
        return answer.recovered(transform, key)
      }
    }
  }

  /// Returns this cache with a failed get answered by an async function.
  ///
  /// - Parameter transform: As for a promise; each call has a task of its own, which is cancelled
  ///   with the get.
  /// - Law: as for a promise.
  @_disfavoredOverload
  public func recovering(
    _ transform: @escaping @Sendable (Key, any Error) async throws -> Value
  ) -> Cache {
    recovering { key, error -> Promise<Value> in Promise { try await transform(key, error) } }
  }
}

extension Promise {
  /// Recovers, apart from the way of a hit, which would pay for the closure.
  @usableFromInline
  func recovered<Key: Sendable>(
    _ transform: @escaping @Sendable (Key, any Error) -> Promise, _ key: Key
  ) -> Promise {
    recover { transform(key, $0) }
  }
}

extension Fetcher {
  /// Returns this fetcher with a failed get answered by a function of the key and the error,
  /// as a cache is.
  ///
  /// - Law: as for a cache; see `RecoveringTests.testAFetcherRecoversToo`.
  @inlinable
  public func recovering(
    _ transform: @escaping @Sendable (Key, any Error) throws -> Value
  ) -> Fetcher {
    Fetcher(cache.recovering(transform))
  }

  /// Returns this fetcher with a failed get answered by a function that may take its time.
  ///
  /// - Law: as for a cache.
  @_disfavoredOverload
  @inlinable
  public func recovering(
    _ transform: @escaping @Sendable (Key, any Error) -> Promise<Value>
  ) -> Fetcher {
    Fetcher(cache.recovering(transform))
  }

  /// Returns this fetcher with a failed get answered by an async function.
  ///
  /// - Law: as for a cache.
  @_disfavoredOverload
  @inlinable
  public func recovering(
    _ transform: @escaping @Sendable (Key, any Error) async throws -> Value
  ) -> Fetcher {
    Fetcher(cache.recovering(transform))
  }
}
