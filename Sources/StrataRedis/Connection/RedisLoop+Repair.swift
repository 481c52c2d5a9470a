import StrataCore

extension RedisLoop /* : failed writes */ {
  /// Removes the keys of the journal from the server before sending any later request. But a key
  /// with a later write, waiting or in flight, isn't removed, because that write decides.
  func repair() {
    guard !journal.isEmpty, case .open = phase else { return }
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
    while !due.isEmpty {
      let some = Array(due.suffix(RedisPipeline.mostGets))
      due.removeLast(some.count)
      pipeline.add([Array("UNLINK".utf8)] + some.map { $0.name ?? $0.epoch.key }) {
        [journal] reply in
        if case .failure = reply { return }
        for entry in some { journal.succeeded(entry.name, entry.epoch, at: entry.place) }
      }
    }
  }
}
