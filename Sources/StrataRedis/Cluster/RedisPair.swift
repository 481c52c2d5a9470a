import StrataCore

/// A request in a cluster that needs two replies: its own, and one with the current epoch.
final class RedisPair: Sendable {
  private struct State {
    /// The request, or `nil` after it has been answered.
    var request: RedisRequest?
    var epoch: RedisReply?
    var reply: RedisReply?
  }

  private let state: Lock<State>

  init(_ request: RedisRequest) { state = Lock(State(request: request)) }

  func receive(epoch answer: Result<RedisReply, RedisFailure>) {
    finish(answer) { $0.epoch = $1 }
  }

  func receive(_ answer: Result<RedisReply, RedisFailure>) {
    finish(answer) { $0.reply = $1 }
  }

  /// Finishes the request as soon as both replies have arrived or one request has failed.
  private func finish(
    _ answer: Result<RedisReply, RedisFailure>, _ store: (inout State, RedisReply) -> Void
  ) {
    switch answer {
    case .failure: state.withLock { $0.request.take() }?.finish(answer)
    case .success(let reply):
      let (request, epoch, own) = state.withLock { state in
        store(&state, reply)
        let isComplete = state.epoch != nil && state.reply != nil
        return (isComplete ? state.request.take() : nil, state.epoch, state.reply)
      }
      guard let epoch, let own else { return }
      request?.finish(.success(own), epoch: RedisEpoch.number(epoch))
    }
  }
}
