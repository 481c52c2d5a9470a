extension Promise {
  /// Returns a promise of all values, in the order of the promises.
  ///
  /// The first failure or cancellation settles the result, and stops the work of the other promises
  /// unless another caller needs it. For an empty sequence, the result is immediately fulfilled
  /// with an empty array.
  ///
  ///     try await Promise.all([Promise(1), Promise(2)]).value  // [1, 2]
  ///
  /// - Complexity: O(n).
  /// - Law: `all(xs.map(Promise.init)) == Promise(xs)`. See
  ///   `PromiseSequencesTests.testResultsAreInTheOrderOfTheInput`.
  public static func all(_ promises: some Sequence<Promise>) -> Promise<[Value]> {
    gather(promises, areRunning: true) { $0 }
  }

  /// Returns a promise of the values of all promises that succeed, in the order of the promises.
  ///
  /// Failed and cancelled promises are omitted, so the returned promise doesn't fail.
  ///
  ///     try await Promise.some([Promise(1), Promise(error: CacheError.notFound)]).value  // [1]
  ///
  /// - Complexity: O(n).
  /// - Law: Failures and cancellations are omitted. See
  ///   `PromiseSequencesTests.testSomeOmitsFailuresAndCancellations`.
  public static func some(_ promises: some Sequence<Promise>) -> Promise<[Value]> {
    Promise<Value?>.traverse(promises) { promise in
      promise.flatMapOutcome { Promise<Value?>($0.value) }
    }.map { $0.compactMap(\.self) }
  }

  /// Returns a promise with the first outcome of several promises, whether it is a success, a
  /// failure, or a cancellation.
  ///
  /// When one of the promises settles, the work of all other promises stops unless another caller
  /// needs that work. For an empty sequence, the result fails with ``CacheError/notFound``.
  ///
  ///     let quickest = Promise.first([network.get("a"), disk.get("a")])  // a failure may be first
  ///
  /// - Complexity: O(n).
  /// - Law: The first outcome ends the race, even if it isn't a success. See
  ///   `PromiseSequencesTests.testTheFirstOutcomeEndsFirstAndCancelsTheRest`.
  public static func first(_ promises: some Sequence<Promise>) -> Promise {
    let race = PromiseGroup<Value>()
    var isEmpty = true
    for promise in promises {
      isEmpty = false
      race.add(promise) { race.end($0) }
    }
    if isEmpty { race.end(.failure(CacheError.notFound)) }
    return race.promise()
  }

  /// Starts a promise for each element, without waiting for the previous promises, and returns a
  /// promise of all values.
  ///
  /// The values are in the order of the elements. The first failure or cancellation settles the
  /// result, and stops the work of the other promises unless another caller needs it. After a
  /// failure or cancellation, no further promise is started.
  ///
  ///     let pages = Promise.traverse(["a", "b"]) { network.get($0) }  // a promise of two values
  ///
  /// - Parameters:
  ///   - elements: The elements. The function iterates over the elements once, before it returns.
  ///   - transform: A closure that starts the work for one element. Called once per element, in
  ///     order, on the caller's thread. If the closure throws, the result fails with that error.
  /// - Complexity: O(n).
  /// - Law: `traverse(ps) { $0 } == all(ps)`. See
  ///   `PromiseSequencesTests.testTraverseStartsAllConcurrentlyAndStartsNoMoreAfterAFailure`.
  public static func traverse<Element>(
    _ elements: some Sequence<Element>, _ transform: (Element) throws -> Promise
  ) -> Promise<[Value]> {
    gather(elements, areRunning: false, transform)
  }

  /// - Parameter areRunning: Whether all promises are already running. If `areRunning` is true, the
  ///   loop continues after a failure, to stop the work of the remaining promises.
  private static func gather<Element>(
    _ elements: some Sequence<Element>, areRunning: Bool, _ transform: (Element) throws -> Promise
  ) -> Promise<[Value]> {
    let whole = PromiseGroup<[Value]>()
    // Until all promises have started, `missing` is one higher than the number of missing values,
    // so `whole` can't succeed before the loop ends.
    let parts = Lock((values: [Value?](), missing: 1))
    let arrived: @Sendable () -> Void = {
      let values = parts.withLock { parts -> [Value?]? in
        parts.missing -= 1
        return parts.missing == 0 ? parts.values : nil
      }
      if let values { whole.end(.success(values.compactMap(\.self))) }
    }
    for element in elements {
      let index = parts.withLock { parts in
        parts.values.append(nil)
        parts.missing += 1
        return parts.values.count - 1
      }
      do {
        whole.addPart(try transform(element)) { value in
          parts.withLock { $0.values[index] = .some(value) }
          arrived()
        }
      } catch { whole.end(.failure(error)) }
      if !areRunning, whole.hasEnded { break }
    }
    arrived()
    return whole.promise()
  }

  /// Combines all values into one result, in the order of the promises, and returns a promise of
  /// that result.
  ///
  /// The first failure or cancellation settles the result, and stops the work of the other promises
  /// unless another caller needs it.
  ///
  ///     try await Promise.reduce([Promise(1), Promise(2)], 0, +).value  // 3
  ///
  /// - Parameters:
  ///   - promises: The promises whose values are combined.
  ///   - initial: The initial result, which is also the result for an empty sequence.
  ///   - combine: A closure that combines the result so far with the next value. Called once per
  ///     value, after all values are available. If the closure throws, the result fails with that
  ///     error.
  /// - Complexity: O(n).
  /// - Law: `reduce(ps, x, f) == all(ps).map { $0.reduce(x, f) }`. See
  ///   `PromiseSequencesTests.testResultsAreInTheOrderOfTheInput`.
  public static func reduce<Result: Sendable>(
    _ promises: some Sequence<Promise>, _ initial: Result,
    _ combine: @escaping @Sendable (Result, Value) throws -> Result
  ) -> Promise<Result> {
    all(promises).map { try $0.reduce(initial, combine) }
  }
}
