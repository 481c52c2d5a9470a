extension Cache {
  /// This cache behind a queue that keeps the order of its operations. See `KeyedQueue`.
  ///
  /// A sum adds this queue to each member that doesn't declare that it keeps the order of its
  /// calls. A clear doesn't wait for writes that hang. Instead, it makes each write in flight
  /// remove its key. The next write of a key fails when too many writes of the key are in flight,
  /// and the next clear fails when too many clears are.
  ///
  /// - Parameters:
  ///   - queue: The queue, or `nil` for a new one.
  ///   - isFilled: Whether `set` is a back-fill, for which no get waits.
  package func ordered(by queue: KeyedQueue? = nil, isFilled: Bool = false) -> Cache {
    let queue = queue ?? KeyedQueue(clearsAtOnce: true, bounding: plan.stage)
    return transforming(
      .verb(plan, .ordered), conduct: metadata.conduct.delayed(keepsOrder: true),
      works: { $0.add(queue.work) }
    ) { cache, _ in
      let below = cache.operations
      return CacheOperations(
        get: { key in
          if queue.isQuiet { return below.get(key) }
          let hash = KeyVersions.hash(key)
          return queue.isCleared(hash) ? .miss : queue.read(hash) { below.get(key) }
        },
        set: { key, value in
          queue.write(
            key, isFill: isFilled, { below.set(key, value) }, removal: { below.remove(key) })
        },
        remove: { key in
          queue.write(key, { below.remove(key) }, removal: { below.remove(key) })
        },
        clear: { queue.write(nil, below.clear) },
        memoryWarning: below.memoryWarning, dropLoad: below.dropLoad,
        expire: { key in
          guard let key else { return queue.write(nil) { below.expire(nil) } }
          return queue.write(key, { below.expire(key) }, removal: { below.remove(key) })
        })
    }
  }
}

extension KeyedQueue {
  /// Runs a write to a key. When a clear overtakes the write, the queue removes the key, either
  /// instead of the write or after it.
  fileprivate func write<Key: Hashable & Sendable>(
    _ key: Key, isFill: Bool = false, _ work: @escaping @Sendable () -> Promise<Void>,
    removal: @escaping @Sendable () -> Promise<Void>
  ) -> Promise<Void> {
    write(
      KeyVersions.hash(key), isFill: isFill,
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
