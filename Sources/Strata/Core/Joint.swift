extension Promise where Value == Void {
  /// Returns a promise that settles when all given writes have settled. The writes are independent
  /// and already running.
  ///
  /// If any write fails, the result fails with the error of the first failed write in `writes`. If
  /// no write fails but a write is cancelled, the result is cancelled. Cancelling the returned
  /// promise cancels each pending write that no other caller waits for.
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
