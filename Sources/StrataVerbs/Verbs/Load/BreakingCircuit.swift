extension Cache {
  /// Returns a cache with a circuit breaker, which stops calling this cache for a while after
  /// repeated failures.
  ///
  /// At first, the circuit is *closed*, and every operation reaches the cache. When the failures
  /// reach `limit`, the circuit *opens*. Then each operation fails immediately with
  /// ``CacheError/circuitOpen(stage:until:)``. So without any delay, a sum reads the next level,
  /// and `refreshing` returns a stale value. After `delay`, the circuit is *half-open*: it lets one
  /// operation through as a probe. When the probe succeeds, the circuit closes, and if it fails,
  /// the circuit opens again. When the probe hangs, the circuit lets another one through after
  /// another `delay`.
  ///
  ///     let guarded = remote.timingOut(after: .seconds(1))
  ///       .breakingCircuit(after: .failures(5), retryAfter: .seconds(30))
  ///
  /// Misses count as successes, because the level has answered. But operations don't count if they
  /// were cancelled, or if another verb refused them before they reached the level. After all, a
  /// condition, a full queue, or another open circuit says nothing about the level.
  ///
  /// An open circuit also refuses writes, so the level might still contain an outdated value for
  /// the key of such a write. Therefore the next get of this key that reaches the level removes the
  /// value, and is a miss. No removal is necessary if a later write to the key succeeds first. But
  /// a refused `clear`, or refused writes to more than 10,000 keys, have a larger effect. Then the
  /// next get that reaches the level, whatever its key is, clears the level, and is a miss. This
  /// isn't necessary if a caller's `clear` succeeds first.
  ///
  /// Whenever the circuit opens or closes, observers receive a `circuit` event.
  ///
  /// - Parameters:
  ///   - limit: The number or fraction of failures that opens the circuit.
  ///   - delay: The time for which the circuit stays open before it lets a probe through. Zero or
  ///     less means that the next operation is the probe.
  ///   - clock: The clock that measures the delay and the time window of the limit. The default is
  ///     the clock of the cache.
  /// - Complexity: O(1). Hits enter two short critical sections and don't allocate.
  /// - Law: A circuit that never opens has no effect, and an open circuit doesn't call the cache.
  ///   See `circuit.transparency` and `circuit.definition` in `Laws.circuit`, checked by
  ///   `CircuitLaws`.
  public func breakingCircuit(
    after limit: CircuitLimit, retryAfter delay: Duration, clock: TimeSource? = nil
  ) -> Cache {
    let below = plan
    let circuit = Circuit(limit, delay, clock ?? self.clock)
    var arguments = limit.arguments
    arguments["retryAfter"] = .duration(delay)
    let plan = CachePlan.verb(plan, "breakingCircuit", arguments)
    let guarded = transforming(plan, conduct: metadata.conduct.refusing) { cache, reporter in
      let below = Guard(
        circuit: circuit, stage: below.stage, reporter: reporter,
        isReadOnly: cache.metadata.isReadOnly)
      let (get, set, remove, clear) = (cache.get, cache.set, cache.remove, cache.clear)
      let expire = cache.operations.expire
      let peeks = cache.metadata.reads.contains(.peeking)
      return CacheOperations(
        get: peeks ? get : { key in below.run(key) { get(key) } },
        set: { key, value in below.write(key) { set(key, value) } },
        remove: { key in below.write(key) { remove(key) } },
        clear: { below.write(Key?.none) { clear() } },
        memoryWarning: cache.memoryWarning, dropLoad: cache.metadata.forget,
        expire: { key in below.write(key) { expire(key) } })
    }
    if metadata.isReadOnly { return guarded }
    // A sum of one level remembers the refused writes. When it's added to another sum, that sum
    // uses the level itself.
    return .sum(
      [.init(guarded, isVerbOnly: true)], clock: metadata.clock, verb: plan, member: .init(guarded)
    ) { sum in { sum.get($0) } }
  }
}

/// Runs an operation only if the circuit allows it, and reports when the circuit opens or closes.
private struct Guard: Sendable {
  let circuit: Circuit
  let stage: String
  let reporter: Reporter?
  let isReadOnly: Bool

  func run<Key: Sendable, Result>(_ key: Key?, _ work: () -> Promise<Result>) -> Promise<Result> {
    let pass = circuit.enter()
    if case .refused(let until) = pass { return Promise(error: refusal(until)) }
    let answer = work()
    if let outcome = answer.outcome {
      report(circuit.leave(pass, outcome.hasFailed), key)
      return answer
    }
    return answer.observed { report(circuit.leave(pass, $0.hasFailed), key) }
  }

  func write<Key: Sendable>(_ key: Key?, _ work: () -> Promise<Void>) -> Promise<Void> {
    isReadOnly ? work() : run(key, work)
  }

  private func refusal(_ until: TimeSource.Instant) -> any Error {
    CacheError.circuitOpen(stage: stage, until: until)
  }

  private func report<Key: Sendable>(_ change: Circuit.Change?, _ key: Key?) {
    guard let reporter, let change else { return }
    let outcome: Promise<Void>.Outcome =
      switch change {
      case .closed: .success(())
      case .opened(let until): .failure(refusal(until))
      }
    reporter.report(.circuit, key, since: nil, outcome)
  }
}

extension Promise.Outcome {
  /// Whether the work failed, or `nil` if it was cancelled or refused before it reached the level.
  /// Misses aren't failures.
  fileprivate var hasFailed: Bool? {
    switch self {
    case .success: false
    case .failure(let error): error.isRefusal ? nil : !error.isMiss
    case .cancelled: nil
    }
  }
}
