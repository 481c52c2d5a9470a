import Strata

/// The requests that are in flight to the origin. Requests for the same response form a group,
/// called a flight. Each flight has one leader, which sends its request to the origin, while the
/// other requests wait. If a key is invalidated while requests for the key are in flight, the
/// responses to those requests aren't stored.
final class ActiveKeys: Sendable {
  typealias Waiter = Promise<Bool>.Continuation

  /// A request in flight.
  typealias Ticket = WriteTracker.Get

  private let order = OperationOrder()
  private let leaders = Lock<[String: [Waiter]]>([:])

  /// Joins the group of in-flight requests for the same response. Returns `nil` if the caller
  /// becomes the leader. If the group already has a leader, this function returns a promise that
  /// settles when the leader's request ends. The value of the promise is `true` if the leader's
  /// request was cancelled.
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
