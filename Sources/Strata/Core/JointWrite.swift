/// A write to all levels of a sum. The joint write settles when the write to each level has
/// settled. If any level fails, the write fails with the error of the uppermost failed level. A
/// back-fill doesn't fail if a level refuses the value because of a missing lease.
///
/// The write runs to completion even if its promise is cancelled, because a partial write would
/// leave the levels inconsistent.
struct JointWrite: Sendable {
  private struct State {
    var missing: Int
    var failure: (level: Int, error: any Error)?
    var isCancelled = false
  }

  private let state: Lock<State>
  private let result = Pending<Void>()

  init(of levels: Int) { state = Lock(State(missing: levels)) }

  /// Records how the write to one level ended. Returns whether the writes to all levels have now
  /// settled.
  func record(_ outcome: Promise<Void>.Outcome, of level: Int) -> Bool {
    let (isLast, _) = state.withLock { state in
      let replaced = state.failure  // The replaced error is released outside the lock.
      switch outcome {
      case .success, .failure(is MissingLease): break
      case .cancelled: state.isCancelled = true
      case .failure(let error):
        if level < state.failure?.level ?? .max { state.failure = (level, error) }
      }
      state.missing -= 1
      return (state.missing == 0, replaced)
    }
    return isLast
  }

  /// Settles the promise with the failure of the uppermost failed level. If no level failed but a
  /// level's write was cancelled, the promise is cancelled. If every level succeeded, the promise
  /// succeeds.
  func settle() {
    let (failure, isCancelled) = state.withLock { ($0.failure, $0.isCancelled) }
    result.settle(failure.map { .failure($0.error) } ?? (isCancelled ? .cancelled : .success(())))
  }

  var promise: Promise<Void> { result.promise }
}
