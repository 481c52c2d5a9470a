/// One write given to all levels of a sum: settles when all have, with the upper-most failure.
///
/// It runs to its end also when its promise is cancelled: half a write would leave the levels in
/// disagreement.
struct JointWrite: Sendable {
  private struct State {
    var missing: Int
    var failure: (level: Int, error: any Error)?
    var isCancelled = false
  }

  private let state: Lock<State>
  private let result = Pending<Void>()

  init(of levels: Int) { state = Lock(State(missing: levels)) }

  /// Notes how a level ended; true if it was the last one.
  func note(_ outcome: Promise<Void>.Outcome, of level: Int) -> Bool {
    state.withLock { state in
      switch outcome {
      case .success: break
      case .cancelled: state.isCancelled = true
      case .failure(let error):
        if level < state.failure?.level ?? .max { state.failure = (level, error) }
      }
      state.missing -= 1
      return state.missing == 0
    }
  }

  /// Settles with the upper-most failure, else a cancellation, else success.
  func settle() {
    let (failure, isCancelled) = state.withLock { ($0.failure, $0.isCancelled) }
    result.settle(failure.map { .failure($0.error) } ?? (isCancelled ? .cancelled : .success(())))
  }

  var promise: Promise<Void> { result.promise }
}
