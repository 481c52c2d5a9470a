/// The loads of a pool that are in flight, by the hash of their key.
///
/// This type isn't generic, because unspecialized generic code takes ten times as long to run. The
/// pool guards it with a lock, and compares keys while it doesn't hold the lock.
struct PooledLoads {
  struct Load: Sendable {
    struct ID: Equatable, Sendable {
      let hash: Int
      /// The position of the load among all loads. Later loads have higher numbers.
      let number: Int
    }

    let id: ID
    let key: any AnyObject & Sendable
    /// The promises of the gets that share the load. This is `nil` until another get joins the
    /// load, or until the load returns a pending promise.
    var answer: (any AnyObject & Sendable)?
    /// The version at which the load began. After a write to the key, gets don't join this load.
    let version: KeyVersions.Version
    /// The epoch in which the load began. In a later epoch, gets don't join this load.
    let epoch = LoadEpoch.current
  }

  private var newest = HashKeyedTable<Load>()
  /// The loads that have the same hash as a newer load, the oldest load first.
  private var older = HashKeyedTable<[Load]>()
  private var lastNumber = 0
  /// The versions of the keys, which change with each write. They're exact, because each load
  /// watches its key.
  private var versions = KeyVersions(remembering: 1)

  /// The number of loads in flight.
  var count: Int { newest.count + older.values.reduce(0) { $0 + $1.count } }

  /// The number of hashes whose writes are recorded.
  var watched: Int { versions.keys.count }

  /// Returns the loads with a hash that a get may join if they load its key, the newest load first.
  /// Also returns the number of the newest load with this hash, or zero if there is none.
  ///
  /// There is almost always only one load, so the function allocates no array for others.
  func joinable(_ hash: Int) -> (newest: Int, first: Load?, others: [Load]) {
    guard let last = newest[hash] else { return (0, nil, []) }
    let others = older[hash].map { $0.reversed().filter(isJoinable) } ?? []
    return (last.id.number, isJoinable(last) ? last : nil, others)
  }

  private func isJoinable(_ load: Load) -> Bool {
    load.epoch == LoadEpoch.current && !versions.isWritten(load.id.hash, since: load.version)
  }

  /// Begins a load and returns its ID. Returns `nil` if a load with the same hash and a number
  /// above `known` is in flight.
  ///
  /// - Parameter key: The key of the load, which is put into a box only if the load begins.
  mutating func begin(
    _ hash: Int, _ key: @autoclosure () -> any AnyObject & Sendable, after known: Int
  ) -> Load.ID? {
    if let last = newest[hash] {
      guard last.id.number <= known else { return nil }
      older[hash] = (older[hash] ?? []) + [last]
    }
    lastNumber += 1
    let id = Load.ID(hash: hash, number: lastNumber)
    newest[hash] = Load(id: id, key: key(), version: versions.watch(hash))
    return id
  }

  /// Removes and returns a load, or returns `nil` if the load has already ended. Callers must
  /// release the load after they have unlocked the lock.
  mutating func end(_ id: Load.ID) -> Load? {
    guard let last = newest[id.hash] else { return nil }
    guard let others = older[id.hash] else {
      guard last.id == id else { return nil }
      newest[id.hash] = nil
      versions.unwatch(id.hash)
      return last
    }
    var loads = others + [last]
    guard let index = loads.firstIndex(where: { $0.id == id }) else { return nil }
    let load = loads.remove(at: index)
    versions.unwatch(id.hash)
    newest[id.hash] = loads.popLast()
    older[id.hash] = loads.isEmpty ? nil : loads
    return load
  }

  /// Changes a load, unless it has ended.
  mutating func update<Result>(_ id: Load.ID, _ body: (inout Load) -> Result) -> Result? {
    if var last = newest[id.hash], last.id == id {
      defer { newest[id.hash] = last }
      return body(&last)
    }
    guard var others = older[id.hash], let index = others.firstIndex(where: { $0.id == id }) else {
      return nil
    }
    defer { older[id.hash] = others }
    return body(&others[index])
  }

  /// Prevents later gets from joining the loads of keys with the given hash, or any load if `hash`
  /// is `nil`.
  mutating func detach(_ hash: Int?) { versions.change(hash) }
}
