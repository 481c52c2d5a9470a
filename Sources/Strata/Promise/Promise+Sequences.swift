extension Promise {
  /// Returns a promise of all values, in the order of the promises.
  ///
  /// The first failure or cancellation ends the result and withdraws its interest in the other
  /// promises. For an empty sequence, the result is immediately an empty array.
  ///
  ///     try await Promise.all([Promise(1), Promise(2)]).value  // [1, 2]
  ///
  /// - Complexity: O(n).
  /// - Law: `all(xs.map(Promise.init)) == Promise(xs)`. See
  ///   `PromiseSequencesTests.testResultsAreInTheOrderOfTheInput`.
  public static func all(_ promises: some Sequence<Promise>) -> Promise<[Value]> {
    gather(promises, areRunning: true) { $0 }
  }

  /// Returns a promise of the values of the fulfilled promises, in the order of the promises.
  ///
  /// The result omits failures and cancellations, so it doesn't fail.
  ///
  ///     try await Promise.some([Promise(1), Promise(error: CacheError.notFound)]).value  // [1]
  ///
  /// - Complexity: O(n).
  /// - Law: failures and cancellations are omitted. See
  ///   `PromiseSequencesTests.testSomeOmitsFailuresAndCancellations`.
  public static func some(_ promises: some Sequence<Promise>) -> Promise<[Value]> {
    Promise<Value?>.traverse(promises) { promise in
      promise.flatMapOutcome { Promise<Value?>($0.value) }
    }.map { $0.compactMap(\.self) }
  }

  /// Returns a promise with the first outcome of several promises, whether it is a success, a
  /// failure, or a cancellation.
  ///
  /// When the result settles, it withdraws its interest in the other promises. For an empty
  /// sequence, the result fails with ``CacheError/notFound``.
  ///
  ///     let quickest = Promise.first([network.get("a"), disk.get("a")])  // a failure may be first
  ///
  /// - Complexity: O(n).
  /// - Law: the first outcome ends the race, even if it isn't a success. See
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
  /// The values are in the order of the elements. The first failure or cancellation ends the result
  /// and withdraws its interest in the other promises. After that, no further promise is started.
  ///
  ///     let pages = Promise.traverse(["a", "b"]) { network.get($0) }  // a promise of two values
  ///
  /// - Parameters:
  ///   - elements: The elements, iterated once before this function returns.
  ///   - transform: A closure that starts the work for one element. Called once per element, in
  ///     order, on the caller's thread. If it throws, the result fails with that error.
  /// - Complexity: O(n).
  /// - Law: `traverse(ps) { $0 } == all(ps)`. See
  ///   `PromiseSequencesTests.testTraverseStartsAllConcurrentlyAndStartsNoMoreAfterAFailure`.
  public static func traverse<Element>(
    _ elements: some Sequence<Element>, _ transform: (Element) throws -> Promise
  ) -> Promise<[Value]> {
    gather(elements, areRunning: false, transform)
  }

  /// - Parameter areRunning: Whether all promises are already running. If so, the loop continues
  ///   after an early end, in order to withdraw its interest in the other promises too.
  private static func gather<Element>(
    _ elements: some Sequence<Element>, areRunning: Bool, _ transform: (Element) throws -> Promise
  ) -> Promise<[Value]> {
    let whole = PromiseGroup<[Value]>()
    let parts = Lock((values: [Value?](), missing: 1))  // One extra until all have started.
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
      if !areRunning, whole.isSettled { break }
    }
    arrived()
    return whole.promise()
  }

  /// Returns a promise of a result that combines all values, in the order of the promises.
  ///
  /// The first failure or cancellation ends the result and withdraws its interest in the other
  /// promises.
  ///
  ///     try await Promise.reduce([Promise(1), Promise(2)], 0, +).value  // 3
  ///
  /// - Parameters:
  ///   - promises: The promises of the values.
  ///   - initial: The initial result, which is also the result for an empty sequence.
  ///   - combine: A closure called once per value, when all values are available. If it throws, the
  ///     result fails with that error.
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
