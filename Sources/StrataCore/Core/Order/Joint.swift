/// The common result of *n* writes. It settles when each write has settled or is late.
///
/// When any write fails, the result fails with the error of the first failed write. When no write
/// fails but a write is cancelled, the result is cancelled. Cancelling the result doesn't cancel
/// the writes.
struct Joint: Sendable {
  typealias Outcome = Promise<Void>.Outcome

  private struct State {
    var missing: Int
    /// For each write, its first outcome.
    var outcomes: [Int: Outcome] = [:]
  }

  private let state: Lock<State>
  let result = Pending<Void>()

  init(of count: Int) { state = Lock(State(missing: count)) }

  var promise: Promise<Void> { result.outcome.map(Promise.init(outcome:)) ?? result.promise }

  /// Records the outcome of a write, unless this write already has an outcome.
  ///
  /// - Returns: Whether it's the first outcome of this write, and whether every write now has an
  ///   outcome.
  func record(_ outcome: Outcome, of index: Int) -> (isFirst: Bool, isLast: Bool) {
    state.withLock { state in
      guard state.outcomes[index] == nil else { return (false, false) }
      state.outcomes[index] = outcome
      state.missing -= 1
      return (true, state.missing == 0)
    }
  }

  /// Settles the result after all outcomes have been recorded.
  func settle() {
    let outcomes = state.withLock(\.outcomes).sorted { $0.key < $1.key }.map(\.value)
    let failure = outcomes.first { $0.error != nil } ?? outcomes.first { $0.value == nil }
    result.settle(failure ?? .success(()))
  }
}

extension Promise where Value == Void {
  /// Returns a promise that settles when all given writes have settled. The writes are independent,
  /// and have already begun. See `Joint`.
  ///
  /// Cancelling the returned promise cancels each pending write that no other caller waits for.
  package static func joint(_ writes: [Promise]) -> Promise {
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
