import StrataCore

/// A get in a cluster, which needs two replies: one with the record, and one with the current
/// epoch.
final class RedisPair: Sendable {
  private struct State {
    /// The get, or `nil` after the get has been answered.
    var request: RedisRequest?
    var epoch: RedisReply?
    var record: RedisReply?
  }

  private let state: Lock<State>

  init(_ request: RedisRequest) { state = Lock(State(request: request)) }

  func receive(epoch answer: Result<RedisReply, RedisFailure>) {
    finish(answer) { $0.epoch = $1 }
  }

  func receive(record answer: Result<RedisReply, RedisFailure>) {
    finish(answer) { $0.record = $1 }
  }

  /// Finishes the get as soon as both requests have succeeded or one request has failed.
  private func finish(
    _ answer: Result<RedisReply, RedisFailure>, _ store: (inout State, RedisReply) -> Void
  ) {
    switch answer {
    case .failure:
      var request = state.withLock { $0.request.take() }
      request?.finish(answer)
    case .success(let reply):
      var (request, epoch, record) = state.withLock { state in
        store(&state, reply)
        let isComplete = state.epoch != nil && state.record != nil
        return (isComplete ? state.request.take() : nil, state.epoch, state.record)
      }
      guard let epoch, let record else { return }
      request?.finish(.success(record), epoch: epoch)
    }
  }
}
