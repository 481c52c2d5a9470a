/// The common result of *n* writes. It settles when each of them has settled or is late.
///
/// If any write fails, the result fails with the error of the first failed write. If no write fails
/// but a write is cancelled, the result is cancelled. Cancelling the result doesn't cancel the
/// writes.
struct Joint: Sendable {
  private struct State {
    var missing: Int
    var recorded: Set<Int> = []
    var failures: [(index: Int, error: any Error)] = []
    var isCancelled = false
  }

  private let state: Lock<State>
  let result = Pending<Void>()

  init(of count: Int) { state = Lock(State(missing: count)) }

  var promise: Promise<Void> { result.promise }

  /// Records the outcome of a write, unless an outcome of that write was recorded before.
  ///
  /// - Returns: Whether the outcome is the first one, and whether no other outcome is missing.
  func record(
    _ outcome: Promise<Void>.Outcome, of index: Int
  ) -> (isFirst: Bool, isLast: Bool) {
    state.withLock { state in
      guard state.recorded.insert(index).inserted else { return (false, false) }
      switch outcome {
      case .success: break
      case .cancelled: state.isCancelled = true
      case .failure(let error): state.failures.append((index, error))
      }
      state.missing -= 1
      return (true, state.missing == 0)
    }
  }

  func isRecorded(_ index: Int) -> Bool { state.withLock { $0.recorded.contains(index) } }

  /// Settles the result after all outcomes have been recorded.
  func settle() {
    let (failures, isCancelled) = state.withLock { ($0.failures, $0.isCancelled) }
    let first = failures.min { $0.index < $1.index }
    result.settle(first.map { .failure($0.error) } ?? (isCancelled ? .cancelled : .success(())))
  }
}

extension Promise where Value == Void {
  /// Returns a promise that settles when all given writes have settled. The writes are independent
  /// and already running. See `Joint`.
  ///
  /// Cancelling the returned promise cancels each pending write that no other caller waits for.
  static func joint(_ writes: [Promise]) -> Promise {
    if writes.allSatisfy({ $0.outcome?.value != nil }) { return Promise() }
    let (whole, joint) = (PromiseGroup<Void>(), Joint(of: writes.count))
    for (index, write) in writes.enumerated() {
      whole.add(write) { outcome in
        guard joint.record(outcome, of: index).isLast else { return }
        joint.settle()
        if let end = joint.result.outcome { whole.end(end) }
      }
    }
    return whole.promise()
  }
}
