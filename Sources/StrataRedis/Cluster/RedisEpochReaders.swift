import StrataCore

/// The callers that wait for the number of an epoch. They share one request, which is sent after
/// all of them have begun to wait.
final class RedisEpochReaders: Sendable {
  typealias Receive = @Sendable (Result<RedisReply, RedisFailure>) -> Void

  private struct State {
    var isReading = false
    var waiting: [(deadline: Int64, receive: Receive)] = []
  }

  private let state = Lock(State())

  /// Adds a caller. Returns whether the caller must send the request that reads the epoch.
  func add(_ deadline: Int64, _ receive: @escaping Receive) -> Bool {
    state.withLock { state in
      state.waiting.append((deadline, receive))
      defer { state.isReading = true }
      return !state.isReading
    }
  }

  /// Returns the callers that share the next request, and the earliest of their deadlines. Returns
  /// `nil` if no caller is waiting: then the next call of `add` returns `true`.
  func take() -> (deadline: Int64, receivers: [Receive])? {
    let waiting = state.withLock { state in
      state.isReading = !state.waiting.isEmpty
      defer { state.waiting = [] }
      return state.waiting
    }
    return waiting.map(\.deadline).min().map { ($0, waiting.map(\.receive)) }
  }
}
