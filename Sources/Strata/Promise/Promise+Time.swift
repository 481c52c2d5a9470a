extension Promise {
  /// Returns a promise that fails with ``CacheError/timedOut`` unless this one settles in time.
  ///
  /// The work beneath is let go of then, and stops if nobody else wants it.
  ///
  ///     let page = network.get("a").timeout(after: .seconds(5))
  ///
  /// - Parameters:
  ///   - limit: The time allowed from now; zero or less allows only what is there already.
  ///   - time: Where the time comes from.
  /// - Law: see `PromiseTimeTests.testNothingInTimeFailsWithTimedOutAndStopsTheWork`.
  public func timeout(after limit: Duration, on time: TimeSource = .system) -> Promise {
    if let outcome { return Promise(outcome: outcome) }
    let bounded = Gathering<Value>()
    let callOff = time.after(limit) { bounded.end(.failure(CacheError.timedOut)) }
    bounded.add(self) { bounded.end($0) }
    return bounded.promise().observed { _ in callOff() }
  }

  /// Returns a promise that settles as this one does, `delay` later.
  ///
  /// A failure and a cancellation from beneath are delayed as well. Cancelling the result is not.
  ///
  /// - Parameters:
  ///   - delay: Counted from the moment this promise settles.
  ///   - time: Where the time comes from.
  /// - Law: see `PromiseTimeTests.testADelayIsCountedFromTheEndAndKeepsItsKind`.
  public func delayed(by delay: Duration, on time: TimeSource = .system) -> Promise {
    flatMapOutcome { outcome in
      Promise { continuation in
        let callOff = time.after(delay) { continuation.settle(outcome) }
        continuation.onCancel(callOff)
      }
    }
  }
}
