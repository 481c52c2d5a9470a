import Dispatch

extension Cache {
  /// Returns a cache that runs all operations, including memory warnings, on a dispatch queue.
  ///
  /// Use this verb for a level that blocks, or that must not run on its caller's thread. Promises
  /// settle on a thread that the level chooses. To receive an outcome on a certain queue, use
  /// `promise.dispatched(on:)`. Writes to a key run in the order in which they were called, even on
  /// a concurrent queue. So a get sees the earlier writes to its key. When an operation is
  /// cancelled while it waits in the queue, it doesn't reach the level.
  ///
  ///     let found = memory + disk.dispatched(on: DispatchQueue(label: "shelf"))
  ///
  /// - Parameter queue: The queue on which the level's operations run. For a level that blocks, use
  ///   a queue of its own, not a shared one such as a global queue.
  /// - Complexity: O(1), plus one switch to the queue for each operation. Hits are never
  ///   synchronous.
  /// - Law: A dispatched level satisfies `Laws.level`. See `DispatchingLaws`.
  public func dispatched(on queue: DispatchQueue) -> Cache {
    guard !metadata.isReadOnly else {  // A read-only cache has no writes to order.
      return transformingGet("dispatched", queue.arguments) { get in
        { key in .begun(queue.worker) { get(key) } }
      }
    }
    let order = KeyedQueue(bounding: self.plan.stage)
    let plan = CachePlan.verb(plan, "dispatched", queue.arguments)
    return transforming(
      plan, conduct: metadata.conduct.delayed(keepsOrder: true), works: { $0.add(order.work) }
    ) { cache, _ in
      let below = cache.operations
      @Sendable func write(
        _ hash: Int?, _ write: @escaping @Sendable () -> Promise<Void>
      ) -> Promise<Void> {
        order.write(hash, beginning: { KeyedQueue.begun(queue.worker, write) })
      }
      return CacheOperations(
        get: { key in
          order.read(KeyVersions.hash(key)) { .begun(queue.worker) { below.get(key) } }
        },
        set: { key, value in write(KeyVersions.hash(key)) { below.set(key, value) } },
        remove: { key in write(KeyVersions.hash(key)) { below.remove(key) } },
        clear: { write(nil, below.clear) },
        // Because of the barrier, later operations wait until the level has handled the memory
        // warning. So a warning never evicts the values of later writes. But global queues ignore
        // barriers.
        memoryWarning: { queue.async(flags: .barrier) { below.memoryWarning() } },
        dropLoad: below.dropLoad,
        expire: { key in write(key.map(KeyVersions.hash)) { below.expire(key) } })
    }
  }
}

extension DispatchQueue {
  fileprivate var arguments: CachePlan.Arguments { ["on": .name(label.isEmpty ? "queue" : label)] }
}
