import Dispatch

extension Cache {
  /// Returns this cache with every operation done on a queue: gets, writes and warnings.
  ///
  /// For a level that must not be called where its callers are, or that blocks. Answers come where
  /// the level gives them; `promise.dispatched(on:)` moves them on. Operations of one key keep the
  /// order of their calls, on a concurrent queue too; what is cancelled before the queue comes to
  /// it does not reach the level.
  ///
  ///     let found = memory + disk.dispatched(on: DispatchQueue(label: "shelf"))
  ///
  /// - Parameter queue: Where the level is called. What blocks its thread should not have that of
  ///   others, such as the global ones.
  /// - Complexity: O(1), and a hop to the queue for each operation: a hit is never there at once.
  /// - Law: what is dispatched is a level if the cache is: `Laws.level`; see
  ///   `DispatchingLaws`.
  public func dispatched(on queue: DispatchQueue) -> Cache {
    dispatched(on: queue, order: KeyOrder())
  }

  private func dispatched(on queue: DispatchQueue, order: KeyOrder<Key>) -> Cache {
    let (get, set, remove, clear, warn) = (get, set, remove, clear, memoryWarning)
    return Cache(
      get: { key in order.read(key) { queue.run { get(key) } } },
      set: { key, value in order.write(key, beginning: { queue.write { set(key, value) } }) },
      remove: { key in order.write(key, beginning: { queue.write { remove(key) } }) },
      clear: { order.write(nil, beginning: { queue.write(clear) }) },
      memoryWarning: { queue.async { warn() } },
      spine: Spine(
        plan: .verb(plan, name: "dispatched", arguments: queue.argument),
        isReadOnly: spine.isReadOnly, forget: spine.forget,
        reporting: spine.reporting { $0.dispatched(on: queue, order: order) }))
  }
}

extension Fetcher {
  /// Returns this fetcher asked on a queue; see ``Cache/dispatched(on:)``.
  ///
  /// - Law: as for a cache; see `DispatchedTests.testAFetcherIsAskedOnTheQueueToo`.
  public func dispatched(on queue: DispatchQueue) -> Fetcher {
    Fetcher(
      cache.asked("dispatched", queue.argument) { get in
        { key in queue.run { get(key) } }
      })
  }
}

extension DispatchQueue {
  /// Begins work on this queue, unless it is cancelled before its turn.
  fileprivate func run<Value>(
    _ work: @escaping @Sendable () -> Promise<Value>
  ) -> Promise<Value> {
    let result = Pending<Value>()
    async { if result.outcome == nil { result.follow(work(), at: 2) } }
    return Promise(.pending(result))
  }

  /// Begins a write on this queue, unless it is cancelled before its turn; it has ended when the
  /// level has it, and not while it is given to the level.
  fileprivate func write(
    _ work: @escaping @Sendable () -> Promise<Void>
  ) -> (answer: Promise<Void>, end: Promise<Void>) {
    let (result, end) = (Pending<Void>(), Pending<Void>())
    async {
      guard result.outcome == nil else { return _ = end.settle(.success(())) }
      let write = work()
      result.follow(write, at: 2)
      write.observed { _ in end.settle(.success(())) }
    }
    return (Promise(.pending(result)), Promise(.pending(end)))
  }

  fileprivate var argument: String { "on: " + (label.isEmpty ? "queue" : label) }
}
