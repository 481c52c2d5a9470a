import StrataNetwork

/// The requests that are in flight to the origin. Requests for the same response form a group,
/// called a flight. The flight's first request, the leader, goes to the origin, while the others
/// wait. Once the leader has ended, they read the store again. When a key is invalidated, the cache
/// doesn't store the responses to its requests in flight.
final class ActiveKeys: Sendable {
  /// A request in flight.
  struct Ticket: Sendable {
    fileprivate let hash: Int
    fileprivate let version: KeyVersions.Version
  }

  /// The end of a leader's request.
  enum End: Sendable {
    /// The request was cancelled or overtaken, so another request of the flight must lead.
    case retry
    /// The origin has answered the leader. When the response fits the waiting requests, they find
    /// it in the store.
    case answered(HTTPExchange)
    /// The leader couldn't reach the origin.
    case failed(any Error, HTTPExchange)
    /// The origin answered the leader with an error.
    case refused(NetworkResponse, HTTPExchange)
  }

  /// The role of a request in a flight.
  enum Role: Sendable {
    case leader
    /// The request waits for the leader.
    case waiter(Promise<End>)
    /// The request is sent on its own, because waiting would be useless.
    case alone
  }

  /// The time for which requests of a flight don't wait, because a leader's response didn't fit
  /// those that waited. For example, the response might not be allowed in the store.
  static let pause = Duration.seconds(10)
  /// The maximum number of flights that are remembered as not worth waiting for.
  static let maximumAvoided = 1000

  private struct Flight {
    var waiters: [Promise<End>.Continuation] = []
    /// Raises the leader's request, once it has begun.
    var raise: (@Sendable (TaskPriority) -> Void)?
    /// The highest priority of the waiting requests.
    var priority = TaskPriority(rawValue: 0)

    /// Returns a function that raises the leader's request, or `nil` if an earlier priority was at
    /// least as high.
    mutating func note(_ new: TaskPriority) -> (@Sendable (TaskPriority) -> Void)? {
      guard new > priority else { return nil }
      priority = new
      return raise
    }
  }

  private struct State {
    var leaders: [String: Flight] = [:]
    /// For the hash of each avoided flight, the end of its pause.
    var avoided: [Int: TimeSource.Instant] = [:]
  }

  /// Retains the activity, because all caches over one store must share it.
  private let activity: StoreActivity
  private let state = Lock(State())

  init(_ activity: StoreActivity) { self.activity = activity }

  private var versions: Lock<KeyVersions> { activity.requests }

  /// Adds a request to a flight. When the flight has no leader, the request becomes the leader.
  ///
  /// - Parameters:
  ///   - canLead: Whether other requests of the flight could use the response. If they couldn't,
  ///     and there's no leader to wait for, the request is sent on its own.
  ///   - isBackground: Whether no caller waits for the request. Such a request is never sent on its
  ///     own: if the flight has a leader, the request isn't needed.
  ///   - priority: The priority of the caller, or `nil` if no caller waits. If this priority is
  ///     higher than the leader's, the leader's request gets it, too.
  func join(
    _ flight: String, canLead: Bool, isBackground: Bool = false, at now: TimeSource.Instant,
    priority: TaskPriority? = nil
  ) -> Role {
    let hash = KeyVersions.hash(flight)
    var role = Role.alone
    var raise: (@Sendable (TaskPriority) -> Void)?
    let end = Promise<End> { continuation in
      role = state.withLock { state in
        if !isBackground, let end = state.avoided[hash], now < end { return .alone }
        guard state.leaders[flight] == nil else {
          state.leaders[flight]?.waiters.append(continuation)
          if let priority { raise = state.leaders[flight]?.note(priority) }
          return .waiter(.miss)
        }
        if canLead { state.leaders[flight] = Flight() }
        return canLead ? .leader : .alone
      }
    }
    if let priority { raise?(priority) }
    if case .waiter = role { return .waiter(end) }
    return role
  }

  /// Notes that the leader's request has begun, and stores the closure that raises its priority.
  func lead(_ flight: String, raisingBy raise: @escaping @Sendable (TaskPriority) -> Void) {
    let priority = state.withLock { state in
      state.leaders[flight]?.raise = raise
      return state.leaders[flight]?.priority
    }
    if let priority, priority.rawValue > 0 { raise(priority) }
  }

  /// Ends a flight, so all its waiting requests can continue.
  func end(_ flight: String, _ end: End) {
    let ended = state.withLock { $0.leaders.removeValue(forKey: flight) }
    for waiter in ended?.waiters ?? [] { waiter.succeed(end) }
  }

  /// Remembers for a while that waiting for the leader of a flight is useless.
  func avoid(_ flight: String, at now: TimeSource.Instant) {
    let hash = KeyVersions.hash(flight)
    state.withLock { state in
      if state.avoided.count >= Self.maximumAvoided {
        state.avoided = state.avoided.filter { now < $0.value }
        if state.avoided.count >= Self.maximumAvoided { state.avoided = [:] }
      }
      state.avoided[hash] = now.advanced(by: Self.pause)
    }
  }

  /// The number of flights that are remembered as not worth waiting for.
  var avoided: Int { state.withLock { $0.avoided.count } }

  /// Registers a request for a key before it's sent. When the request ends, the caller of this
  /// function must call `leave`.
  func enter(_ key: String) -> Ticket {
    let hash = KeyVersions.hash(key)
    return Ticket(hash: hash, version: versions.withLock { $0.watch(hash) })
  }

  func leave(_ ticket: Ticket) { versions.withLock { $0.unwatch(ticket.hash) } }

  /// Whether the cache may store the response to a request: not if the key was invalidated in the
  /// meantime.
  func isValid(_ ticket: Ticket) -> Bool {
    versions.withLock { !$0.isWritten(ticket.hash, since: ticket.version) }
  }

  /// Prevents in-flight requests for a key from storing their responses.
  func invalidate(_ key: String) {
    let hash = KeyVersions.hash(key)
    versions.withLock { _ = $0.change(hash) }
  }

  /// Prevents all in-flight requests from storing their responses.
  func invalidateAll() { versions.withLock { _ = $0.change(nil) } }
}
