extension Promise {
  /// Returns a promise that fails with ``CacheError/timedOut(stage:after:key:)`` if this promise
  /// doesn't settle in time.
  ///
  /// When the limit has passed, the work of this promise stops, unless another caller needs it.
  ///
  ///     let page = network.get("a").timeout(after: .seconds(5))
  ///
  /// - Parameters:
  ///   - limit: The time limit, which begins with the call of this function. Zero or less means
  ///     that only a promise that has already settled is in time.
  ///   - clock: The clock that measures the time. By default, it's the system clock.
  /// - Law: When a promise doesn't settle in time, the result fails, and the work stops. See
  ///   `PromiseTimeTests.testATimeoutFailsWithTimedOutAndStopsTheWork`.
  public func timeout(after limit: Duration, clock: TimeSource = .system) -> Promise {
    timeout(after: limit, clock: clock) { CacheError.timedOut(after: limit) }
  }

  /// Returns a promise that fails with an error unless this promise settles in time.
  package func timeout(
    after limit: Duration, clock: TimeSource, _ error: @escaping @Sendable () -> any Error
  ) -> Promise {
    guard case .pending = state, outcome == nil else { return self }
    let bounded = PromiseGroup<Value>()
    let cancelTimer = clock.after(limit) { bounded.end(.failure(error())) }
    bounded.add(self) { bounded.end($0) }
    return bounded.promise().observed { _ in cancelTimer() }
  }

  /// Returns a promise that settles after a delay, with the same outcome as this promise.
  ///
  /// The delay also applies to failures and cancellations of this promise. But cancelling the
  /// result takes effect immediately.
  ///
  /// - Parameters:
  ///   - delay: The time from the outcome of this promise to the outcome of the result.
  ///   - clock: The clock that measures the time. By default, it's the system clock.
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
