import Dispatch

extension Cache {
  /// Returns this cache with all operations on a queue, including memory warnings.
  ///
  /// Use this verb for a level that blocks, or that must not run on its caller's thread. Promises
  /// settle on the level's thread. To continue on a queue, use `promise.dispatched(on:)`. Writes of
  /// a key run in the order of their calls, and a get sees the earlier writes of its key, even on a
  /// concurrent queue. If an operation is cancelled while it's queued, it doesn't reach the level.
  ///
  ///     let found = memory + disk.dispatched(on: DispatchQueue(label: "shelf"))
  ///
  /// - Parameter queue: The queue that calls the level. For a level that blocks, use a separate
  ///   queue instead of a shared queue such as a global queue.
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
        // A barrier keeps the warning from evicting values that are stored later.
        memoryWarning: { queue.async(flags: .barrier) { below.memoryWarning() } },
        forget: below.forget)
    }
  }
}

extension Fetcher {
  /// Returns this fetcher with all gets on a queue. See ``Cache/dispatched(on:)``.
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
