extension Promise {
  /// Returns a promise of all values, in the order of the promises.
  ///
  /// The result settles at the first failure or cancellation. Then the work of the other promises
  /// stops, unless another caller needs it. For an empty sequence, the result is immediately an
  /// empty array.
  ///
  ///     try await Promise.all([Promise(1), Promise(2)]).value  // [1, 2]
  ///
  /// - Complexity: O(n).
  /// - Law: `all(xs.map(Promise.init)) == Promise(xs)`. See
  ///   `PromiseAllTests.testResultsAreInTheOrderOfTheInput`.
  public static func all(_ promises: some Sequence<Promise>) -> Promise<[Value]> {
    let (whole, promises) = (PromiseGroup<[Value]>(), Array(promises))
    guard !promises.isEmpty else { return Promise<[Value]>([]) }
    let parts = Lock(
      (values: [Value?](repeating: nil, count: promises.count), missing: promises.count))
    for (index, promise) in promises.enumerated() {
      whole.addPart(promise) { value in
        let values = parts.withLock { parts -> [Value?]? in
          parts.values[index] = .some(value)
          parts.missing -= 1
          return parts.missing == 0 ? parts.values : nil
        }
        if let values { whole.end(.success(values.compactMap(\.self))) }
      }
    }
    return whole.promise()
  }
}
