extension Cache {
  /// Returns this cache with its events reported to a function.
  ///
  /// Every named stage, every back-fill of a sum, and this cache as a whole report events.
  /// Observing rebuilds the cache over the same levels and the same state, so a cache that isn't
  /// observed has no overhead.
  ///
  ///     let seen = (memory.named("memory") + disk.named("disk")).observed { print($0) }
  ///
  /// - Parameters:
  ///   - time: The clock that measures durations. The default is the system's clock.
  ///   - receive: A closure called once per event, on the thread of the event.
  /// - Law: `a.observed { _ in } == a`: `transparency.observed`. See `VerbLaws`.
  public func observed(
    clock time: TimeSource = .system, _ receive: @escaping @Sendable (CacheEvent) -> Void
  ) -> Cache {
    observed(by: CacheObserver(receive), clock: time)
  }

  /// Returns this cache with its events reported to an observer.
  ///
  ///     let seen = disk.observed(by: .print)
  ///
  /// - Parameters:
  ///   - observer: The receiver, called once per event, on the thread of the event.
  ///   - time: The clock that measures durations. The default is the system's clock.
  /// - Law: the law of ``observed(clock:_:)``.
  public func observed(by observer: CacheObserver, clock time: TimeSource = .system) -> Cache {
    observed(by: [
      Reporter(stage: plan.description, observer: observer, time: time, isUnnamed: true)
    ])
  }

  /// Returns this cache observed by several reporters, because an outer observer receives the
  /// events of an inner one.
  private func observed(by reporters: [Reporter]) -> Cache {
    let observer = CacheObserver { event in
      for reporter in reporters { reporter.observer.receive(event) }
    }
    let reporter = Reporter(stage: "", observer: observer, time: reporters[0].time).stage(
      reporters[0].stage, isUnnamed: reporters[0].isUnnamed,
      isAboveOrigin: isAboveOrigin && !isNamed)
    let inner = reporting(to: reporter)
    return (isNamed ? inner : inner.asStage(reporter)).with(
      plan: .verb(plan, .observed),
      reporting: { outer in observed(by: reporters + [outer]) })
  }

  private var isNamed: Bool { metadata.plan.kind == .named && metadata.plan.form == .verb }

  /// Returns this cache with its own operations reported.
  func asStage(_ reporter: Reporter) -> Cache {
    let (get, set, remove, clear, memoryWarning) = (get, set, remove, clear, memoryWarning)
    let isOrigin = metadata.isReadOnly
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
      metadata: CacheMetadata(
        plan: metadata.plan, members: metadata.members, order: metadata.order,
        isEmpty: metadata.isEmpty, isReadOnly: metadata.isReadOnly, clock: metadata.clock,
        forget: metadata.forget, reporting: metadata.reporting,
        leasing: metadata.leasingRebuilt { $0.asStage(reporter) }))
  }

  /// Returns this cache with another plan and another way to rebuild it for a reporter.
  func with(plan: CachePlan, reporting: @escaping @Sendable (Reporter) -> Cache) -> Cache {
    Cache(
      operations,
      metadata: CacheMetadata(
        plan: plan, isReadOnly: metadata.isReadOnly, clock: metadata.clock,
        patience: metadata.patience, forget: metadata.forget, reporting: reporting,
        leasing: metadata.leasingRebuilt { $0.with(plan: plan, reporting: reporting) }))
  }
}

extension Fetcher {
  /// Returns this fetcher with its events reported to a function.
  ///
  /// - Law: the law of ``Cache/observed(clock:_:)``. See `ObservedTests.testAFetcherIsObservedToo`.
  public func observed(
    clock time: TimeSource = .system, _ receive: @escaping @Sendable (CacheEvent) -> Void
  ) -> Fetcher {
    Fetcher(cache.observed(clock: time, receive))
  }

  /// Returns this fetcher with its events reported to an observer.
  ///
  /// - Law: the law of ``Cache/observed(clock:_:)``. See `ObservedTests.testAFetcherIsObservedToo`.
  public func observed(by observer: CacheObserver, clock time: TimeSource = .system) -> Fetcher {
    Fetcher(cache.observed(by: observer, clock: time))
  }
}

extension CachePlan.Kind {
  /// The kind of `observed(by:clock:)`.
  package static let observed: Self = "observed"
}
