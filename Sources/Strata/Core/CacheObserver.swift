import Synchronization

/// A receiver of events, such as an adapter for a logging or metrics library.
///
///     let misses = CacheObserver { if case .miss = $0.outcome { print("miss in \($0.stage)") } }
///     let seen = (memory + disk).observed(by: misses)
public struct CacheObserver: Sendable {
  /// Receives one event, on the thread where it happened.
  ///
  /// Called once for each event, possibly on several threads at the same time. No lock is held, so
  /// the closure may use the observed cache. A caller that waits for the operation also waits for
  /// the closure.
  public let receive: @Sendable (CacheEvent) -> Void

  /// Creates an observer from a function. See ``receive``.
  public init(_ receive: @escaping @Sendable (CacheEvent) -> Void) { self.receive = receive }

  /// An observer that prints each event on a line of standard output.
  public static let print = CacheObserver { Swift.print($0) }
}

/// An observer with the name of one stage and a clock.
@usableFromInline
package struct Reporter: Sendable {
  let stage: String
  let observer: CacheObserver
  let time: TimeSource
  /// Whether the stage has no name. Its plan is then used as its name.
  var isUnnamed = false
  /// The stages around this one for which the origin reports its calls, because verbs or further
  /// names are between them and the origin.
  private(set) var loadStages: [String] = []

  /// The start of an operation: its time, and its position among all starts in this process.
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
  func now() -> Start { Start(at: time.now()) }

  init(
    stage: String, observer: CacheObserver, time: TimeSource, isUnnamed: Bool = false
  ) {
    (self.stage, self.observer, self.time) = (stage, observer, time)
    self.isUnnamed = isUnnamed
  }

  /// The reporter of another stage.
  func named(_ stage: String) -> Reporter {
    Reporter(stage: stage, observer: observer, time: time)
  }

  /// The reporter of a stage within this one.
  ///
  /// - Parameter isAboveOrigin: Whether verbs or names are between the stage and an origin.
  func stage(_ stage: String, isUnnamed: Bool = false, isAboveOrigin: Bool) -> Reporter {
    var result = Reporter(stage: stage, observer: observer, time: time, isUnnamed: isUnnamed)
    result.loadStages = loadStages.filter { $0 != stage } + (isAboveOrigin ? [stage] : [])
    return result
  }

  func report<Value>(
    _ operation: CacheEvent.Operation, _ key: (any Sendable)?, since start: Start?,
    _ outcome: Promise<Value>.Outcome, cause: EvictionCause? = nil, bytes: Int? = nil,
    isOrigin: Bool = false
  ) {
    report(
      operation, key, since: start ?? now(), CacheEvent.Outcome(outcome), cause,
      bytes ?? outcome.value.flatMap(CacheEvent.bytes), isOrigin)
  }

  /// Reports an operation of any value. Not generic, so it exists once.
  @inline(never)
  private func report(
    _ operation: CacheEvent.Operation, _ key: (any Sendable)?, since start: Start,
    _ outcome: CacheEvent.Outcome, _ cause: EvictionCause?, _ bytes: Int?, _ isOrigin: Bool
  ) {
    observer.receive(
      CacheEvent(
        stage: stage, operation: operation, key: key, outcome: outcome,
        duration: start.instant.duration(to: time.now()), cause: cause, bytes: bytes,
        isOrigin: isOrigin, start: start, isUnnamed: isUnnamed,
        isLoad: operation == .load || isOrigin && !loadStages.contains(stage)))
  }

  /// Returns the get of an origin, which reports its calls to the stages above verbs.
  func loads<Key: Sendable, Value>(
    _ get: @escaping @Sendable (Key) -> Promise<Value>
  ) -> @Sendable (Key) -> Promise<Value> {
    guard !loadStages.isEmpty else { return get }
    let stages = loadStages.map { named($0) }
    return { key in
      let start = now()
      return get(key).observed { outcome in
        for stage in stages { stage.report(.load, key, since: start, outcome, isOrigin: true) }
      }
    }
  }
}
