/// A pending promise with any type of value. Other promises can wait for this promise.
@usableFromInline
protocol PendingSource: AnyObject, Sendable {
  /// The other promise that this promise waits for, and the work that settles this promise.
  var link: (source: (any PendingSource)?, work: PendingWork?) { get }

  /// Sets the promise that this promise waits for.
  func source(is source: any PendingSource)

  /// Settles the promise with a copy of the outcome that a pointer refers to. The pointer must
  /// refer to an outcome of the promise's type.
  func settle(copying outcome: UnsafeRawPointer)

  @discardableResult
  func withdraw(_ id: Int) -> Bool
}

/// The work that settles a promise: either a get that a queue starts, or a task.
@usableFromInline
final class PendingWork: Sendable {
  /// For a get in a queue, a promise that settles when the queue starts the get. For a task, `nil`.
  let start: Pending<Void>?
  private let startTime = Lock<TimeSource.Instant?>(nil)
  let clock: TimeSource
  /// A closure that raises the priority of the work.
  let raise: @Sendable (TaskPriority) -> Void

  /// Creates work that waits in a queue.
  init(queuedOn clock: TimeSource) { (self.clock, start, raise) = (clock, Pending(), { _ in }) }

  /// Creates work that runs in a task.
  init(raise: @escaping @Sendable (TaskPriority) -> Void) {
    (clock, start, self.raise) = (.system, nil, raise)
  }

  /// Records that the work has left its queue.
  func begin() {
    guard let start else { return }
    let now = clock.now()
    startTime.withLock { $0 = now }
    start.settle(.success(()))
  }

  /// Whether the work is still waiting in its queue.
  var isWaiting: Bool { start.map { $0.outcome == nil } ?? false }

  /// The time since the work left its queue, or `nil` for a task and for work that is still queued.
  var runningTime: Duration? { startTime.withLock { $0 }?.duration(to: clock.now()) }
}

extension Pending: PendingSource {
  @usableFromInline var link: (source: (any PendingSource)?, work: PendingWork?) {
    state.withLock { ($0.listeners.source, $0.listeners.work) }
  }

  @usableFromInline
  func settle(copying outcome: UnsafeRawPointer) {
    settle(outcome.assumingMemoryBound(to: Outcome.self).pointee)
  }
}

extension Pending {
  /// Sets the work that settles this promise.
  func work(is work: PendingWork) { state.withLock { $0.listeners.work = work } }

  @usableFromInline
  func source(is source: any PendingSource) {
    let earlier = state.withLock { state in
      let earlier = state.listeners.source
      if state.outcome == nil { state.listeners.source = source }
      return earlier
    }
    withExtendedLifetime(earlier) {}
  }

  /// Raises the priority of all work that this promise waits for.
  func raise(to priority: TaskPriority) { for work in works { work.raise(priority) } }
}

extension PendingSource {
  /// All work that this promise waits for, directly or through other promises. Direct work comes
  /// first.
  ///
  /// The search stops after 1,000 promises, because promises that wait for each other would cause
  /// an endless loop.
  var works: [PendingWork] {
    var (works, next) = ([PendingWork](), self as (any PendingSource)?)
    for _ in 0..<1_000 {
      guard let pending = next else { break }
      let link = pending.link
      if let work = link.work { works.append(work) }
      next = link.source
    }
    return works
  }
}
