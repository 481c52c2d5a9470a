import Synchronization

/// Where events go: a logging or metrics library is plugged in here.
///
///     let misses = CacheObserver { if case .miss = $0.outcome { print("miss in \($0.stage)") } }
///     let seen = (memory + disk).observed(by: misses)
public struct CacheObserver: Sendable {
  /// Takes one event, on the thread where it happened.
  ///
  /// Called once for each event, by several threads at a time, and under no lock: it may use the
  /// cache that it observes. What waits for the operation waits for it as well.
  public let receive: @Sendable (CacheEvent) -> Void

  /// Makes an observer of a function.
  public init(_ receive: @escaping @Sendable (CacheEvent) -> Void) { self.receive = receive }

  /// Prints each event on a line of standard output.
  public static let print = CacheObserver { Swift.print($0) }
}

/// An observer as a stage sees it: with the stage's name and a clock.
@usableFromInline
struct Reporter: Sendable {
  let stage: String
  let observer: CacheObserver
  let time: TimeSource
  /// Whether it has no name, and is called as its plan reads.
  var isUnnamed = false

  /// When something began: the moment, and its place among all that has begun in this process.
  @usableFromInline
  struct Start: Sendable {
    let instant: TimeSource.Instant
    let order: Int

    private static let last = Atomic(0)

    init(at instant: TimeSource.Instant) {
      self.instant = instant
      order = Self.last.add(1, ordering: .relaxed).newValue
    }
  }

  @usableFromInline
  func now() -> Start { Start(at: time.now()) }

  func named(_ stage: String) -> Reporter {
    Reporter(stage: stage, observer: observer, time: time)
  }

  func report<Value>(
    _ operation: CacheEvent.Operation, _ key: (any Sendable)?, since start: Start?,
    _ outcome: Promise<Value>.Outcome, cause: EvictionCause? = nil, bytes: Int? = nil,
    isOrigin: Bool = false
  ) {
    let end: CacheEvent.Outcome =
      switch outcome {
      case .success: .success
      case .failure(let error): error.isMiss ? .miss(error) : .failure(error)
      case .cancelled: .cancelled
      }
    let start = start ?? now()
    observer.receive(
      CacheEvent(
        stage: stage, operation: operation, key: key, outcome: end,
        duration: start.instant.duration(to: time.now()), cause: cause,
        bytes: bytes ?? outcome.value.flatMap(CacheEvent.bytes), isOrigin: isOrigin, start: start,
        isUnnamed: isUnnamed))
  }
}
