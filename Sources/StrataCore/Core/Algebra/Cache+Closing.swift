extension Cache {
  /// Waits for all work that this cache has started.
  ///
  /// A get returns before the value is stored in the upper levels. Likewise, a refresh continues
  /// after its get has returned, and a caller may ignore the promise of a write. So await this
  /// function where such work must have ended: before an app is suspended, or in a test after a
  /// get.
  ///
  ///     let page = try await pages.value(for: url)
  ///     try await pages.drained()  // the page is in every level now
  ///
  /// The function waits for the gets, back-fills, refreshes, and writes that had begun when it was
  /// called, and for the work that they cause. It also waits for a load that continues although its
  /// get was cancelled. New work can still begin, but the function doesn't wait for it. So the
  /// function returns even if the cache never becomes idle.
  ///
  /// - Parameter limit: The maximum time to wait. The default is ten seconds.
  /// - Throws: ``CacheError/timedOut(stage:after:key:)`` if the limit passes first. The error names
  ///   a stage that is still working, and the work continues.
  /// - Complexity: O(n) in the number of levels and verbs. Other operations don't wait.
  /// - Law: When `drained()` has returned, all work that had begun before its call has ended. See
  ///   `drain.settled` in `Laws.closing`, checked by `ClosingLaws`.
  public nonisolated(nonsending) func drained(atMost limit: Duration = .seconds(10)) async throws {
    try await draining(atMost: limit).value
  }

  /// Ends the work of this cache, and closes the files and connections of its levels.
  ///
  /// Call this function where your program ends. Other threads may still use the cache:
  ///
  ///     try await pages.close()
  ///
  /// 1. First, origins begin to refuse each get with ``CacheError/closed(stage:)``, so no load
  ///    begins.
  /// 2. Then the function waits as ``drained(atMost:)`` does, so the values of running loads are
  ///    stored.
  /// 3. Finally, the levels that store values outside of memory refuse every operation. Disk levels
  ///    close their files, and Redis levels their connections.
  ///
  /// Gets that find their value in memory still succeed. When the limit passes before all work has
  /// ended, the loads that still run fail with ``CacheError/closed(stage:)``, and their tasks are
  /// cancelled. In this case, the function still begins to close the levels, but throws without
  /// waiting for the end. Closing a cache twice is harmless: both calls wait until the cache is
  /// closed.
  ///
  /// If several caches share a level, the first `close()` closes this level for all of them. So
  /// call it only when you need none of these caches anymore. Once closed, a cache stays closed.
  /// But a new disk level with the same name opens its files again.
  ///
  /// - Parameter limit: The maximum time to wait for running work, and then for the levels to
  ///   close. The default is ten seconds.
  /// - Throws: ``CacheError/timedOut(stage:after:key:)`` with a stage that was still working or
  ///   closing when the limit passed, or the error of a level that can't be closed.
  /// - Law: After `close()` has returned, no load runs, and none begins. See `close.loads`,
  ///   `close.memory`, and `close.twice` in `Laws.closing`, checked by `ClosingLaws`.
  public nonisolated(nonsending) func close(atMost limit: Duration = .seconds(10)) async throws {
    try await closing(atMost: limit).value
  }

  /// Returns this level with a closure. ``close(atMost:)`` calls it after all work has ended.
  ///
  ///     let rows = Cache(get: connection.load, set: { connection.store($1, at: $0) })
  ///       .closing { connection.close() }
  ///
  /// - Parameter close: A closure that closes what the level has opened, such as a connection. It
  ///   runs at most once, in a task. If it takes too long, `close(atMost:)` throws, and the closure
  ///   continues.
  /// - Law: If the cache is closed twice, the closure runs only once. See `close.twice` in
  ///   `Laws.closing`.
  public func closing(_ close: @escaping @Sendable () async throws -> Void) -> Cache {
    let work = RunningWork(.steps, plan.stage) { Promise { try await close() } }
    return holding(work)
  }

  /// Returns this cache with additional work. Draining or closing it waits for this work, too.
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
    let (clock, start) = (clock, clock.now())
    for work in works where work.role == .loads { work.refuse() }
    draining(atMost: limit).onCompletion { drained in
      if drained.value == nil { for work in works { work.cancelAll() } }
      for work in works { work.refuse() }
      let closings = works.map { (stage: $0.stage, end: $0.close() ?? Promise()) }
      // Settles even if a closure of `closing` never returns.
      let rest = limit - start.duration(to: clock.now())
      Promise.joint(closings.map(\.end)).timeout(after: rest, clock: clock) {
        CacheError.timedOut(stage: closings.first { $0.end.outcome == nil }?.stage, after: limit)
      }.onCompletion { end in
        closed.settle(drained.value == nil ? drained : end)
      }
    }
    return closed.outcome.map { Promise(outcome: $0) } ?? Promise(.pending(closed))
  }
}

extension Cache {
  /// The current sizes, capacities, and numbers of running and waiting operations of all parts of
  /// this cache.
  package var currentGauges: [CacheGauge] {
    var works = RunningWorks()
    works.add(of: self)
    return works.gauges
  }

  /// Returns this cache with a name for its gauges.
  package func naming(_ name: String) -> Cache {
    let works = metadata.properties.works
    return with { $0.works = { $0.name(name, works) } }
  }
}

extension RunningWorks {
  /// Adds the work of another cache than the one below the verb, such as a fetcher.
  package mutating func add<Key, Value>(of cache: Cache<Key, Value>) {
    if visits(cache.metadata) { cache.metadata.properties.works(&self) }
  }
}

/// Waits for the running operations of several levels and verbs, and for the operations that they
/// begin before they end.
///
/// Before an operation ends, it begins its successors: a load begins its back-fill, and a failed
/// write begins the removal of its key. So one round waits for all work that had begun when the
/// round began, and the next round waits for the successors. If two rounds in a row find no work,
/// and no work has begun between them, all places were idle at the same time.
private struct Drain: Sendable {
  /// The maximum number of rounds, because a busy cache never becomes idle. Eight rounds are enough
  /// for the longest chain of successors: a refresh, its load, the back-fills of two sums, the
  /// removal of a failed back-fill, and a waiting write.
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
