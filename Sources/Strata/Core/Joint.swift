extension Promise where Value == Void {
  /// Returns a promise that settles when all of several independent writes have settled. The writes
  /// are already running.
  ///
  /// The result fails with the first failure in the order of the writes. Without a failure, the
  /// result is cancelled if any write was cancelled. Cancelling the result withdraws its interest
  /// in all pending writes.
  static func joint(_ writes: [Promise]) -> Promise {
    if writes.allSatisfy({ $0.outcome?.value != nil }) { return Promise() }
    let (whole, outcomes) = (PromiseGroup<Void>(), JointWrite(of: writes.count))
    for (index, write) in writes.enumerated() {
      whole.add(write) { outcome in
        guard outcomes.record(outcome, of: index) else { return }
        outcomes.settle()
        if let end = outcomes.promise.outcome { whole.end(end) }
      }
    }
    return whole.promise()
  }
}
