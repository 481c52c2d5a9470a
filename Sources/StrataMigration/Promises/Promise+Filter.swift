import StrataCore

extension Promise {
  /// Returns a promise that fails with `CacheError.conditionNotSatisfied` if the value
  /// doesn't pass an asynchronous test.
  ///
  /// - Parameter isIncluded: A closure that returns a promise of `true` to keep the value, or of
  ///   `false` to reject it. Called at most once, on the thread that settles this promise. When it
  ///   throws, or its promise fails, the result fails with that error.
  /// - Law: If the closure's promise has already settled, the result is the same as with a
  ///   synchronous closure. See `PromiseFilterTests`.
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
