extension Cache {
  /// Returns a cache with a time limit for gets and writes.
  ///
  /// An operation that takes too long fails with ``CacheError/timedOut(stage:after:key:)``. After a
  /// get has timed out, a sum reads the next level. When a get times out, its work stops unless
  /// another caller waits for that work.
  ///
  ///     let found = memory + network.timingOut(after: .seconds(5))
  ///
  /// The limit covers everything that happens in this cache, including the wait for a permit from
  /// ``limited(toConcurrentGets:queue:)``. To limit only the time that the level takes, write
  /// `timingOut` before `limited`. Then a time limit after `limited` can bound both together:
  ///
  ///     let bounded = network.timingOut(after: .seconds(5))
  ///       .limited(toConcurrentGets: 4).timingOut(after: .seconds(20))
  ///
  /// A *late write* is a write that has timed out. A late write isn't cancelled, because an
  /// interrupted write might still take effect. Until a late write settles, the value of its key is
  /// *unknown*. A get of a key with an unknown value fails with
  /// ``CacheError/unsettled(stage:key:)``, but writes to the key still reach the level. When a late
  /// write fails, its key is removed from the level. A late write might replace the value of a
  /// newer write to the same key. If there is a newer write to the key, the key is removed from the
  /// level when the late write settles. See ``awaited(atMost:)``. If you apply this verb to a sum,
  /// a get of a key with an unknown value doesn't fail. The get skips each level that might have an
  /// outdated value because of a late write.
  ///
  /// - Parameters:
  ///   - limit: The maximum time between the call to the level and the level's answer. With a limit
  ///     of zero or less, only synchronous operations succeed.
  ///   - clock: The clock that measures the time. The default is the clock of the cache.
  /// - Complexity: O(1). An operation that answers synchronously doesn't start a timer. A hit
  ///   doesn't allocate.
  /// - Law: `a.timingOut(after: .seconds(Int64.max)) == a`, and no operation outlasts its limit.
  ///   See `timeLimit.patience`, `timeLimit.bound`, and the other laws of `Laws.timeLimit`, checked
  ///   by `TimeLimitLaws`.
  public func timingOut(after limit: Duration, clock: TimeSource? = nil) -> Cache {
    let (clock, stage) = (clock ?? self.clock, plan)
    let order = OperationOrder(plan.node.isSum ? .ordered : .immediate)
    @Sendable func late(_ key: Key?) -> any Error {
      CacheError.timedOut(stage: stage.stage, after: limit, key: key.map { shortened($0) })
    }
    return transforming("timingOut", ["after": .duration(limit)]) { operations in
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
        bounded.start(limit, on: clock) { late(key) }
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
          return answer.timeout(after: limit, clock: clock) { late(key) }
        },
        set: { key, value in write(key) { operations.set(key, value) } },
        remove: { key in write(key) { operations.remove(key) } },
        clear: { write(nil) { operations.clear() } },
        memoryWarning: operations.memoryWarning, forget: operations.forget)
    }
  }
}
