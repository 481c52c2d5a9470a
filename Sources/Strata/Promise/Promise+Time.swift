extension Promise {
  /// Returns a promise that fails with ``CacheError/timedOut(stage:after:key:)`` if this promise
  /// doesn't settle in time.
  ///
  /// When the limit has passed, the work of this promise stops unless another caller needs it.
  ///
  ///     let page = network.get("a").timeout(after: .seconds(5))
  ///
  /// - Parameters:
  ///   - limit: The time limit, measured from the call to this function. The time that the work
  ///     spends in a queue doesn't count toward the limit. If the limit is zero or less, only a
  ///     promise that has already settled is in time.
  ///   - clock: The clock that measures the time. The default is the system clock.
  /// - Law: If a promise doesn't settle in time, the result fails, and the work stops. See
  ///   `PromiseTimeTests.testATimeoutFailsWithTimedOutAndStopsTheWork`.
  public func timeout(after limit: Duration, clock: TimeSource = .system) -> Promise {
    timeout(after: limit, clock: clock) { CacheError.timedOut(after: limit) }
  }

  /// Returns a promise that fails with an error unless this promise settles in time.
  ///
  /// - Parameter withQueue: Whether the time that the work spends in a queue counts toward the
  ///   limit.
  func timeout(
    after limit: Duration, clock: TimeSource, withQueue: Bool = false,
    _ error: @escaping @Sendable () -> any Error
  ) -> Promise {
    guard case .pending(let pending) = state, outcome == nil else { return self }
    let limit = TimeLimit(pending, limit, clock, withQueue: withQueue, error)
    limit.bounded.source(is: pending)
    limit.start()
    limit.bounded.add(self) { limit.bounded.end($0) }
    return limit.bounded.promise().observed { _ in limit.cancelTimer() }
  }

  /// Returns a promise that settles after a delay, with the same outcome as this promise.
  ///
  /// A failure or a cancellation of this promise is also delayed. Cancelling the result takes
  /// effect immediately.
  ///
  /// - Parameters:
  ///   - delay: The time between settling this promise and settling the result.
  ///   - clock: The clock that measures the time. The default is the system clock.
  /// - Law: The delay starts when this promise settles. See
  ///   `PromiseTimeTests.testADelayStartsAtTheOutcomeAndPreservesIt`.
  public func delayed(by delay: Duration, clock: TimeSource = .system) -> Promise {
    flatMapOutcome { outcome in
      Promise { continuation in
        let cancelTimer = clock.after(delay) { continuation.settle(outcome) }
        continuation.onCancel(cancelTimer)
      }
    }
  }
}

/// The time limit of a promise. By default, the time that the work spends in queues doesn't count
/// toward the limit.
private final class TimeLimit<Value: Sendable>: Sendable {
  let bounded = PromiseGroup<Value>()
  let pending: Pending<Value>
  let limit: Duration
  let clock: TimeSource
  let withQueue: Bool
  let error: @Sendable () -> any Error
  private let timer = Lock<(@Sendable () -> Void)?>(nil)

  init(
    _ pending: Pending<Value>, _ limit: Duration, _ clock: TimeSource, withQueue: Bool,
    _ error: @escaping @Sendable () -> any Error
  ) {
    (self.pending, self.limit, self.clock) = (pending, limit, clock)
    (self.withQueue, self.error) = (withQueue, error)
  }

  func start() {
    if !waits(counted: nil) { arm(limit, counted: nil) }
  }

  func cancelTimer() { timer.withLock { $0.take() }?() }

  /// - Parameter counted: The work whose running time is limited, or `nil` if the limit is measured
  ///   from the call to `timeout`.
  private func arm(_ rest: Duration, counted: PendingWork?) {
    let cancel = clock.after(rest) { self.expire(counted: counted) }
    let earlier = timer.withLock { timer in
      defer { timer = cancel }
      return timer
    }
    withExtendedLifetime(earlier) { if bounded.isSettled { cancelTimer() } }
  }

  private func expire(counted: PendingWork?) {
    guard !bounded.isSettled, !waits(counted: counted) else { return }
    let late = withQueue ? nil : pending.works.first { $0 !== counted && $0.start != nil }
    guard let late, let time = late.runningTime, time < limit else {
      return bounded.end(.failure(error()))
    }
    arm(limit - time, counted: late)
  }

  /// Returns whether any of the promise's work is still waiting in a queue. If work is waiting,
  /// this function starts the timer when the work leaves the queue. The timer then runs for the
  /// full `limit`.
  private func waits(counted: PendingWork?) -> Bool {
    guard !withQueue,
      let work = pending.works.first(where: \.isWaiting), let start = work.start
    else { return false }
    start.promise.observed { [self] _ in if !bounded.isSettled { arm(limit, counted: work) } }
    return true
  }
}
