/// An event at one stage of a pipeline. ``Cache/observed(clock:measuringHits:_:)`` reports events.
///
///     let seen = disk.named("disk").observed { event in
///       if case .failure(let error) = event.outcome { print(event.stage, error) }
///     }
public struct CacheEvent: Sendable {
  /// The operation that an event reports.
  public enum Operation: String, Sendable {
    /// A value was read. The outcome shows whether the get was a hit, a miss, a failure, or a
    /// cancellation.
    case get
    /// A value was stored.
    case set
    /// A value was removed.
    case remove
    /// All values were removed.
    case clear
    /// ``Cache/expire(_:)`` made a value stale, or ``Cache/expireAll()`` made all values stale.
    /// Caches without stale values report a `remove` or a `clear` instead.
    case expire
    /// A sum wrote a value from a lower level into a higher level.
    case backFill
    /// The fetcher that was passed to `refreshing` loaded a value.
    case refresh
    /// The origin below a stage was called. This event is reported only if at least one verb, such
    /// as `named`, is between the stage and the origin.
    case load
    /// In a pool, a get joined a load of its key that was already in flight. The duration of the
    /// event is the time for which the get waited for the load.
    case join
    /// A get of a refreshed cache or of an HTTP level returned a stored value whose freshness had
    /// ended. This event is in addition to the event of the get.
    case stale
    /// A get waited until `limited(toConcurrentGets:)` allowed it to begin.
    case wait
    /// The circuit breaker of `breakingCircuit` opened or closed. When the circuit opens, the
    /// outcome is a failure with ``CacheError/circuitOpen(stage:until:)``.
    case circuit
    /// A level removed a value without a request from a caller. ``CacheEvent/cause`` states the
    /// reason.
    case eviction
    /// The system was short of memory.
    case memoryWarning
    /// A level can't use its storage, such as a directory, so each of its gets is a miss. This
    /// event is reported once, and its outcome is a failure with the reason.
    case unusable
  }

  /// The outcome of an operation.
  public enum Outcome: Sendable {
    /// A get found a value, or another operation succeeded.
    case success
    /// The value is absent. The error states the reason.
    case miss(any Error)
    /// The operation failed.
    case failure(any Error)
    /// All callers that waited for the operation have cancelled it.
    case cancelled
  }

  /// The name that was passed to `named`, or the text of the plan if the observed cache has no
  /// name.
  public let stage: String
  /// The operation.
  public let operation: Operation
  /// The key, or `nil` if the operation affects all keys, or if a disk level evicted the value. The
  /// key has the stage's key type, and is never converted to text.
  public let key: (any Sendable)?
  /// The outcome of the operation.
  public let outcome: Outcome
  /// The time from the call to the outcome, or `nil` if it wasn't measured.
  ///
  /// By default, a get that completes immediately has no duration. The duration of a pending get
  /// begins when its call returns the promise. If the stage is an origin, or if the observer has
  /// `measuringHits: true`, every get is timed from its call.
  public let duration: Duration?
  /// The cause of an eviction, or `nil` for any other operation.
  public let cause: EvictionCause?
  /// The size of the found, stored, or evicted value in bytes, without its stamp. It's `nil` unless
  /// the value is `Data`, `[UInt8]`, or `String`.
  public let bytes: Int?
  /// Whether the stage is an origin, such as a network. In statistics, a get of an origin counts as
  /// a load.
  public let isOrigin: Bool

  /// The start of the operation, or `nil` if the start wasn't recorded.
  package let start: Reporter.Start?
  /// Whether the stage has no name.
  package let isUnnamed: Bool
  /// Whether the event reports a call to an origin.
  package let isLoad: Bool
  /// The number of gets that this event represents in a histogram.
  package let weight: Int

  /// Creates an event for testing an observer.
  ///
  ///     let hit = CacheEvent(stage: "disk", operation: .get, key: "a", outcome: .success)
  ///     statistics.observer.receive(hit)
  ///     statistics.snapshot["disk"]?.hits  // 1
  ///
  /// - Parameters:
  ///   - stage: The name of the stage.
  ///   - operation: The operation.
  ///   - key: The key, or `nil` for all keys.
  ///   - outcome: The outcome of the operation.
  ///   - duration: The time from the call to the outcome, or `nil` if it's unknown. The default is
  ///     zero.
  ///   - cause: The cause of an eviction.
  ///   - bytes: The size of the value in bytes, or `nil` if it's unknown. A negative size counts as
  ///     zero.
  ///   - isOrigin: Whether the stage is an origin, which doesn't store values. The default is
  ///     `false`.
  public init(
    stage: String, operation: Operation, key: (any Sendable)? = nil, outcome: Outcome,
    duration: Duration? = .zero, cause: EvictionCause? = nil, bytes: Int? = nil,
    isOrigin: Bool = false
  ) {
    self.init(
      stage: stage, operation: operation, key: key, outcome: outcome, duration: duration,
      cause: cause, bytes: bytes.map { max(0, $0) }, isOrigin: isOrigin, start: nil,
      isUnnamed: false,
      isLoad: isOrigin, weight: 1)
  }

  @inline(never)
  init(
    stage: String, operation: Operation, key: (any Sendable)?, outcome: Outcome,
    duration: Duration?, cause: EvictionCause?, bytes: Int?, isOrigin: Bool,
    start: Reporter.Start?, isUnnamed: Bool, isLoad: Bool, weight: Int
  ) {
    (self.stage, self.operation, self.key, self.outcome) = (stage, operation, key, outcome)
    (self.duration, self.cause, self.bytes, self.isOrigin) = (duration, cause, bytes, isOrigin)
    (self.start, self.isUnnamed, self.isLoad) = (start, isUnnamed, isLoad)
    self.weight = weight
  }
}

extension CacheEvent.Outcome {
  package init<Value>(_ outcome: Promise<Value>.Outcome) {
    switch outcome {
    case .success: self = .success
    case .failure(let error): self = error.isMiss ? .miss(error) : .failure(error)
    case .cancelled: self = .cancelled
    }
  }
}

extension CacheEvent: CustomStringConvertible {
  /// One line with the stage, the operation, the outcome, and the duration if it's known. It
  /// doesn't contain the key, which might be a secret.
  public var description: String {
    let end =
      switch (operation, outcome) {
      case (.get, .success): "hit"
      case (_, .success): "done"
      case (_, .miss): "miss"
      case (_, .failure(let error)): "failed: \(bounded("\(error)"))"
      case (_, .cancelled): "cancelled"
      }
    let time = duration.map { " in \($0.formattedShort)" } ?? ""
    return "\(stage): \(operation.rawValue) \(end)\(time)"
  }
}

extension Duration {
  /// The duration with one decimal digit and a unit, such as `1.3 ms`.
  package var formattedShort: String {
    let nanoseconds = self / .nanoseconds(1)
    let units: [(String, Double)] = [("s", 1e9), ("ms", 1e6), ("us", 1e3)]
    let unit = units.first { nanoseconds.magnitude >= $0.1 } ?? ("ns", 1)
    let tenths = (nanoseconds / unit.1 * 10).rounded() / 10
    return "\(tenths) \(unit.0)"
  }
}
