extension Cache {
  /// Returns this cache with everything that happens in it reported to a function.
  ///
  /// Events come from each stage that has a name, from the back-fills of sums, and from this cache
  /// as a whole. A cache that is not observed pays nothing: observing makes it anew, over the same
  /// levels and the same state.
  ///
  ///     let seen = (memory.named("memory") + disk.named("disk")).observed { print($0) }
  ///
  /// - Parameters:
  ///   - time: What durations are measured with.
  ///   - receive: Called once for each event, on the thread where it happened.
  /// - Law: `a.observed { _ in } == a`: `transparency.observed`; see `VerbLaws`.
  public func observed(
    on time: TimeSource = .system, _ receive: @escaping @Sendable (CacheEvent) -> Void
  ) -> Cache {
    observed(by: CacheObserver(receive), on: time)
  }

  /// Returns this cache with everything that happens in it reported to an observer.
  ///
  ///     let seen = disk.observed(by: .print)
  ///
  /// - Parameters:
  ///   - observer: Called once for each event, on the thread where it happened.
  ///   - time: What durations are measured with.
  /// - Law: as ``observed(on:_:)``.
  public func observed(by observer: CacheObserver, on time: TimeSource = .system) -> Cache {
    observed(by: [
      Reporter(stage: plan.description, observer: observer, time: time, isUnnamed: true)
    ])
  }

  /// An observer further out sees what one further in sees.
  private func observed(by reporters: [Reporter]) -> Cache {
    let observer = CacheObserver { event in
      for reporter in reporters { reporter.observer.receive(event) }
    }
    let reporter = Reporter(
      stage: reporters[0].stage, observer: observer, time: reporters[0].time,
      isUnnamed: reporters[0].isUnnamed)
    let inner = reporting(to: reporter)
    return (isNamed ? inner : inner.stage(reporter)).with(
      plan: .verb(plan, name: "observed"),
      reporting: { outer in observed(by: reporters + [outer]) })
  }

  private var isNamed: Bool {
    guard case .verb(_, name: "named", _, _) = spine.plan else { return false }
    return true
  }

  /// This cache made anew so that its stages report, or itself if it has none.
  func reporting(to reporter: Reporter) -> Cache { spine.reporting?(reporter) ?? self }

  /// This cache with its own operations reported.
  func stage(_ reporter: Reporter) -> Cache {
    let (get, set, remove, clear, memoryWarning) = (get, set, remove, clear, memoryWarning)
    let isOrigin = spine.isReadOnly
    @Sendable func reporting<Result>(
      _ operation: CacheEvent.Operation, _ key: Key?, bytes: Int? = nil,
      _ work: () -> Promise<Result>
    ) -> Promise<Result> {
      let start = reporter.now()
      return work().observed {
        reporter.report(operation, key, since: start, $0, bytes: bytes, isOrigin: isOrigin)
      }
    }
    return Cache(
      get: { key in reporting(.get, key) { get(key) } },
      set: { key, value in
        reporting(.set, key, bytes: CacheEvent.bytes(of: value)) { set(key, value) }
      },
      remove: { key in reporting(.remove, key) { remove(key) } },
      clear: { reporting(.clear, nil) { clear() } },
      memoryWarning: {
        let start = reporter.now()
        memoryWarning()
        reporter.report(.memoryWarning, nil, since: start, Promise<Void>.Outcome.success(()))
      },
      spine: spine)
  }

  /// This cache under another plan, its functions untouched.
  func with(
    plan: CachePlan, reporting: @escaping @Sendable (Reporter) -> Cache
  ) -> Cache {
    Cache(
      get: get, set: set, remove: remove, clear: clear, memoryWarning: memoryWarning,
      spine: Spine(
        plan: plan, isReadOnly: spine.isReadOnly, forget: spine.forget, reporting: reporting))
  }
}

extension Fetcher {
  /// Returns this fetcher with everything that happens in it reported to a function.
  ///
  /// - Law: as ``Cache/observed(on:_:)``; see `ObservedTests.testAFetcherIsObservedToo`.
  public func observed(
    on time: TimeSource = .system, _ receive: @escaping @Sendable (CacheEvent) -> Void
  ) -> Fetcher {
    Fetcher(cache.observed(on: time, receive))
  }

  /// Returns this fetcher with everything that happens in it reported to an observer.
  ///
  /// - Law: as ``Cache/observed(on:_:)``; see `ObservedTests.testAFetcherIsObservedToo`.
  public func observed(by observer: CacheObserver, on time: TimeSource = .system) -> Fetcher {
    Fetcher(cache.observed(by: observer, on: time))
  }
}
