extension Cache {
  /// Gets many keys concurrently, and returns the values in the order of the keys.
  ///
  /// If any get fails or is a miss, the returned promise fails immediately. The other gets then
  /// stop, unless another caller waits for them. If there are no keys, the result is an empty
  /// array. To limit the number of concurrent gets, use ``limited(toConcurrentGets:queue:)``.
  ///
  ///     let both = try await network.getAll(["a", "b"]).value  // [Data], in the order of the keys
  ///
  /// A Redis level sends up to 128 gets of one `getAll` call as one request. If the queue of
  /// requests has too little room for all these gets, all of them fail.
  ///
  /// - Complexity: O(n). If every get is a synchronous hit, the call allocates only the array of
  ///   values.
  /// - Law: `a.getAll(ks) == Promise.all(ks.map(a.get))`. See `level.many`, checked by
  ///   `LevelLaws`. The law `batch.pairs` also checks `getAll`, because a cache made by
  ///   ``batched()`` calls `getAll`. See `BatchLaws`.
  @inlinable
  public func getAll(_ keys: some Sequence<Key>) -> Promise<[Value]> {
    guard let bulk = metadata.bulk else { return getEach(keys) }
    let keys = Array(keys)
    return bulk.all(keys) ?? getEach(keys)
  }

  /// Gets many keys with a separate get for each key.
  @inlinable
  func getEach(_ keys: some Sequence<Key>) -> Promise<[Value]> {
    CallGroup.begin()
    defer { CallGroup.end() }
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

  /// Gets the values of the remaining keys, after a get that isn't a synchronous hit.
  @usableFromInline
  func getRest(
    _ values: [Value], _ next: Promise<Value>, _ rest: some Sequence<Key>
  ) -> Promise<[Value]> {
    var promises = [next]
    let outcome = next.outcome  // The get might settle between two reads of `outcome`.
    if outcome == nil || outcome?.value != nil {
      for key in rest {
        let promise = get(key)
        promises.append(promise)
        if let outcome = promise.outcome, outcome.value == nil { break }
      }
    }
    return Promise<Value>.all(promises).map { values + $0 }
  }

  /// Gets many keys concurrently, and returns a dictionary of the values found.
  ///
  /// The returned promise waits for all gets and never fails. The dictionary omits a key if its get
  /// misses, fails, or is cancelled. A repeated key is read only once. Cancelling the returned
  /// promise stops all gets that no other caller waits for.
  ///
  ///     let known = try await disk.getSome(["a", "b"]).value  // [String: Data] of the stored keys
  ///
  /// - Complexity: O(n).
  /// - Law: `a.getSome(ks)[k]` is the value of `a.get(k)`, or `nil` if there is none. See
  ///   `batch.some`, checked by `BatchLaws`.
  @inlinable
  public func getSome(_ keys: some Sequence<Key>) -> Promise<[Key: Value]> {
    guard let bulk = metadata.bulk else { return findEach(keys) }
    let keys = Array(keys)
    return bulk.some(keys) ?? findEach(keys)
  }

  /// Finds the values of many keys with a separate get for each key.
  @inlinable
  func findEach(_ keys: some Sequence<Key>) -> Promise<[Key: Value]> {
    CallGroup.begin()
    defer { CallGroup.end() }
    var found: [Key: Value] = [:]
    found.reserveCapacity(keys.underestimatedCount)
    var others: Set<Key> = []
    var pending: [(Key, Promise<Value>)] = []
    for key in keys {
      guard let promise = find(key, into: &found[key], others) else { continue }
      others.insert(key)
      pending.append((key, promise))
    }
    if pending.isEmpty { return Promise<[Key: Value]>(outcome: .success(found)) }
    return waiting(pending, found)
  }

  /// Gets the value of a key, unless the key is a duplicate. If the get is a synchronous hit,
  /// stores the value in `slot`.
  ///
  /// The `inout` slot avoids a second lookup in the dictionary, because hashing a key is slow.
  ///
  /// - Parameters:
  ///   - slot: The key's slot in the resulting dictionary. If an earlier get found the key, the
  ///     slot already has a value.
  ///   - others: The keys whose gets didn't return a value immediately.
  /// - Returns: The promise of the get, or `nil` if the get was a synchronous hit or if the key is
  ///   a duplicate.
  @inlinable
  func find(_ key: Key, into slot: inout Value?, _ others: Set<Key>) -> Promise<Value>? {
    guard slot == nil, !others.contains(key) else { return nil }
    let promise = get(key)
    guard case .success(let value) = promise.state else { return promise }
    slot = value
    return nil
  }

  /// Waits for the pending gets, and adds their values to the values already found.
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
