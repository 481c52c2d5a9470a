import StrataCore

/// The callers that wait for the number of an epoch. They share one request, which is sent after
/// all of them have begun to wait.
final class RedisEpochReaders: Sendable {
  typealias Receive = @Sendable (Result<RedisReply, RedisFailure>) -> Void

  typealias Reader = (deadline: Int64, receive: Receive)

  private struct State {
    /// The deadline of the request in flight, or `nil` if there is none.
    var end: Int64?
    var waiting: [Reader] = []
  }

  private let state = Lock(State())

  /// Adds a caller. Returns whether the caller must send the request that reads the epoch. That's
  /// also the case if its deadline passes before that of the request in flight.
  func add(_ deadline: Int64, _ receive: @escaping Receive) -> Bool {
    state.withLock { state in
      state.waiting.append((deadline, receive))
      guard let end = state.end, end <= deadline else {
        state.end = deadline
        return true
      }
      return false
    }
  }

  /// Returns the callers that share the next request, and the earliest of their deadlines. Returns
  /// `nil` if no caller is waiting: then the next call of `add` returns `true`.
  func take() -> (deadline: Int64, readers: [Reader])? {
    state.withLock { state in
      defer { state.waiting = [] }
      state.end = state.waiting.map(\.deadline).min()
      return state.end.map { ($0, state.waiting) }
    }
  }

  /// Returns the callers that receive the failure of a request that they have shared. The others
  /// still have time, so they wait for the next request.
  func fail(_ readers: [Reader], at now: Int64, after deadline: Int64) -> [Reader] {
    guard deadline <= now else { return readers }  // The request has failed for another reason.
    state.withLock { $0.waiting += readers.filter { $0.deadline > now } }
    return readers.filter { $0.deadline <= now }
  }
}
