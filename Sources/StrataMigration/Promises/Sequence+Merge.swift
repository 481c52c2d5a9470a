import StrataVerbs

extension Sequence {
  /// Returns a promise of all values, in the order of the promises.
  ///
  /// This is `Promise.all(_:)`. At the first failure or cancellation, the result settles, and the
  /// work of the other promises stops unless another caller needs it.
  ///
  ///     try await [Promise(1), Promise(2)].mergeAll().value  // [1, 2]
  ///
  /// - Law: `ps.mergeAll() == Promise.all(ps)`. See `SequenceMergeTests`.
  public func mergeAll<Value>() -> Promise<[Value]> where Element == Promise<Value> {
    Promise<Value>.all(self)
  }

  /// Returns a promise of the values of all promises that succeed, in the order of the promises.
  ///
  /// Promises that fail or are cancelled are left out, so the result never fails. In PiedPiper, a
  /// cancelled promise cancels the result.
  ///
  ///     try await [Promise(1), Promise(error: CacheError.notFound)].mergeSome().value  // [1]
  ///
  /// - Complexity: O(n).
  /// - Law: Failures and cancellations are omitted. See
  ///   `SequenceMergeTests.testMergeSomeOmitsFailuresAndCancellations`.
  public func mergeSome<Value>() -> Promise<[Value]> where Element == Promise<Value> {
    Promise<Value?>.all(map { promise in promise.flatMapOutcome { Promise<Value?>($0.value) } })
      .map { $0.compactMap { $0 } }
  }

  /// Returns a promise of one result, combined from all values in the order of the promises.
  ///
  /// At the first failure or cancellation, the result settles, and the work of the other promises
  /// stops unless another caller needs it.
  ///
  ///     try await [Promise(1), Promise(2)].reduce(0, combine: +).value  // 3
  ///
  /// - Parameters:
  ///   - initial: The initial result, which is also the result for an empty sequence.
  ///   - combine: A closure that combines the result so far with the next value. It's called once
  ///     per value, after all values have arrived. When it throws an error, the result fails with
  ///     this error.
  /// - Complexity: O(n).
  /// - Law: `ps.reduce(x, combine: f) == ps.mergeAll().map { $0.reduce(x, f) }`. See
  ///   `SequenceMergeTests.testResultsAreInTheOrderOfTheInput`.
  public func reduce<Value, Result: Sendable>(
    _ initial: Result, combine: @escaping @Sendable (Result, Value) throws -> Result
  ) -> Promise<Result> where Element == Promise<Value> {
    mergeAll().map { try $0.reduce(initial, combine) }
  }
}
