extension Cache {
  /// This cache over an origin, with what is outdated in it removed when a load has been told that
  /// there is none.
  ///
  /// The removal is given to the cache before the load ends, and is not waited for; its failure is
  /// dropped. A write of the key that begins while the load is under way wins over it.
  ///
  /// - Parameter reads: The loads under way, which are told what is outdated.
  func retracting(by reads: Forwards<Key>) -> Cache {
    let (get, set, remove, clear) = (get, set, remove, clear)
    return Cache(
      get: { key in
        let read = Forwards.Read(key)
        reads.begin(read)
        return get(key).observed { outcome in
          if outcome.error?.isAbsence == true, read.isOutdated.load(ordering: .acquiring) {
            reads.store(read) { remove(key) }
          }
          reads.end(read)
        }
      },
      set: { key, value in
        reads.isQuiet ? set(key, value) : reads.write(key) { set(key, value) }
      },
      remove: { key in reads.isQuiet ? remove(key) : reads.write(key) { remove(key) } },
      clear: { reads.isQuiet ? clear() : reads.write(nil, clear) },
      memoryWarning: memoryWarning,
      spine: Spine(
        plan: plan, isReadOnly: spine.isReadOnly, forget: spine.forget,
        reporting: spine.reporting { $0.retracting(by: reads) }))
  }
}
