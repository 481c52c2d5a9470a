import Dispatch

extension Cache {
  /// Returns this cache with every operation on a queue: gets, writes, and warnings.
  ///
  /// Use it for a level that blocks, or that must not run on its caller's thread. Answers arrive on
  /// the level's thread; `promise.dispatched(on:)` moves them. Writes of one key keep the order of
  /// their calls, and a get sees the earlier writes, also on a concurrent queue. An operation that
  /// is cancelled while it is queued doesn't reach the level.
  ///
  ///     let found = memory + disk.dispatched(on: DispatchQueue(label: "shelf"))
  ///
  /// - Parameter queue: The queue that calls the level. A level that blocks should not use a queue
  ///   of others, such as the global ones.
  /// - Complexity: O(1), and one hop to the queue for each operation. A hit is never synchronous.
  /// - Law: a dispatched level is a level: `Laws.level`; see `DispatchingLaws`.
  public func dispatched(on queue: DispatchQueue) -> Cache {
    let order = OperationOrder(.level)
    return transforming("dispatched", queue.arguments) { below in
      @Sendable func write(
        _ hash: Int?, _ write: @escaping @Sendable () -> Promise<Void>
      ) -> Promise<Void> {
        order.write(hash, beginning: { queue.write(write) })
      }
      return CacheOperations(
        get: { key in order.read(OperationOrder.hash(key)) { queue.run { below.get(key) } } },
        set: { key, value in write(OperationOrder.hash(key)) { below.set(key, value) } },
        remove: { key in write(OperationOrder.hash(key)) { below.remove(key) } },
        clear: { write(nil, below.clear) },
        // A barrier, because a warning must not evict what is stored after it.
        memoryWarning: { queue.async(flags: .barrier) { below.memoryWarning() } },
        forget: below.forget)
    }
  }
}

extension Fetcher {
  /// Returns this fetcher with its gets on a queue; see ``Cache/dispatched(on:)``.
  ///
  /// - Law: the laws of a cache; see `DispatchedTests.testAFetcherIsAskedOnTheQueueToo`.
  public func dispatched(on queue: DispatchQueue) -> Fetcher {
    Fetcher(
      cache.transformingGet("dispatched", queue.arguments) { get in
        { key in queue.run { get(key) } }
      })
  }
}

extension DispatchQueue {
  /// Begins work on this queue, unless the work is cancelled first.
  fileprivate func run<Value>(
    _ work: @escaping @Sendable () -> Promise<Value>
  ) -> Promise<Value> {
    let result = Pending<Value>()
    async { if result.outcome == nil { result.follow(work(), at: 2) } }
    return Promise(.pending(result))
  }

  /// Begins a write on this queue, unless the write is cancelled first.
  ///
  /// The write ends when the level has settled it.
  fileprivate func write(
    _ work: @escaping @Sendable () -> Promise<Void>
  ) -> OperationOrder.Begun {
    let (result, end) = (Pending<Void>(), Pending<Void>())
    async {
      guard result.outcome == nil else { return _ = end.settle(.success(())) }
      let write = work()
      result.follow(write, at: 2)
      write.observed { _ in end.settle(.success(())) }
    }
    return (Promise(.pending(result)), Promise(.pending(end)))
  }

  fileprivate var arguments: CachePlan.Arguments { ["on": .name(label.isEmpty ? "queue" : label)] }
}
