import Dispatch

extension Promise {
  /// Returns a promise that settles as this one does, on `queue`, so that its callbacks run there.
  ///
  ///     pages.get(url).dispatched(on: .main).onSuccess { print($0) }
  ///
  /// What is there already moves to the queue too. A callback registered after it has settled runs
  /// at once, on the caller's thread.
  ///
  /// - Law: see `PromiseDispatchTests.testCallbacksMoveToTheQueue`.
  public func dispatched(on queue: DispatchQueue) -> Promise {
    flatMapOutcome { outcome in
      Promise { continuation in queue.async { continuation.settle(outcome) } }
    }
  }
}
