extension Cache {
  /// Returns this cache with its events reported to a function.
  ///
  /// The named stages and the cache as a whole report their operations, and sums report their
  /// back-fills. This returns a new cache, which shares the levels and the state of the original
  /// one. So the original cache doesn't become slower. A cache can have several observers, whose
  /// order doesn't matter: `a.observed(by: x).observed(by: y)` is `a.observed(by: x + y)`. All of
  /// them use the clock of the first one.
  ///
  ///     let seen = (memory.named("memory") + disk.named("disk")).observed { print($0) }
  ///
  /// - Parameters:
  ///   - time: The clock that measures durations. By default, it's the system clock.
  ///   - measuresHits: Whether to measure the duration of gets that settle immediately. The default
  ///     is `false`, because two clock reads take longer than a hit in memory. See
  ///     ``CacheEvent/duration``.
  ///   - receive: A closure that runs once for each event, on the thread on which the event occurs.
  /// - Complexity: O(1). A hit doesn't allocate if its key occupies at most three machine words.
  /// - Law: `a.observed { _ in } == a`. See `transparency.observed`, checked by `VerbLaws`.
  @inlinable
  public func observed(
    clock time: TimeSource = .system, measuringHits measuresHits: Bool = false,
    _ receive: @escaping @Sendable (CacheEvent) -> Void
  ) -> Cache {
    observed(by: CacheObserver(measuringHits: measuresHits, receive), clock: time)
  }

  /// Returns this cache with its events reported to an observer.
  ///
  ///     let seen = disk.observed(by: .printing)
  ///
  /// - Parameters:
  ///   - observer: The observer. It's called once for each event, on the thread on which the event
  ///     occurs.
  ///   - time: The clock that measures durations. By default, it's the system clock.
  /// - Law: The same as for ``observed(clock:measuringHits:_:)``.
  @inlinable
  public func observed(by observer: CacheObserver, clock time: TimeSource = .system) -> Cache {
    observed(by: observer, clock: time) { $0.reporting($1, isOrigin: $2) }
  }

  /// Returns this cache with its events counted.
  ///
  ///     let counted = disk.named("disk").observed(by: statistics)
  ///
  /// - Parameters:
  ///   - statistics: The statistics, which several caches may share.
  ///   - time: The clock that measures durations. By default, it's the system clock.
  /// - Law: The same as for ``observed(clock:measuringHits:_:)``.
  @inlinable
  public func observed(by statistics: CacheStatistics, clock time: TimeSource = .system) -> Cache {
    observed(by: statistics.observer, clock: time) { $0.reporting($1, isOrigin: $2) }
  }

  /// A closure that creates the `get` function of a stage. Each caller passes a separate closure,
  /// so the compiler can specialize the `get` function.
  @usableFromInline
  typealias StageGet =
    @Sendable (
      _ reporter: Reporter, _ get: @escaping @Sendable (Key) -> Promise<Value>, _ isOrigin: Bool
    ) -> @Sendable (Key) -> Promise<Value>

  @usableFromInline
  func observed(
    by observer: CacheObserver, clock time: TimeSource, get: @escaping StageGet
  ) -> Cache {
    metadata.properties.addingObserver?(observer)
      ?? observed(by: [observer], stage: plan.description, isUnnamed: true, time, get)
  }

  /// Returns this cache with its events reported to all the given observers. If the returned cache
  /// is observed again, its events go to both `observers` and the new observer.
  private func observed(
    by observers: [CacheObserver], stage: String, isUnnamed: Bool, _ time: TimeSource,
    _ get: @escaping StageGet
  ) -> Cache {
    let reporter = Reporter(
      stage: stage, observer: CacheObserver(observers), time: time, isUnnamed: isUnnamed,
      isAboveOrigin: isAboveOrigin && !isNamed)
    let inner = reporting(to: reporter)
    let adding = { @Sendable (observer: CacheObserver) in
      observed(by: observers + [observer], stage: stage, isUnnamed: isUnnamed, time, get)
    }
    // Any other change is applied to the levels without the observer, and then the result is
    // observed again. The observed levels can't be changed, because a stage that reports its events
    // has lost its name.
    return (isNamed ? inner : inner.asStage(reporter, get)).with { [metadata, source] in
      ($0.plan, $0.members, $0.member) = (.verb(plan, .observed), [], nil)
      ($0.source, $0.addingObserver) = (source, adding)
      $0.rebuilding = { change in
        if case .reporting(let outer) = change { return adding(outer.observer) }
        if case .reading(.peeking) = change { return self.changed(by: .reading(.peeking)) }
        return metadata.properties.rebuilding?(change).map {
          $0.observed(by: observers, stage: stage, isUnnamed: isUnnamed, time, get)
        }
      }
    }
  }

  private var isNamed: Bool { metadata.plan.node.traits.name != nil }

  /// Returns this cache with each of its operations reported to `reporter` as an event.
  func asStage(_ reporter: Reporter, _ stageGet: @escaping StageGet) -> Cache {
    let (set, remove, clear, memoryWarning) = (set, remove, clear, memoryWarning)
    let (isOrigin, size) = (metadata.isReadOnly, CacheEvent.size(of: Value.self))
    @Sendable func reporting(
      _ operation: CacheEvent.Operation, _ key: Key?, bytes: Int? = nil,
      _ work: () -> Promise<Void>
    ) -> Promise<Void> {
      let start = reporter.counter == nil ? reporter.now() : nil
      return reporter.reportingWrite(
        operation, key, since: start, work(), bytes: bytes, isOrigin: isOrigin)
    }
    return Cache(
      get: stageGet(reporter, get, isOrigin),
      set: { key, value in
        reporting(.set, key, bytes: size?(value)) { set(key, value) }
      },
      remove: { key in reporting(.remove, key) { remove(key) } },
      clear: { reporting(.clear, nil) { clear() } },
      memoryWarning: {
        let start = reporter.now()
        memoryWarning()
        reporter.report(.memoryWarning, nil, since: start, Promise<Void>.Outcome.success(()))
      },
      metadata: metadata.with {
        $0.source = source
        if let expire = $0.expire { $0.expire = { key in reporting(.expire, key) { expire(key) } } }
        $0.tickets = $0.tickets?.mapping { $0.asStage(reporter, stageGet) }
        $0.bulk = $0.bulk?.reported(by: reporter, isOrigin: isOrigin)
        $0.hit = nil  // A hit through this function wouldn't be reported.
      })
  }

  /// Returns this cache with another plan, as one member of a sum.
  ///
  /// - Parameters:
  ///   - reporting: A function that returns this cache with its events reported to a given
  ///     `Reporter`.
  ///   - again: A function that makes the same change to this cache with other levels.
  func with(
    plan: CachePlan, reporting: @escaping @Sendable (Reporter) -> Cache,
    again: @escaping @Sendable (Cache) -> Cache
  ) -> Cache {
    let rebuilding = metadata.properties.rebuilding
    return with {
      ($0.plan, $0.members, $0.member, $0.addingObserver) = (plan, [], nil, nil)
      $0.rebuilding = { change in
        if case .reporting(let reporter) = change { return reporting(reporter) }
        return rebuilding?(change).map(again)
      }
    } again: {
      $0
    }
  }
}

extension CachePlan.Kind {
  /// The kind of `observed(by:clock:)`.
  package static let observed: Self = "observed"
}
