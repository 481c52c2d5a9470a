extension Cache {
  /// Asks for the values of many keys, all at once, and answers them in the order of the keys.
  ///
  /// The first failure, a miss too, ends it and withdraws from the other gets. Of no keys it is the
  /// empty array, at once. How many gets run at a time is a matter of the cache: see
  /// ``limited(toConcurrentGets:)``.
  ///
  ///     let both = try await network.getAll(["a", "b"]).value  // [Data], in their order
  ///
  /// - Complexity: O(n). Where all is there at once, it allocates the array alone.
  /// - Law: `a.getAll(ks) == Promise.traverse(ks, a.get)`: `batch.pairs`, for ``batched()`` asks
  ///   so; see `BatchLaws`.
  @inlinable
  public func getAll(_ keys: some Sequence<Key>) -> Promise<[Value]> {
    var values: [Value] = []
    values.reserveCapacity(keys.underestimatedCount)
    var rest = keys.makeIterator()
    while let key = rest.next() {
      let promise = get(key)
      guard case .success(let value) = promise.state else {
        return getRest(values, promise, IteratorSequence(rest))
      }
      values.append(value)
    }
    return Promise<[Value]>(outcome: .success(values))
  }

  /// Goes on where an answer was not there at once.
  @usableFromInline
  func getRest(
    _ values: [Value], _ next: Promise<Value>, _ rest: some Sequence<Key>
  ) -> Promise<[Value]> {
    var promises = [next]
    let outcome = next.outcome  // Looked at once: it may settle meanwhile.
    if outcome == nil || outcome?.value != nil {
      for key in rest {
        let promise = get(key)
        promises.append(promise)
        if let outcome = promise.outcome, outcome.value == nil { break }
      }
    }
    return Promise<Value>.all(promises).map { values + $0 }
  }

  /// Asks for the values of many keys, all at once, and answers those that were found, by key.
  ///
  /// It waits for all and never fails: what missed, failed or was cancelled is not in the
  /// dictionary. A key that comes twice is asked for once. Cancelling it withdraws from all gets.
  ///
  ///     let known = try await disk.getSome(["a", "b"]).value  // [String: Data] of those it holds
  ///
  /// - Complexity: O(n).
  /// - Law: `a.getSome(ks)[k] == a.find(k)` for each of the keys: `batch.some`; see `BatchLaws`.
  @inlinable
  public func getSome(_ keys: some Sequence<Key>) -> Promise<[Key: Value]> {
    var found: [Key: Value] = [:]
    found.reserveCapacity(keys.underestimatedCount)
    var others: Set<Key> = []
    var pending: [(Key, Promise<Value>)] = []
    for key in keys where found[key] == nil && !others.contains(key) {
      let promise = get(key)
      if case .success(let value) = promise.state {
        found[key] = value
      } else {
        others.insert(key)
        pending.append((key, promise))
      }
    }
    if pending.isEmpty { return Promise<[Key: Value]>(outcome: .success(found)) }
    return waiting(pending, found)
  }

  /// Waits for what was not there at once, and leaves out what is not found.
  @usableFromInline
  func waiting(
    _ pending: [(Key, Promise<Value>)], _ found: [Key: Value]
  ) -> Promise<[Key: Value]> {
    let answers = pending.map { key, promise in
      promise.flatMapOutcome { Promise<(Key, Value?)>(outcome: .success((key, $0.value))) }
    }
    return Promise<(Key, Value?)>.all(answers).map { answers in
      answers.reduce(into: found) { found, answer in
        if let value = answer.1 { found[answer.0] = value }
      }
    }
  }
}

extension Fetcher {
  /// Asks for the values of many keys, all at once; see ``Cache/getAll(_:)``.
  ///
  /// - Law: as for a cache; see `GetAllTests.testAFetcherIsAskedForManyToo`.
  @inlinable
  public func getAll(_ keys: some Sequence<Key>) -> Promise<[Value]> { cache.getAll(keys) }

  /// Asks for the values of many keys and answers those that were found; see ``Cache/getSome(_:)``.
  ///
  /// - Law: as for a cache; see `GetAllTests.testAFetcherIsAskedForManyToo`.
  @inlinable
  public func getSome(_ keys: some Sequence<Key>) -> Promise<[Key: Value]> { cache.getSome(keys) }
}
