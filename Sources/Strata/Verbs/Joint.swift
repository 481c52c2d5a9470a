extension Promise where Value == Void {
  /// Waits for independent writes that have begun, to the last of them.
  ///
  /// It ends with the first failure in their order, else a cancellation, else success. Cancelling
  /// it withdraws from all that have not settled.
  static func joint(_ writes: [Promise]) -> Promise {
    if writes.allSatisfy({ $0.outcome?.value != nil }) { return Promise() }
    let (whole, notes) = (Gathering<Void>(), JointWrite(of: writes.count))
    for (place, write) in writes.enumerated() {
      whole.add(write) { outcome in
        guard notes.note(outcome, of: place) else { return }
        notes.settle()
        if let end = notes.promise.outcome { whole.end(end) }
      }
    }
    return whole.promise()
  }
}
