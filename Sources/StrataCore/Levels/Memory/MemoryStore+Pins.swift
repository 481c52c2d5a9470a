extension MemoryStore /* : pinned entries, and costs that no longer fit */ {
  /// Returns the cost of an entry in the store, or `nil` if the entry can't be stored. In this
  /// case, the key has no entry afterward.
  ///
  /// If too many entries are pinned, a cost of zero becomes the minimum cost. But an entry can't be
  /// stored if the capacity has fallen below its cost since the caller compared the two.
  @usableFromInline
  func admit(
    _ location: Location, cost: Int, _ state: inout A2F, _ evicted: inout EvictedEntries<Key, Value>
  ) -> Int? {
    var (id, isPinned) = (nil as UInt32?, false)
    if case .found(let found, let node) = location {
      (id, isPinned) = (found, node.pointee.cost == 0)
    }
    let cost = cost == 0 && !isPinned && !state.mayPin ? share : cost
    guard cost > state.capacity || state.capacity == 0 else { return cost }
    if let id { drop(id, &state, &evicted) }
    return nil
  }

  /// Removes an entry that a write replaces or removes.
  @usableFromInline
  func drop(
    _ id: UInt32, _ state: inout A2F, _ evicted: inout EvictedEntries<Key, Value>,
    _ cause: EvictionCause = .replaced
  ) {
    state.remove(id)
    let (key, value) = extract(id, &state)
    evicted.append(key, value, cause)
  }
}
