extension Cache {
  /// Asks for the values of many keys, all at once, and answers them in the order of the keys.
  ///
  /// The first failure, a miss too, ends it and withdraws from the other gets. Of no keys it is the
  /// empty array, at once. How many gets run at a time is a matter of the cache: see
  /// ``limited(toConcurrentGets:)``.
  ///
  ///     let pages = try await network.getAll(urls).value  // as many as urls, in their order
  ///
  /// - Complexity: O(n). Where all is there at once, one array of promises and one of values.
  /// - Law: `a.getAll(ks) == Promise.traverse(ks, a.get)`: `batch.all`; see `BatchLaws`.
  public func getAll(_ keys: some Sequence<Key>) -> Promise<[Value]> {
    var promises: [Promise<Value>] = []
    promises.reserveCapacity(keys.underestimatedCount)
    var isReady = true
    for key in keys {
      let promise = get(key)
      promises.append(promise)
      guard let outcome = promise.outcome else {
        isReady = false
        continue
      }
      guard case .success = outcome else { return Promise<Value>.all(promises) }
    }
    guard isReady else { return Promise<Value>.all(promises) }
    return Promise<[Value]>(promises.compactMap(\.outcome?.value))
  }

  /// Asks for the values of many keys, all at once, and answers those that were found, by key.
  ///
  /// It waits for all and never fails: what missed, failed or was cancelled is not in the dictionary.
  /// A key that comes twice is asked for once. Cancelling it withdraws from all gets.
  ///
  ///     let known = try await disk.getSome(["a", "b"]).value  // ["b": 2]
  ///
  /// - Complexity: O(n).
  /// - Law: `a.getSome(ks)[k] == a.find(k)` for each of the keys: `batch.some`; see `BatchLaws`.
  public func getSome(_ keys: some Sequence<Key>) -> Promise<[Key: Value]> {
    var asked: Set<Key> = []
    let promises = keys.filter { asked.insert($0).inserted }.map { key in
      (key, get(key).flatMapOutcome { Promise<Value?>(outcome: .success($0.value)) })
    }
    return Promise<Value?>.all(promises.map(\.1)).map { values in
      var found: [Key: Value] = [:]
      for ((key, _), value) in zip(promises, values) {
        if let value { found[key] = value }
      }
      return found
    }
  }
}

extension Fetcher {
  /// Asks for the values of many keys, all at once; see ``Cache/getAll(_:)``.
  ///
  /// - Law: as for a cache; see `GetAllTests.testAFetcherIsAskedForManyToo`.
  public func getAll(_ keys: some Sequence<Key>) -> Promise<[Value]> { cache.getAll(keys) }

  /// Asks for the values of many keys and answers those that were found; see ``Cache/getSome(_:)``.
  ///
  /// - Law: as for a cache; see `GetAllTests.testAFetcherIsAskedForManyToo`.
  public func getSome(_ keys: some Sequence<Key>) -> Promise<[Key: Value]> { cache.getSome(keys) }
}
