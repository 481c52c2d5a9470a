import Strata

/// The requests that are in flight to the origin. Concurrent requests for the same response form a
/// group, called a flight. The first request of each group, called the leader, is sent to the
/// origin. The other requests of the flight wait until the leader has ended, and then read the
/// store again. If a key is invalidated while requests for the key are in flight, the responses to
/// those requests aren't stored.
final class ActiveKeys: Sendable {
  typealias Waiter = Promise<Bool>.Continuation

  /// A request in flight.
  typealias Ticket = WriteTracker.Get

  private let order = OperationOrder()
  private let leaders = Lock<[String: [Waiter]]>([:])

  /// Makes the caller the leader of a flight if the flight has no leader. Returns `nil` if the
  /// caller becomes the leader. If the flight already has a leader, this function returns a promise
  /// that settles when the leader's request ends. If the promise's value is `true`, the leader's
  /// request was cancelled, so the caller may try to become the next leader.
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

  /// Ends a flight, which is a group of requests for the same response. Each waiting request of the
  /// group can then continue.
  func end(_ flight: String, isCancelled: Bool) {
    let waiters = leaders.withLock { $0.removeValue(forKey: flight) } ?? []
    for waiter in waiters { waiter.succeed(isCancelled) }
  }

  /// Registers a request for a key before the request is sent. The caller must call `leave` when
  /// the request ends.
  func enter(_ key: String) -> Ticket { order.begin(OperationOrder.hash(key)) }

  func leave(_ ticket: Ticket) { order.end(ticket) }

  /// Whether the cache is allowed to store the response to a request. If the key is invalidated
  /// during the request, the response must not be stored.
  func isValid(_ ticket: Ticket) -> Bool { order.isCurrent(ticket) }

  /// Prevents in-flight requests for a key from storing their responses.
  func invalidate(_ key: String) { order.overtake(OperationOrder.hash(key)) }

  /// Prevents all in-flight requests from storing their responses.
  func invalidateAll() { order.overtake(nil) }
}
