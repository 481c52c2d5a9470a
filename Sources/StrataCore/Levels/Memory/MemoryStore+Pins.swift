extension MemoryStore /* : pinned entries, and costs that no longer fit */ {
  /// Returns the cost that an entry has if it's stored, or `nil` if it can't be stored. Then the key
  /// has no entry.
  ///
  /// If too many entries are pinned, an entry with a cost of zero has a cost of one. The capacity may
  /// have fallen below the cost since the caller compared them.
  @usableFromInline
  func admit(
    _ location: Location, cost: Int, _ state: inout A2F, _ evicted: inout EvictedEntries<Key, Value>
  ) -> Int? {
    var (id, isPinned) = (nil as UInt32?, false)
    if case .found(let found, let node) = location {
      (id, isPinned) = (found, node.pointee.cost == 0)
    }
    let cost = cost == 0 && !isPinned && !state.mayPin ? 1 : cost
    guard cost > state.capacity || state.capacity == 0 else { return cost }
    if let id { drop(id, &state, &evicted) }
    return nil
  }

  /// Removes an entry that a write is about to replace.
  @usableFromInline
  func drop(_ id: UInt32, _ state: inout A2F, _ evicted: inout EvictedEntries<Key, Value>) {
    state.remove(id)
    let (key, value) = extract(id, &state)
    evicted.append(key, value, .replaced)
  }
}
