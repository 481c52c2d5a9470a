extension MemoryStorage /* : looking inside */ {
  /// The keys of all values, in no order.
  ///
  /// The list is copied a few keys at a time, while other threads use the level. So it isn't the
  /// state at one moment. A key that is in the storage all the time is listed once. But a key that
  /// is stored or removed in the meantime may be listed or not.
  ///
  /// - Complexity: O(*n*). Other operations wait at most until 64 keys have been copied.
  /// - Law: `storage.keys` in `Laws.storage`, checked by `StorageLaws`.
  public var keys: [Key] { store.keys }

  /// Descriptions of all values, in no order. See ``keys``.
  public var entries: [MemoryEntry<Key>] {
    var entries: [MemoryEntry<Key>] = []
    store.forEach(store.listedWithValue) { entries.append(entry($0.entry, $0.value)) }
    return entries
  }

  /// Returns the keys that the policy would probably keep longest, the hottest key first. Pinned
  /// keys precede all others.
  ///
  /// The level doesn't count the hits of each key, because that would slow down every hit. So this
  /// is an estimate, not a list of the keys with the most hits. Keys that had a hit since the policy
  /// last considered evicting them come first. Of these, the keys in the main queue come first, and
  /// then the ones that have been in the level longest.
  ///
  /// - Parameter count: The maximum number of keys.
  /// - Complexity: O(*n* log `count`), in steps. See ``keys``.
  public func hottest(_ count: Int) -> [MemoryEntry<Key>] { ranked(count) { $0 > $1 } }

  /// Returns the keys that the policy would probably evict next, the coldest key first. They are in
  /// the opposite order of ``hottest(_:)``. Of the keys without a recent hit, the ones that have been
  /// in the level longest come first.
  public func coldest(_ count: Int) -> [MemoryEntry<Key>] { ranked(count) { $0 < $1 } }

  private func ranked(_ count: Int, _ precedes: (Int, Int) -> Bool) -> [MemoryEntry<Key>] {
    guard count > 0 else { return [] }
    var best: [(entry: ListedEntry<Key>, value: Value)] = []
    var worst: Int?  // The heat that an entry must precede, once there are enough others.
    func cut() {
      best.sort { precedes($0.entry.heat, $1.entry.heat) }
      if best.count > count { best.removeLast(best.count - count) }
      if best.count == count { worst = best.last?.entry.heat }
    }
    store.forEach(store.listedWithValue) { found in
      if let worst, !precedes(found.entry.heat, worst) { return }
      best.append(found)
      if best.count - count >= max(count, 256) { cut() }
    }
    cut()
    return best.map { entry($0.entry, $0.value) }
  }

  /// Describes an entry without a lock, because the closure that measures the value is user code.
  private func entry(_ entry: ListedEntry<Key>, _ value: Value) -> MemoryEntry<Key> {
    let isCharged = entry.cost > 1 && entry.cost == store.share
    let cost = isCharged ? store.size(of: value, for: entry.key) : entry.cost
    return MemoryEntry(entry, cost: cost, value)
  }

  /// Returns the value of a key, even after its deadline. This call affects neither the policy nor
  /// the statistics.
  public func peek(_ key: Key) -> Value? { store.value(for: key, .peek) }
}

extension MemoryStorage /* : writing to this level */ {
  /// Stores a value if the key has none. Of several concurrent calls, only one stores its value. A
  /// stamped value whose deadline has passed counts as absent.
  ///
  /// This operation is atomic only in this level. Sums don't offer it, because a lower level or
  /// another process may have a value that the upper level has evicted.
  ///
  /// - Returns: The value that the key had before, or `nil` if the value was stored.
  /// - Law: `storage.update` in `Laws.storage`, checked by `StorageLaws`.
  @discardableResult
  public func setIfAbsent(_ value: Value, for key: Key) -> Value? {
    store.update(key, onlyIfAbsent: true, then: onEviction) { _ in value }.old
  }

  /// Replaces the value of a key with a value that a closure computes from it.
  ///
  ///     let counts = MemoryStorage<String, Int>()
  ///     counts.update("visits") { ($0 ?? 0) + 1 }
  ///
  /// Between the call of `change` and the write of its result, no other write to the key takes
  /// effect. As with ``setIfAbsent(_:for:)``, this operation is atomic only in this level.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - change: A closure that receives the value, or `nil` if there is none or its deadline has
  ///     passed. It returns the new value, or `nil` to remove the key. The closure runs without a
  ///     lock. If another thread writes the key in the meantime, the closure runs again with the
  ///     new value, so it shouldn't have side effects. An update never pins or unpins an entry.
  /// - Returns: The new value.
  /// - Law: If each of *n* threads adds one to a number *m* times, the number has grown by *n* ·
  ///   *m*. See `storage.update` in `Laws.storage`, checked by `StorageLaws`.
  @discardableResult
  public func update(_ key: Key, _ change: (Value?) throws -> Value?) rethrows -> Value? {
    try store.update(key, then: onEviction, change).new
  }
}
