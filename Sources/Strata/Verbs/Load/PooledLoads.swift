/// The loads of a pool that are in flight, by the hash of their key.
///
/// This type isn't generic, because unspecialized generic code takes ten times as long to run. The
/// pool guards the loads with a lock, and compares keys outside the lock.
struct PooledLoads {
  struct Load: Sendable {
    struct ID: Equatable, Sendable {
      let hash: Int
      /// The position of the load among all loads. A later load has a higher number.
      let number: Int
    }

    let id: ID
    let key: any AnyObject & Sendable
    /// The promises of the gets that share the load, or `nil` until another get joins the load or
    /// the load returns a pending promise.
    var answer: (any AnyObject & Sendable)?
    /// The highest known priority of the tasks that share the load. The type isn't `TaskPriority`,
    /// because the compiler doesn't know the layout of `TaskPriority`, so copies of a load would be
    /// slow.
    var priority: TaskPriority.RawValue?
    /// Whether a write to the key prevents later gets from joining the load.
    var isDetached = false
  }

  private var newest = HashKeyedTable<Load>()
  /// The loads with the same hash as a newer load, in the order in which they began.
  private var older: [Load] = []
  private var lastNumber = 0

  /// The number of loads in flight.
  var count: Int { newest.count + older.count }

  /// Returns the loads with a hash, the newest load first.
  func loads(of hash: Int) -> [Load] {
    guard let last = newest[hash] else { return [] }
    return [last] + older.reversed().filter { $0.id.hash == hash }
  }

  /// Begins a load and returns its ID. Returns `nil` if another load with the same hash is in
  /// flight and has a number above `known`.
  mutating func begin(
    _ hash: Int, _ key: any AnyObject & Sendable, after known: Int
  ) -> Load.ID? {
    if let last = newest[hash] {
      guard last.id.number <= known else { return nil }
      older.append(last)
    }
    lastNumber += 1
    let id = Load.ID(hash: hash, number: lastNumber)
    newest[hash] = Load(id: id, key: key)
    return id
  }

  /// Removes and returns a load. Returns `nil` if the load has already ended. The caller must
  /// release the load outside the lock.
  mutating func end(_ id: Load.ID) -> Load? {
    if let index = older.firstIndex(where: { $0.id == id }) { return older.remove(at: index) }
    guard let last = newest[id.hash], last.id == id else { return nil }
    newest[id.hash] = older.lastIndex { $0.id.hash == id.hash }.map { older.remove(at: $0) }
    return last
  }

  /// Changes a load, unless it has ended.
  mutating func update<Result>(_ id: Load.ID, _ body: (inout Load) -> Result) -> Result? {
    if let index = older.firstIndex(where: { $0.id == id }) { return body(&older[index]) }
    guard var last = newest[id.hash], last.id == id else { return nil }
    defer { newest[id.hash] = last }
    return body(&last)
  }

  /// Prevents later gets from joining the loads with a hash, or all loads if `hash` is `nil`.
  mutating func detach(_ hash: Int?) {
    for hash in hash.map({ [$0] }) ?? newest.hashes { newest.update(hash) { $0.isDetached = true } }
    for index in older.indices where hash == nil || older[index].id.hash == hash {
      older[index].isDetached = true
    }
  }
}
