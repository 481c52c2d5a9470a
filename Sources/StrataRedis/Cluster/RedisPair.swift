import Strata

/// A get whose record and epoch are read by two requests.
final class RedisPair: Sendable {
  private struct State {
    /// The get, until it has its answer.
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

  /// Finishes the get with both replies, or with the first failure.
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
