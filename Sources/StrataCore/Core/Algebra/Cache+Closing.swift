extension Cache {
  /// Waits until everything that this cache has begun has settled.
  ///
  /// A get returns before the value it found below is stored above, a refresh runs after its get has
  /// answered, and a caller may ignore the promise of a write. Await this function where such work
  /// must have ended: before an app is suspended, or in a test after a get.
  ///
  ///     let page = try await pages.value(for: url)
  ///     try await pages.drained()  // the page is in every level now
  ///
  /// The function waits for the gets, back-fills, refreshes, and writes that had begun when it was
  /// called, and for the work that they cause. It doesn't stop new work, so a busy cache can be
  /// drained, too. A load that runs on although its get was cancelled is waited for as well.
  ///
  /// - Parameter limit: The longest time to wait. The default is ten seconds.
  /// - Throws: ``CacheError/timedOut(stage:after:key:)`` with a stage that is still working, if the
  ///   limit has passed. The work continues.
  /// - Complexity: O(n) in the number of levels and verbs. Other operations don't wait.
  /// - Law: After `drained()`, no work that had begun before is running. See `drain.settled` in
  ///   `Laws.closing`, checked by `ClosingLaws`.
  public nonisolated(nonsending) func drained(atMost limit: Duration = .seconds(10)) async throws {
    try await draining(atMost: limit).value
  }

  /// Ends the work of this cache, and closes what its levels hold.
  ///
  /// Call it where a program ends, while other threads may still use the cache:
  ///
  ///     try await pages.close()
  ///
  /// 1. From now on, origins refuse each get with ``CacheError/closed(stage:)``, so no load begins.
  /// 2. The function waits like ``drained(atMost:)``, so the values of running loads are stored.
  /// 3. Then the levels that store values outside of memory refuse every operation. Their files and
  ///    connections are closed: disk levels close their files, and Redis levels their connections.
  ///
  /// Gets that find their value in memory still succeed. If the limit passes first, the loads that
  /// still run are cancelled, the levels are closed all the same, and the function throws. Closing a
  /// cache twice is harmless, and both calls wait for the end.
  ///
  /// A closed level is closed for each cache that contains it, so close last what several caches
  /// share. A closed cache stays closed. A new disk level with the same name opens its files again.
  ///
  /// - Parameter limit: The longest time to wait for running work. The default is ten seconds.
  /// - Throws: ``CacheError/timedOut(stage:after:key:)`` with a stage that was still working when the
  ///   limit passed, or the error of a level that can't be closed.
  /// - Law: After `close()` has returned, no load runs, and none begins. See `close.loads`,
  ///   `close.memory`, and `close.twice` in `Laws.closing`, checked by `ClosingLaws`.
  public nonisolated(nonsending) func close(atMost limit: Duration = .seconds(10)) async throws {
    try await closing(atMost: limit).value
  }

  /// Returns this level with a function that ``close(atMost:)`` calls after all work has ended.
  ///
  ///     let rows = Cache(get: connection.load, set: { connection.store($1, at: $0) })
  ///       .closing { connection.close() }
  ///
  /// - Parameter close: Closes what the level holds. Called at most once, in a task.
  /// - Law: The function is called once, although the cache is closed twice. See `close.twice` in
  ///   `Laws.closing`.
  public func closing(_ close: @escaping @Sendable () async throws -> Void) -> Cache {
    let work = RunningWork(.steps, plan.stage) { Promise { try await close() } }
    return holding(work)
  }

  /// Returns this cache with work that isn't the work of its levels.
  package func holding(_ work: RunningWork) -> Cache {
    let works = metadata.properties.works
    return with {
      ($0.plan, $0.members, $0.member) = (plan, [], nil)
      $0.works = { all in
        works(&all)
        all.add(work)
      }
    } again: {
      $0.holding(work)
    }
  }
}

extension Cache {
  /// The work of this cache.
  package var works: [RunningWork] {
    var works = RunningWorks()
    works.add(of: self)
    return works.all
  }

  package func draining(atMost limit: Duration) -> Promise<Void> {
    let works = works
    return Drain(works).promise().timeout(after: limit, clock: clock) {
      CacheError.timedOut(stage: works.first { $0.count > 0 }?.stage, after: limit)
    }
  }

  package func closing(atMost limit: Duration) -> Promise<Void> {
    let (works, closed) = (works, Pending<Void>())
    for work in works where work.role == .loads { work.refuse() }
    draining(atMost: limit).onCompletion { drained in
      if drained.value == nil { for work in works { work.cancelAll() } }
      for work in works { work.refuse() }
      Promise.joint(works.compactMap { $0.close() }).onCompletion { end in
        closed.settle(drained.value == nil ? drained : end)
      }
    }
    return closed.outcome.map { Promise(outcome: $0) } ?? Promise(.pending(closed))
  }
}

extension Cache {
  /// The sizes, the capacities, and the running and waiting work of all parts at this moment.
  package var currentGauges: [CacheGauge] {
    var works = RunningWorks()
    works.add(of: self)
    return works.gauges
  }

  /// Returns this cache with a name for its gauges.
  func naming(_ name: String) -> Cache {
    let works = metadata.properties.works
    return with { $0.works = { $0.name(name, works) } }
  }
}

extension RunningWorks {
  /// Adds the work of a cache that isn't the one below the verb, such as a fetcher.
  package mutating func add<Key, Value>(of cache: Cache<Key, Value>) {
    if visits(cache.metadata) { cache.metadata.properties.works(&self) }
  }
}

/// Waits for the work of several places, and for the work that it causes.
///
/// An operation that ends has begun its successors before: a load its back-fill, a failed write the
/// removal of its key. So a round waits for everything that had begun when the round began, and the
/// next round waits for the successors. If two rounds in a row find nothing, and nothing has begun
/// between them, then all places were idle at the same time.
private struct Drain: Sendable {
  /// The longest chain of successors: a refresh, its load, the back-fills of two sums, the removal
  /// of a failed back-fill, and the write that waits for it. A busy cache never becomes idle.
  private static let rounds = 8

  private let works: [RunningWork]

  init(_ works: [RunningWork]) { self.works = works }

  func promise(after earlier: [Int]? = nil, round: Int = 0) -> Promise<Void> {
    let endings = works.map { $0.ending() }
    let (now, running) = (endings.map(\.last), endings.compactMap(\.end))
    if running.isEmpty, now == earlier || round == Self.rounds { return Promise() }
    guard round < Self.rounds else { return Promise() }
    return Promise.joint(running).flatMap { promise(after: now, round: round + 1) }
  }
}
