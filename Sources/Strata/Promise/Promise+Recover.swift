extension Promise {
  /// Returns a promise that answers a failure with what `transform` makes of its error.
  ///
  /// A value passes; so does a cancellation, which is no failure.
  ///
  ///     let page = network.get("a").recover { error in
  ///       guard error.isMiss else { throw error }
  ///       return disk.get("a")
  ///     }
  ///
  /// - Parameter transform: Called at most once, on the thread that settles. If it throws, the
  ///   result fails with that error.
  /// - Law: `Promise(error: e).recover(f) == f(e)` and `Promise(x).recover(f) == Promise(x)`; see
  ///   `PromiseRecoverTests`.
  @inlinable
  public func recover(
    _ transform: @escaping @Sendable (any Error) throws -> Promise
  ) -> Promise {
    flatMapOutcome { outcome in
      guard case .failure(let error) = outcome else { return Promise(outcome: outcome) }
      do { return try transform(error) } catch { return Promise(error: error) }
    }
  }

  /// Returns a promise that answers a failure with the value that `transform` makes of its error.
  ///
  ///     try await Promise<Int>(error: CacheError.notFound).recover { _ in 0 }.value  // 0
  ///
  /// - Law: `p.recover { try f($0) } == p.recover { Promise(try f($0)) }`; see
  ///   `PromiseRecoverTests`.
  public func recover(_ transform: @escaping @Sendable (any Error) throws -> Value) -> Promise {
    recover { Promise(try transform($0)) }
  }

  /// Returns a promise that fails with ``CacheError/conditionNotSatisfied`` unless the value
  /// passes.
  ///
  /// That error is a miss: in a sum, the level beneath is asked.
  ///
  ///     let even = Promise(3).filter { $0.isMultiple(of: 2) }  // fails
  ///
  /// - Parameter isIncluded: Called at most once, on the thread that settles. If it throws, the
  ///   result fails with its error.
  /// - Law: `p.filter { _ in true } == p`; see
  ///   `PromiseRecoverTests.testAValueThatDoesNotPassFailsWithConditionNotSatisfied`.
  public func filter(_ isIncluded: @escaping @Sendable (Value) throws -> Bool) -> Promise {
    filter { Promise<Bool>(try isIncluded($0)) }
  }

  /// Returns a promise that is filtered by a test that takes its time.
  ///
  /// - Parameter isIncluded: As for a function; a failure of its promise is that of the result.
  /// - Law: a test that answers at once is the function; see
  ///   `PromiseRecoverTests.testATestThatTakesItsTimeHoldsTheValueBack`.
  public func filter(
    _ isIncluded: @escaping @Sendable (Value) throws -> Promise<Bool>
  ) -> Promise {
    flatMap { value in
      try isIncluded(value).map { isIncluded in
        guard isIncluded else { throw CacheError.conditionNotSatisfied }
        return value
      }
    }
  }
}
