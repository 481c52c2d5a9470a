import Strata

/// The requests in flight to the origin. Requests for the same response form a flight. One of them
/// is the leader, and the others wait for it. An invalidation overtakes the requests of its key.
final class ActiveKeys: Sendable {
  typealias Waiter = Promise<Bool>.Continuation

  /// A request in flight.
  typealias Ticket = WriteTracker.Get

  private let order = OperationOrder()
  private let leaders = Lock<[String: [Waiter]]>([:])

  /// Joins a flight. Returns `nil` if the caller becomes the leader. Otherwise, returns a promise
  /// that settles when the leader ends. Its value is `true` if the leader was cancelled.
  func lead(_ flight: String) -> Promise<Bool>? {
    var isLeader = false
    let end = Promise<Bool> { continuation in
      isLeader = leaders.withLock { leaders in
        guard leaders[flight] != nil else {
          leaders[flight] = []
          return true
        }
        leaders[flight]?.append(continuation)
        return false
      }
    }
    return isLeader ? nil : end
  }

  /// Ends a flight, and resumes the waiting requests.
  func end(_ flight: String, isCancelled: Bool) {
    let waiters = leaders.withLock { $0.removeValue(forKey: flight) } ?? []
    for waiter in waiters { waiter.succeed(isCancelled) }
  }

  /// Registers a request before it is sent. The caller must call `leave` afterwards.
  func enter(_ key: String) -> Ticket { order.begin(OperationOrder.hash(key)) }

  func leave(_ ticket: Ticket) { order.end(ticket) }

  /// Whether a request is valid, because no invalidation has overtaken it.
  func isValid(_ ticket: Ticket) -> Bool { order.isCurrent(ticket) }

  /// Invalidates the requests of a key that are in flight.
  func invalidate(_ key: String) { order.overtake(OperationOrder.hash(key)) }

  /// Invalidates all requests in flight.
  func invalidateAll() { order.overtake(nil) }
}
