import Dispatch

extension Cache {
  /// Returns this cache with every operation on a queue: gets, writes, and warnings.
  ///
  /// Use it for a level that blocks, or that must not run on its caller's thread. Answers arrive on
  /// the level's thread. To receive them on a queue, use `promise.dispatched(on:)`. Writes of one
  /// key keep the order of their calls, and a get sees the earlier writes, even on a concurrent
  /// queue. An operation that is cancelled while it is queued doesn't reach the level.
  ///
  ///     let found = memory + disk.dispatched(on: DispatchQueue(label: "shelf"))
  ///
  /// - Parameter queue: The queue that calls the level. For a level that blocks, use a separate
  ///   queue, and not a shared one such as a global queue.
  /// - Complexity: O(1), and one hop to the queue for each operation. A hit is never synchronous.
  /// - Law: a dispatched level satisfies `Laws.level`. See `DispatchingLaws`.
  public func dispatched(on queue: DispatchQueue) -> Cache {
    let order = OperationOrder(.level)
    return transforming("dispatched", queue.arguments) { below in
      @Sendable func write(
        _ hash: Int?, _ write: @escaping @Sendable () -> Promise<Void>
      ) -> Promise<Void> {
        order.write(hash, beginning: { OperationOrder.begun(queue.worker, write) })
      }
      return CacheOperations(
        get: { key in
          order.read(OperationOrder.hash(key)) { .begun(queue.worker) { below.get(key) } }
        },
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
  /// Returns this fetcher with its gets on a queue. See ``Cache/dispatched(on:)``.
  ///
  /// - Law: the same laws as for a cache. See `DispatchedTests.testAFetcherAlsoRunsOnTheQueue`.
  public func dispatched(on queue: DispatchQueue) -> Fetcher {
    Fetcher(
      cache.transformingGet("dispatched", queue.arguments) { get in
        { key in .begun(queue.worker) { get(key) } }
      })
  }
}

extension DispatchQueue {
  fileprivate var arguments: CachePlan.Arguments { ["on": .name(label.isEmpty ? "queue" : label)] }
}
