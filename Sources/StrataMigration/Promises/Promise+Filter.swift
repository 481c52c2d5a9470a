import StrataVerbs

extension Promise {
  /// Returns a promise that fails with `CacheError.conditionNotSatisfied` if the value
  /// doesn't pass an asynchronous test.
  ///
  /// - Parameter isIncluded: A closure that returns a promise of `true` to keep the value, or of
  ///   `false` to reject it. It's called at most once, on the thread that settles this promise.
  ///   When it throws an error, or its promise fails with one, the result fails with this error.
  /// - Law: When the closure returns a settled promise, the result is the same as with a
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
