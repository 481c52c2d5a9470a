extension Cache {
  /// This cache behind a queue that keeps the order of its operations. See `KeyedQueue`.
  ///
  /// A sum adds the queue to a member that doesn't declare that it keeps the order of its calls. A
  /// clear doesn't wait for writes that hang. Instead, it makes each write in flight remove its
  /// key. If too many writes of a key are in flight, the next one fails.
  ///
  /// - Parameter isFilled: Whether `set` is a back-fill, for which no get waits.
  func ordered(
    by queue: KeyedQueue = KeyedQueue(clearsAtOnce: true), isFilled: Bool = false
  ) -> Cache {
    transforming(.verb(plan, .ordered), conduct: metadata.conduct.queued) { cache, _ in
      let below = cache.operations
      return CacheOperations(
        get: { key in
          if queue.isQuiet { return below.get(key) }
          let hash = KeyVersions.hash(key)
          return queue.isCleared(hash) ? .miss : queue.read(hash) { below.get(key) }
        },
        set: { key, value in
          queue.write(
            key, of: plan.stage, isFill: isFilled, { below.set(key, value) },
            removal: { below.remove(key) })
        },
        remove: { key in
          queue.write(
            key, of: plan.stage, { below.remove(key) }, removal: { below.remove(key) })
        },
        clear: { queue.write(nil, below.clear) },
        memoryWarning: below.memoryWarning, dropLoad: below.dropLoad)
    }
  }
}

extension KeyedQueue {
  /// Runs a write of a key. If a clear passes the write, its key is removed instead or afterwards.
  fileprivate func write<Key: Hashable & Sendable>(
    _ key: Key, of stage: @autoclosure () -> String, isFill: Bool = false,
    _ work: @escaping @Sendable () -> Promise<Void>,
    removal: @escaping @Sendable () -> Promise<Void>
  ) -> Promise<Void> {
    let hash = KeyVersions.hash(key)
    if isFull(hash) {
      return Promise(error: CacheError.overloaded(stage: stage(), waiting: Self.mostWrites))
    }
    return write(
      hash, isFill: isFill,
      numbered: { [self] id in
        if isOutrun(id) {
          let answer = removal()
          return (answer, answer)
        }
        let answer = work()
        if answer.outcome != nil, !isOutrun(id) { return (answer, answer) }
        let whole = Pending<Void>()
        answer.observed { outcome in
          guard self.isOutrun(id) else { return _ = whole.settle(outcome) }
          removal().observed { whole.settle($0.value == nil ? $0 : outcome) }
        }
        whole.onCancel { answer.cancel() }
        return (Promise(.pending(whole)), Promise(.pending(whole)))
      })
  }
}

extension CachePlan.Kind {
  /// The kind of a queue that a sum adds to a level.
  package static let ordered: Self = "ordered"
}
