extension Cache {
  /// Returns this cache with a time limit for gets and writes.
  ///
  /// An operation that takes too long fails with ``CacheError/timedOut(stage:after:key:)``, so a
  /// sum reads the next level. A late get withdraws from its work, which stops unless another
  /// caller waits for it.
  ///
  ///     let found = memory + network.timingOut(after: .seconds(5))
  ///
  /// The time in which a get waits for a permit of ``limited(toConcurrentGets:queue:)`` doesn't
  /// count toward `limit`, because no work is done then. This is also true if an async closure of
  /// the level awaits such a get, unless the get is awaited in a child task. `total` limits the
  /// time of a get including its wait.
  ///
  /// A late write isn't cancelled, because an interrupted write might still take effect. Until the
  /// late write settles, the value of its key is *unknown*: gets of the key fail with
  /// ``CacheError/unsettled(stage:key:)``, but later writes of the key still reach the level. After
  /// the late write has settled, the key is removed if there was a later write, or if the late
  /// write has failed, as ``awaited(atMost:)`` describes. If this verb is applied to a sum, gets of
  /// the key don't fail, because the sum itself tracks its unknown values.
  ///
  /// - Parameters:
  ///   - limit: The maximum time from the call of the level to its answer. Zero or less allows only
  ///     synchronous answers.
  ///   - total: The maximum time from the call of a get to its answer, including the wait for a
  ///     permit. The default is no limit.
  ///   - clock: The clock that measures the time. The default is the clock of the cache.
  /// - Complexity: O(1). A synchronous answer starts no timer. A hit doesn't allocate.
  /// - Law: `a.timingOut(after: .seconds(Int64.max)) == a`, and no operation outlasts its limit:
  ///   `timeLimit.patience`, `timeLimit.bound`, and more of `Laws.timeLimit`. See `TimeLimitLaws`.
  public func timingOut(
    after limit: Duration, total: Duration? = nil, clock: TimeSource? = nil
  ) -> Cache {
    let (clock, stage) = (clock ?? self.clock, plan)
    let order = OperationOrder(plan.node.isSum ? .ordered : .immediate)
    var arguments: CachePlan.Arguments = ["after": .duration(limit)]
    arguments["total"] = total.map { .duration($0) }
    @Sendable func late(_ key: Key?, _ limit: Duration) -> any Error {
      CacheError.timedOut(stage: stage.stage, after: limit, key: key.map { shortened($0) })
    }
    return transforming("timingOut", arguments) { operations in
      @Sendable func repair(_ key: Key?, _ hash: Int?) {
        order.repair(hash, queue: 0, within: limit, on: clock) { isOfAll in
          guard !isOfAll, let key else { return operations.clear() }
          return operations.remove(key)
        }
      }
      @Sendable func write(_ key: Key?, _ write: () -> Promise<Void>) -> Promise<Void> {
        let hash = key.map { OperationOrder.hash($0) }
        let (id, _) = order.addWrite(hash) { _ in }
        let bounded = BoundedWrite(order, id, of: hash) { repair(key, hash) }
        let answer = write()
        if let outcome = answer.outcome {
          bounded.finish(outcome).begin()
          return answer
        }
        bounded.start(limit, on: clock) { late(key, limit) }
        bounded.follow(answer, isCancellable: true)
        return bounded.answer
      }
      return CacheOperations(
        get: { key in
          if !order.isQuiet {
            let hash = OperationOrder.hash(key)
            repair(key, hash)
            guard !order.isUnknown(hash) else {
              return Promise(
                error: CacheError.unsettled(stage: stage.stage, key: shortened(key)))
            }
          }
          let answer = operations.get(key)
          guard !answer.isReady else { return answer }
          let bounded = answer.timeout(after: limit, clock: clock) { late(key, limit) }
          guard let total else { return bounded }
          return bounded.timeout(after: total, clock: clock, withQueue: true) { late(key, total) }
        },
        set: { key, value in write(key) { operations.set(key, value) } },
        remove: { key in write(key) { operations.remove(key) } },
        clear: { write(nil) { operations.clear() } },
        memoryWarning: operations.memoryWarning, forget: operations.forget)
    }
  }
}

extension Fetcher {
  /// Returns this fetcher with a time limit for gets. See ``Cache/timingOut(after:total:clock:)``.
  ///
  /// - Law: the same laws as for a cache. See `TimingOutTests.testAFetcherTimesOutToo`.
  public func timingOut(
    after limit: Duration, total: Duration? = nil, clock: TimeSource? = nil
  ) -> Fetcher {
    Fetcher(cache.timingOut(after: limit, total: total, clock: clock))
  }
}
