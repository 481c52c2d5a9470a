import StrataVerbs

extension Sequence {
  /// Returns a promise with the first outcome of several promises, whether it is a success, a
  /// failure, or a cancellation.
  ///
  /// When one of the promises settles, the work of all others stops, unless another caller needs
  /// it. For an empty sequence, the result fails with `CacheError.notFound`. In PiedPiper, the work
  /// of the others continues, and the result of an empty sequence never settles.
  ///
  ///     let quickest = [network.get("a"), disk.get("a")].firstCompleted()  // or the first failure
  ///
  /// - Complexity: O(n).
  /// - Law: The first outcome ends the race, even if it isn't a success. See
  ///   `SequenceFirstCompletedTests.testTheFirstOutcomeEndsTheRaceAndCancelsTheRest`.
  public func firstCompleted<Value>() -> Promise<Value> where Element == Promise<Value> {
    // Each runner is a promise of its own, so its cancellation doesn't affect other callers.
    let runners = map { promise in promise.map { $0 } }
    guard !runners.isEmpty else { return Promise(error: CacheError.notFound) }
    let stop: @Sendable () -> Void = { for runner in runners { runner.cancel() } }
    return Promise { race in
      race.onCancel(stop)
      for runner in runners {
        runner.observed { outcome in if race.settle(outcome) { stop() } }
      }
    }
  }
}
