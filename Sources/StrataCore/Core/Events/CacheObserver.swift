/// A receiver of events, such as an adapter for a logging or metrics library.
///
///     let misses = CacheObserver { if case .miss = $0.outcome { print("miss in \($0.stage)") } }
///     let seen = (memory + disk).observed(by: misses)
public struct CacheObserver: Sendable {
  /// Receives one event, on the thread on which the event occurred.
  ///
  /// The closure runs once for each event, possibly on several threads at the same time. No lock is
  /// held during the call, so the closure can use the observed cache. But a caller that waits for
  /// the operation also waits until the closure has returned.
  public let receive: @Sendable (CacheEvent) -> Void

  /// Whether the clock is read before and after each get. See ``CacheEvent/duration``.
  public let measuresHits: Bool

  /// Returns the counters of a stage. If all observers only count events, a hit increments counters
  /// instead of creating an event.
  let counters: @Sendable (_ stage: String) -> [StageCounter]
  /// Whether the observer only counts events.
  let countsOnly: Bool
  /// The probe that records a single get. See ``Provenance``.
  var probe: GetProbe?

  /// Creates an observer from a function. See ``receive``.
  ///
  /// - Parameters:
  ///   - measuresHits: Whether the event of a get that completes immediately has a duration. The
  ///     default is `false`, because two clock reads take longer than a hit in memory.
  ///   - receive: A closure that runs once for each event, on the thread on which the event
  ///     occurred.
  public init(
    measuringHits measuresHits: Bool = false, _ receive: @escaping @Sendable (CacheEvent) -> Void
  ) {
    self.init(measuresHits, counters: { _ in [] }, countsOnly: false, receive)
  }

  package init(
    _ measuresHits: Bool, counters: @escaping @Sendable (String) -> [StageCounter],
    countsOnly: Bool, _ receive: @escaping @Sendable (CacheEvent) -> Void
  ) {
    (self.measuresHits, self.counters, self.countsOnly) = (measuresHits, counters, countsOnly)
    self.receive = receive
  }

  /// Creates an observer that passes each event to several observers.
  package init(_ observers: [CacheObserver]) {
    guard observers.count > 1 else {
      self = observers[0]
      return
    }
    self.init(
      observers.contains { $0.measuresHits || $0.countsOnly },
      counters: { stage in observers.flatMap { $0.counters(stage) } }, countsOnly: false
    ) { event in
      for observer in observers { observer.receive(event) }
    }
    probe = observers.lazy.compactMap(\.probe).first
  }

  /// Returns an observer that passes each event to two observers, whose order doesn't matter.
  ///
  ///     let seen = pages.observed(by: .printing + statistics.observer)
  ///
  /// - Law: `a.observed(by: x + y) == a.observed(by: x).observed(by: y)`. See
  ///   `SeveralObserversTests.testTwoObserversAreTheirSum`.
  public static func + (one: CacheObserver, other: CacheObserver) -> CacheObserver {
    CacheObserver([one, other])
  }

  /// An observer that prints each event as one line on standard output.
  public static let printing = CacheObserver(measuringHits: true) { print($0) }
}
