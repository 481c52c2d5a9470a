import StrataCore

extension RedisLoop /* : failed writes */ {
  /// Removes the keys of the journal from the server, before any later request is sent. If a later
  /// write of a key is waiting or in flight, that write decides.
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
      // Without an epoch, all keys miss. A full server accepts this removal, too.
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
