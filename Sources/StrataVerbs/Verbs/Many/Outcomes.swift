extension Cache {
  /// Gets many keys concurrently, and returns their outcomes in the order of the keys.
  ///
  /// Because the method waits for all gets, one slow, absent, or failed key doesn't hide the
  /// others. To limit the number of concurrent gets, use
  /// ``limited(toConcurrentGets:queue:priority:)``.
  ///
  ///     let outcomes = try await pages.outcomes(for: urls)
  ///     let all = try outcomes.map { try $0.get() }  // throws the first miss or failure
  ///     let known = try outcomes.compactMap { try $0.found }  // without misses
  ///
  /// A Redis level sends up to 128 gets of one call as one request. When its queue has too little
  /// room for all of these gets, all of them fail.
  ///
  /// - Throws: `CancellationError` if the calling task is cancelled. Then the gets stop, except
  ///   those that another caller waits for.
  /// - Complexity: O(n). When every get is a synchronous hit, only the array is allocated.
  /// - Law: `a.outcomes(for: ks)` are the outcomes of `ks.map(a.get)`. See `level.many`, checked by
  ///   `LevelLaws`, and `batch.some`, checked by `BatchLaws`.
  @inlinable
  public nonisolated(nonsending) func outcomes(
    for keys: some Sequence<Key>
  ) async throws -> [Promise<Value>.Outcome] {
    try await outcomes(of: keys).value
  }

  /// Begins to get many keys. The promise succeeds with their outcomes, in the order of the keys.
  @inlinable
  package func outcomes(of keys: some Sequence<Key>) -> Promise<[Promise<Value>.Outcome]> {
    guard let bulk = metadata.bulk else { return outcomesOfEach(keys) }
    let keys = Array(keys)
    return bulk.all(keys) ?? outcomesOfEach(keys)
  }

  /// Gets many keys with a separate get for each key.
  @inlinable
  func outcomesOfEach(_ keys: some Sequence<Key>) -> Promise<[Promise<Value>.Outcome]> {
    CallGroup.begin()
    defer { CallGroup.end() }
    var outcomes: [Promise<Value>.Outcome] = []
    outcomes.reserveCapacity(keys.underestimatedCount)
    var pending: [(index: Int, promise: Promise<Value>)] = []
    for key in keys {
      let promise = get(key)
      switch promise.state {
      case .success(let value): outcomes.append(.success(value))
      case .failure(let error): outcomes.append(.failure(error))
      case .cancelled: outcomes.append(.cancelled)
      case .pending:
        pending.append((outcomes.count, promise))
        outcomes.append(.cancelled)
      }
    }
    if pending.isEmpty {
      return Promise<[Promise<Value>.Outcome]>(outcome: .success(outcomes))
    }
    return Self.waiting(for: pending, outcomes)
  }

  /// Waits for the pending gets, and adds their outcomes to the known ones.
  @usableFromInline
  static func waiting(
    for pending: [(index: Int, promise: Promise<Value>)], _ known: [Promise<Value>.Outcome]
  ) -> Promise<[Promise<Value>.Outcome]> {
    Promise<Value>.outcomes(of: pending.map(\.promise)).map { late in
      var outcomes = known
      for (place, outcome) in zip(pending, late) { outcomes[place.index] = outcome }
      return outcomes
    }
  }

  /// Gets many keys concurrently, and returns their values in the order of the keys.
  ///
  /// When a get misses or fails, the promise fails immediately. Then the other gets stop, unless
  /// another caller waits for them.
  package func values(of keys: some Sequence<Key>) -> Promise<[Value]> {
    if let bulk = metadata.bulk {
      let keys = Array(keys)
      return bulk.values(keys) ?? valuesOfEach(keys)
    }
    return valuesOfEach(keys)
  }

  private func valuesOfEach(_ keys: some Sequence<Key>) -> Promise<[Value]> {
    CallGroup.begin()
    defer { CallGroup.end() }
    var promises: [Promise<Value>] = []
    for key in keys {
      let promise = get(key)
      promises.append(promise)
      if let outcome = promise.outcome, outcome.value == nil { break }
    }
    return Promise<Value>.all(promises)
  }
}
