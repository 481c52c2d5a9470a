import Dispatch

extension Promise {
  /// Returns a promise that settles as this one does, on `queue`, so that its callbacks run there.
  public func dispatched(on queue: DispatchQueue) -> Promise {
    flatMapOutcome { outcome in
      Promise { continuation in queue.async { continuation.settle(outcome) } }
    }
  }
}
