import Dispatch

extension Promise {
  /// Returns a promise that settles with the same outcome on a dispatch queue, so callbacks run
  /// there.
  ///
  ///     pages.get(url).dispatched(on: .main).onSuccess { print($0) }
  ///
  /// A settled promise also moves to the queue. A callback added after the result has settled runs
  /// immediately, on the caller's thread.
  ///
  /// - Law: callbacks run on the queue. See `PromiseDispatchTests.testCallbacksMoveToTheQueue`.
  public func dispatched(on queue: DispatchQueue) -> Promise {
    flatMapOutcome { outcome in
      Promise { continuation in queue.async { continuation.settle(outcome) } }
    }
  }
}
