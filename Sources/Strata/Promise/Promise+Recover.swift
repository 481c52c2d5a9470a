extension Promise {
  /// Returns a promise that answers a failure with what `transform` makes of its error.
  ///
  /// A value passes; so does a cancellation, which is no failure.
  public func recover(
    _ transform: @escaping @Sendable (any Error) throws -> Promise
  ) -> Promise {
    flatMapOutcome { outcome in
      guard case .failure(let error) = outcome else { return Promise(outcome: outcome) }
      do { return try transform(error) } catch { return Promise(error: error) }
    }
  }

  /// Returns a promise that answers a failure with the value that `transform` makes of its error.
  public func recover(_ transform: @escaping @Sendable (any Error) throws -> Value) -> Promise {
    recover { Promise(try transform($0)) }
  }

  /// Returns a promise that fails with ``CacheError/conditionNotSatisfied`` unless the value passes.
  public func filter(_ isIncluded: @escaping @Sendable (Value) throws -> Bool) -> Promise {
    filter { Promise<Bool>(try isIncluded($0)) }
  }

  /// Returns a promise that fails with ``CacheError/conditionNotSatisfied`` unless the value passes
  /// a test that takes its time.
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
