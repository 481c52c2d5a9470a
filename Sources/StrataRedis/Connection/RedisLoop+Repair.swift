import StrataCore

extension RedisLoop /* : failed writes */ {
  /// Removes the keys of the journal from the server before sending any later request. But a key
  /// with a later write, waiting or in flight, isn't removed, because that write decides.
  func repair() {
    guard !journal.isEmpty, case .open = phase else { return }
    if let repairTime, repairTime <= runningNanoseconds() {
      self.repairTime = nil
      journal.sendAgain()
    }
    let entries = journal.takeUnsent()
    guard !entries.isEmpty else { return }
    let places = pipeline.lastPlaces
    var due: [RedisJournal.Entry] = []
    for entry in entries {
      let name = entry.name ?? entry.epoch.key
      guard places[name, default: 0] <= entry.place else {
        journal.drop(entry)
        continue
      }
      // Removing the epoch makes all keys miss. Even a full server accepts the removal.
      if entry.name == nil { entry.epoch.forget() }
      due.append(entry)
    }
    // A server may know or permit only one of the two commands.
    let command = refusedRepairs % 2 == 0 ? "UNLINK" : "DEL"
    while !due.isEmpty {
      let some = Array(due.suffix(RedisPipeline.mostGets))
      due.removeLast(some.count)
      pipeline.add([Array(command.utf8)] + some.map { $0.name ?? $0.epoch.key }) {
        [unowned self, journal] reply in
        if case .failure = reply { return refuseRepair() }
        for entry in some { journal.succeeded(entry.name, entry.epoch, at: entry.place) }
      }
    }
  }

  /// Sends the keys again after a while, because the server has refused to remove them.
  private func refuseRepair() {
    guard repairTime == nil else { return }  // All refusals until then count once.
    repairTime = runningNanoseconds() + settings.backoff(refusedRepairs)
    refusedRepairs += 1
  }

  /// The time of the next repair, or `nil` if there is nothing to repair or no connection.
  var nextRepair: Int64? {
    guard !journal.isEmpty, case .open = phase else { return nil }
    return repairTime
  }
}
