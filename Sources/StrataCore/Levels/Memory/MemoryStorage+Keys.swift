extension MemoryStorage /* : looking inside */ {
  /// The keys of all values, in no order.
  ///
  /// The list is copied a few keys at a time, while other threads use the level. So it isn't the state
  /// of one moment: a key that is in the storage all the time is listed once, and one that is stored
  /// or removed in the meantime may be listed or not.
  ///
  /// - Complexity: O(*n*). Other operations wait for the copy of at most 64 keys.
  /// - Law: `storage.keys` in `Laws.storage`, checked by `StorageLaws`.
  public var keys: [Key] { store.keys }

  /// Descriptions of all values, in no order. See ``keys``.
  public var entries: [MemoryEntry<Key>] {
    var entries: [MemoryEntry<Key>] = []
    store.forEach(store.listedWithValue) { entries.append(MemoryEntry($0.entry, $0.value)) }
    return entries
  }

  /// Returns the keys that the policy would keep longest, the hottest first. Pinned keys precede all
  /// others.
  ///
  /// The ranks are estimates: how often a key was looked up recently, and its queue. Keys of the same
  /// rank are in no order.
  ///
  /// - Parameter count: The maximum number of keys.
  /// - Complexity: O(*n* log `count`), in steps. See ``keys``.
  public func hottest(_ count: Int) -> [MemoryEntry<Key>] { ranked(count) { $0 > $1 } }

  /// Returns the keys that the policy would evict next, the coldest first. See ``hottest(_:)``.
  public func coldest(_ count: Int) -> [MemoryEntry<Key>] { ranked(count) { $0 < $1 } }

  private func ranked(_ count: Int, _ precedes: (Int, Int) -> Bool) -> [MemoryEntry<Key>] {
    guard count > 0 else { return [] }
    var best: [(heat: Int, entry: MemoryEntry<Key>)] = []
    func cut() {
      best.sort { precedes($0.heat, $1.heat) }
      if best.count > count { best.removeLast(best.count - count) }
    }
    store.forEach(store.listedWithValue) { found in
      best.append((found.entry.heat, MemoryEntry(found.entry, found.value)))
      if best.count > count &+ max(count, 256) || best.count == .max { cut() }
    }
    cut()
    return best.map(\.entry)
  }

  /// Returns the value of a key, without an effect on the policy or the statistics, and without a
  /// check of its deadline.
  public func peek(_ key: Key) -> Value? { store.value(for: key, .peek) }
}

extension MemoryStorage /* : writing to this level */ {
  /// Stores a value unless the key has one. Of several concurrent calls, one stores its value. A stamped
  /// value whose deadline has passed counts as absent.
  ///
  /// This is atomic in this level, and only there. A sum doesn't offer it, because a lower level or
  /// another process may have a value that the upper level has evicted.
  ///
  /// - Returns: The value that the key had before, or `nil` if the value was stored.
  /// - Law: `storage.update` in `Laws.storage`, checked by `StorageLaws`.
  @discardableResult
  public func setIfAbsent(_ value: Value, for key: Key) -> Value? {
    store.update(key, then: onEviction) { $0 ?? value }.old
  }

  /// Replaces the value of a key by one that is computed from it.
  ///
  ///     let counts = MemoryStorage<String, Int>()
  ///     counts.update("visits") { ($0 ?? 0) + 1 }
  ///
  /// No other write to the key takes effect between the value that `change` receives and the one that
  /// it returns. Like ``setIfAbsent(_:for:)``, this is atomic in this level only.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - change: A closure that receives the value, or `nil` if there is none or if its deadline
  ///     has passed, and returns the new value, or `nil` to remove the key. No lock is held while it
  ///     runs. If another thread writes the key in the meantime, it's called again with the new value,
  ///     so it shouldn't have effects. It doesn't pin an entry or unpin one.
  /// - Returns: The new value.
  /// - Law: If *n* threads add one to a number *m* times, it has grown by *n* · *m*. See
  ///   `storage.update` in `Laws.storage`, checked by `StorageLaws`.
  @discardableResult
  public func update(_ key: Key, _ change: (Value?) throws -> Value?) rethrows -> Value? {
    try store.update(key, then: onEviction, change).new
  }
}
