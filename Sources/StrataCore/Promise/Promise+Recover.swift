extension Promise {
  /// Returns a promise that replaces a failure with the outcome of another promise, which
  /// `transform` creates from the error.
  ///
  /// Values and cancellations are passed on unchanged.
  ///
  ///     let page = network.get("a").recover { error in
  ///       guard error.isMiss else { throw error }
  ///       return disk.get("a")
  ///     }
  ///
  /// - Parameter transform: A closure that runs at most once. See ``map(_:)``.
  /// - Law: `Promise(error: e).recover(f) == f(e)` and `Promise(x).recover(f) == Promise(x)`. See
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

  /// Returns a promise that replaces a failure with a value, which a closure creates from the
  /// error.
  ///
  /// Values and cancellations are passed on unchanged.
  ///
  ///     try await Promise<Int>(error: CacheError.notFound).recover { _ in 0 }.value  // 0
  ///
  /// - Parameter transform: A closure that runs at most once. See ``map(_:)``.
  /// - Law: `p.recover { try f($0) } == p.recover { Promise(try f($0)) }`. See
  ///   `PromiseRecoverTests`.
  public func recover(_ transform: @escaping @Sendable (any Error) throws -> Value) -> Promise {
    recover { Promise(try transform($0)) }
  }

  /// Returns a promise that fails with ``CacheError/conditionNotSatisfied`` if the value doesn't
  /// pass a test.
  ///
  /// Because ``CacheError/conditionNotSatisfied`` is a miss, a sum reads the next level.
  ///
  ///     let even = Promise(3).filter { $0.isMultiple(of: 2) }  // fails
  ///
  /// - Parameter isIncluded: A closure that returns whether to keep the value. It runs at most
  ///   once. See ``map(_:)``.
  /// - Law: `p.filter { _ in true } == p`. See
  ///   `PromiseRecoverTests.testAValueThatDoesNotPassFailsWithConditionNotSatisfied`.
  public func filter(_ isIncluded: @escaping @Sendable (Value) throws -> Bool) -> Promise {
    map { value in
      guard try isIncluded(value) else { throw CacheError.conditionNotSatisfied }
      return value
    }
  }
}
