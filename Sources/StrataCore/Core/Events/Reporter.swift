import Synchronization

/// Reports the operations of one stage to an observer.
@usableFromInline
package final class Reporter: Sendable {
  let stage: String
  package let observer: CacheObserver
  let time: TimeSource
  /// Whether the stage has no name. If so, events contain its plan instead.
  let isUnnamed: Bool
  /// The names of the stages above an origin, without the stage of the origin itself. Each of these
  /// stages reports a `load` event for every call of the origin.
  private let loadStages: [String]
  /// The counters of this stage.
  private let counters: [StageCounter]

  /// Creates the reporter of the outermost stage.
  ///
  /// - Parameter isAboveOrigin: Whether the stage is above an origin, and isn't the stage of the
  ///   origin itself.
  package convenience init(
    stage: String, observer: CacheObserver, time: TimeSource, isUnnamed: Bool = false,
    isAboveOrigin: Bool = false
  ) {
    self.init(stage, observer, time, isUnnamed, loadStages: isAboveOrigin ? [stage] : [])
  }

  private init(
    _ stage: String, _ observer: CacheObserver, _ time: TimeSource, _ isUnnamed: Bool,
    loadStages: [String]
  ) {
    (self.stage, self.observer, self.time) = (stage, observer, time)
    (self.isUnnamed, self.loadStages) = (isUnnamed, loadStages)
    counters = observer.counters(stage)
  }

  /// The time at which an operation started, and a number that increases with every operation that
  /// starts in this process.
  @usableFromInline
  package struct Start: Sendable {
    package let instant: TimeSource.Instant
    package let order: Int

    private static let last = Atomic(0)

    package init(at instant: TimeSource.Instant) {
      self.instant = instant
      order = Self.last.add(1, ordering: .relaxed).newValue
    }
  }

  @usableFromInline
  package func now() -> Start { Start(at: time.now()) }

  /// Returns a reporter for another stage, with the same observer and clock.
  func named(_ stage: String) -> Reporter {
    Reporter(stage: stage, observer: observer, time: time)
  }

  /// The probe that records the gets of this reporter.
  package var probe: GetProbe? { observer.probe }

  /// Returns this reporter with another probe.
  package func with(probe: GetProbe) -> Reporter {
    Reporter(stage, observer.with(probe: probe), time, isUnnamed, loadStages: loadStages)
  }

  /// Returns a reporter for a stage within this stage.
  ///
  /// - Parameter isAboveOrigin: Whether the stage is above an origin, and isn't the stage of the
  ///   origin itself.
  package func stage(_ stage: String, isAboveOrigin: Bool) -> Reporter {
    Reporter(
      stage, observer, time, false,
      loadStages: loadStages.filter { $0 != stage } + (isAboveOrigin ? [stage] : []))
  }

  /// The counters of this stage, or `nil` if an observer needs an event for each hit.
  @usableFromInline package var counter: StageCounter? {
    observer.countsOnly ? counters.first : nil
  }

  /// Reports an operation.
  ///
  /// - Parameters:
  ///   - start: The start of the operation, or `nil` if the clock wasn't read at the start.
  ///   - weight: The number of times that a latency histogram counts the event. The default is 1.
  ///     If a stage measures only a sample of its gets, it's the number of gets that a measured get
  ///     represents.
  package func report<Value>(
    _ operation: CacheEvent.Operation, _ key: (any Sendable)?, since start: Start?,
    _ outcome: Promise<Value>.Outcome, cause: EvictionCause? = nil, bytes: Int? = nil,
    isOrigin: Bool = false, weight: Int = 1
  ) {
    report(
      operation, key, since: start, CacheEvent.Outcome(outcome), cause,
      bytes ?? outcome.value.flatMap { CacheEvent.bytes(of: $0) }, isOrigin, weight)
  }

  /// Reports an operation. This function isn't generic, so the compiler emits its code only once.
  @inline(never)
  func report(
    _ operation: CacheEvent.Operation, _ key: (any Sendable)?, since start: Start?,
    _ outcome: CacheEvent.Outcome, _ cause: EvictionCause?, _ bytes: Int?, _ isOrigin: Bool,
    _ weight: Int
  ) {
    let start = start ?? (observer.measuresHits ? now() : nil)
    let event = CacheEvent(
      stage: stage, operation: operation, key: key, outcome: outcome,
      duration: start.map { $0.instant.duration(to: time.now()) }, cause: cause, bytes: bytes,
      isOrigin: isOrigin, start: start, isUnnamed: isUnnamed,
      isLoad: operation == .load || isOrigin && !loadStages.contains(stage), weight: weight)
    if let counter { counter.receive(event) } else { observer.receive(event) }
  }

  /// Reports an operation when its answer arrives. If the answer is already available, this
  /// function creates no closure.
  package func reporting<Value>(
    _ operation: CacheEvent.Operation, _ key: (any Sendable)?, since start: Start?,
    _ answer: Promise<Value>, bytes: Int? = nil, isOrigin: Bool = false, weight: Int = 1
  ) -> Promise<Value> {
    if answer.isReady, let outcome = answer.outcome {
      report(
        operation, key, since: start, outcome, bytes: bytes, isOrigin: isOrigin, weight: weight)
      return answer
    }
    let start = start ?? now()
    for counter in counters { counter.begin() }
    return answer.observed { [self] outcome in
      for counter in counters { counter.end() }
      report(operation, key, since: start, outcome, bytes: bytes, isOrigin: isOrigin)
    }
  }

  /// Reports a write when it ends. This function isn't generic, so the compiler specializes the one
  /// that it calls.
  package func reportingWrite(
    _ operation: CacheEvent.Operation, _ key: (any Sendable)?, since start: Start?,
    _ answer: Promise<Void>, bytes: Int?, isOrigin: Bool
  ) -> Promise<Void> {
    reporting(operation, key, since: start, answer, bytes: bytes, isOrigin: isOrigin)
  }

  /// Returns a function that calls an origin's `get` and reports each call as a load for every
  /// stage in `loadStages`.
  func loads<Key: Sendable, Value>(
    _ get: @escaping @Sendable (Key) -> Promise<Value>
  ) -> @Sendable (Key) -> Promise<Value> {
    guard !loadStages.isEmpty else { return get }
    let stages = loadStages.map { named($0) }
    return { [self] key in
      let start = now()
      return get(key).observed { outcome in
        for stage in stages { stage.report(.load, key, since: start, outcome, isOrigin: true) }
      }
    }
  }
}
