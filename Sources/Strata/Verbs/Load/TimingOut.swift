extension Cache {
  /// Returns this cache with a time limit for gets and writes.
  ///
  /// An operation that takes too long fails with ``CacheError/timedOut(stage:after:key:)``, so a
  /// sum reads the next level. The work of a late get stops unless another caller waits for that
  /// work.
  ///
  ///     let found = memory + network.timingOut(after: .seconds(5))
  ///
  /// The time that a get waits for a permit of ``limited(toConcurrentGets:queue:)`` doesn't count
  /// toward `limit`, because the get isn't running yet. If an async closure of the level awaits an
  /// inner get, the time that the inner get waits for a permit doesn't count. If a child task of
  /// the closure awaits the inner get, that time does count. To limit the time of a get including
  /// its waits for permits, set `total`.
  ///
  /// A late write isn't cancelled, because an interrupted write might still take effect. Until a
  /// late write settles, the value of its key is *unknown*. Gets of a key with an unknown value
  /// fail with ``CacheError/unsettled(stage:key:)``, but writes of the key still reach the level.
  /// After a late write has settled, its key is removed from the level if there was a later write,
  /// or if the late write failed. See ``awaited(atMost:)``. If you apply this verb to a sum, gets
  /// of the key don't fail during a late write, because the sum itself tracks unknown values.
  ///
  /// - Parameters:
  ///   - limit: The maximum time from the call to the level until the level's answer. Zero or less
  ///     allows only synchronous answers.
  ///   - total: The maximum time from the call of a get until its answer, including the wait for a
  ///     permit. The default is no limit.
  ///   - clock: The clock that measures both limits. The default is the clock of the cache.
  /// - Complexity: O(1). An operation that answers synchronously starts no timer. A hit doesn't
  ///   allocate.
  /// - Law: `a.timingOut(after: .seconds(Int64.max)) == a`, and no operation outlasts its limit.
  ///   See `timeLimit.patience`, `timeLimit.bound`, and the other laws of `Laws.timeLimit`, checked
  ///   by `TimeLimitLaws`.
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
      @Sendable func repair(_ key: Key?, _ hash: Int?, _ begun: WriteQueue.Removal? = nil) {
        order.repair(hash, queue: 0, begun, within: limit, on: clock) { isOfAll in
          guard !isOfAll, let key else { return operations.clear() }
          return operations.remove(key)
        }
      }
      @Sendable func write(_ key: Key?, _ write: () -> Promise<Void>) -> Promise<Void> {
        let hash = key.map { OperationOrder.hash($0) }
        let (id, _) = order.addWrite(hash) { _ in }
        let bounded = BoundedWrite(order, id, of: hash) { repair(key, hash, $0) }
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
  /// - Law: the same as for a cache. See `TimingOutTests.testAFetcherTimesOutToo`.
  public func timingOut(
    after limit: Duration, total: Duration? = nil, clock: TimeSource? = nil
  ) -> Fetcher {
    Fetcher(cache.timingOut(after: limit, total: total, clock: clock))
  }
}
