import Dispatch

extension Promise {
  /// Returns a promise that settles on a dispatch queue, with the outcome of this promise. So its
  /// callbacks run on that queue.
  ///
  ///     pages.get(url).dispatched(on: .main).onSuccess { print($0) }
  ///
  /// The returned promise settles on the queue even if this promise has already settled. But a
  /// callback that you add after the returned promise has settled runs immediately, on the caller's
  /// thread.
  ///
  /// - Law: Callbacks run on the queue. See `PromiseDispatchTests.testCallbacksMoveToTheQueue`.
  public func dispatched(on queue: DispatchQueue) -> Promise {
    flatMapOutcome { outcome in
      Promise { continuation in queue.async { continuation.settle(outcome) } }
    }
  }
}
