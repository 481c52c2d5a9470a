extension Promise {
  /// Returns a promise of all values, in the order of the promises.
  ///
  /// It ends with the first failure or cancellation of any, and withdraws from the rest then. Of no
  /// promises it is the empty array, at once.
  ///
  ///     try await Promise.all([Promise(1), Promise(2)]).value  // [1, 2]
  ///
  /// - Complexity: O(n).
  /// - Law: `all(xs.map(Promise.init)) == Promise(xs)`; see
  ///   `PromiseSequencesTests.testResultsComeInTheOrderOfTheInput`.
  public static func all(_ promises: some Sequence<Promise>) -> Promise<[Value]> {
    gather(promises, areRunning: true) { $0 }
  }

  /// Returns a promise of the values of those promises that are kept, in their order.
  ///
  /// Failures and cancellations are dropped, so it does not fail.
  ///
  ///     try await Promise.some([Promise(1), Promise(error: CacheError.notFound)]).value  // [1]
  ///
  /// - Complexity: O(n).
  /// - Law: see `PromiseSequencesTests.testSomeDropsFailuresAndCancellations`.
  public static func some(_ promises: some Sequence<Promise>) -> Promise<[Value]> {
    Promise<Value?>.traverse(promises) { promise in
      promise.flatMapOutcome { Promise<Value?>($0.value) }
    }.map { $0.compactMap(\.self) }
  }

  /// Returns a promise that ends as the first of the promises to settle, whichever way.
  ///
  /// It withdraws from the rest then. Of no promises it fails with ``CacheError/notFound``.
  ///
  ///     let quickest = Promise.first([network.get("a"), disk.get("a")])  // a failure may be first
  ///
  /// - Complexity: O(n).
  /// - Law: see `PromiseSequencesTests.testTheFirstEndOfAnyKindEndsFirstAndCancelsTheRest`.
  public static func first(_ promises: some Sequence<Promise>) -> Promise {
    let race = Gathering<Value>()
    var isEmpty = true
    for promise in promises {
      isEmpty = false
      race.add(promise) { race.end($0) }
    }
    if isEmpty { race.end(.failure(CacheError.notFound)) }
    return race.promise()
  }

  /// Starts a promise for each element, all at once, and returns a promise of all their values.
  ///
  /// Values come in the order of the elements. The first failure or cancellation ends it, withdraws
  /// from the rest and starts no more.
  ///
  ///     let pages = Promise.traverse(["a", "b"]) { network.get($0) }  // a promise of two values
  ///
  /// - Parameters:
  ///   - elements: Gone through once, before this returns.
  ///   - transform: Starts the work for one element; called once for each, in their order, on the
  ///     caller's thread. If it throws, the result fails with its error.
  /// - Complexity: O(n).
  /// - Law: `traverse(ps) { $0 } == all(ps)`; see
  ///   `PromiseSequencesTests.testTraverseStartsAllAtOnceAndNoMoreAfterAFailure`.
  public static func traverse<Element>(
    _ elements: some Sequence<Element>, _ transform: (Element) throws -> Promise
  ) -> Promise<[Value]> {
    gather(elements, areRunning: false, transform)
  }

  /// - Parameter areRunning: Whether the work of all elements has begun before, so that those after
  ///   an early end have to be withdrawn from as well.
  private static func gather<Element>(
    _ elements: some Sequence<Element>, areRunning: Bool, _ transform: (Element) throws -> Promise
  ) -> Promise<[Value]> {
    let whole = Gathering<[Value]>()
    let parts = Lock((values: [Value?](), missing: 1))  // One is missing until all are begun.
    let arrived: @Sendable () -> Void = {
      let values = parts.withLock { parts -> [Value?]? in
        parts.missing -= 1
        return parts.missing == 0 ? parts.values : nil
      }
      if let values { whole.end(.success(values.compactMap(\.self))) }
    }
    for element in elements {
      let place = parts.withLock { parts in
        parts.values.append(nil)
        parts.missing += 1
        return parts.values.count - 1
      }
      do {
        whole.addPart(try transform(element)) { value in
          parts.withLock { $0.values[place] = .some(value) }
          arrived()
        }
      } catch { whole.end(.failure(error)) }
      if !areRunning, whole.isSettled { break }
    }
    arrived()
    return whole.promise()
  }

  /// Returns a promise of all values combined, in the order of the promises.
  ///
  ///     try await Promise.reduce([Promise(1), Promise(2)], 0, +).value  // 3
  ///
  /// - Parameters:
  ///   - promises: Waited for as by ``all(_:)``.
  ///   - initial: What comes of no promises.
  ///   - combine: Called once all are there, once for each value. If it throws, the result fails.
  /// - Complexity: O(n).
  /// - Law: `reduce(ps, x, f) == all(ps).map { $0.reduce(x, f) }`; see
  ///   `PromiseSequencesTests.testResultsComeInTheOrderOfTheInput`.
  public static func reduce<Result: Sendable>(
    _ promises: some Sequence<Promise>, _ initial: Result,
    _ combine: @escaping @Sendable (Result, Value) throws -> Result
  ) -> Promise<Result> {
    all(promises).map { try $0.reduce(initial, combine) }
  }
}
