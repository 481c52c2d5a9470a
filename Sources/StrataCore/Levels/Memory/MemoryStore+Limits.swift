extension MemoryStore /* : changing the limits */ {
  /// Sets the limits to which `settleCapacity` evicts. Returns whether the costs of the entries
  /// must be computed again. Until they are, the capacity never falls below the total cost.
  func begin(_ limits: MemoryLimits) -> Bool {
    policy.withLock { state in
      let isOther = share != limits.share
      leastCost.store(limits.share, ordering: .relaxed)
      state.wanted = limits.cost
      adjustCapacity(&state)
      return isOther
    }
  }

  /// Computes the costs of all entries again, because the minimum cost has changed.
  ///
  /// The sizes are measured without a lock. When another thread replaces the value in the meantime,
  /// the entry keeps its cost, unless this is less than the minimum.
  func recomputeCosts(then report: (Key, Value, EvictionCause) -> Void) {
    forEach(seen) { entry in
      guard let value = entry.seen.value else { return }
      let size = size(of: value, for: entry.key)
      var evicted: [(Key, Value)] = []
      policy.withLock { state in
        guard entry.id < state.nodes.count else { return }  // The level has been cleared.
        let node = node(entry.id)
        guard node.pointee.serial == entry.serial, node.pointee.cost > 0 else { return }
        // The total must not overflow if the size is almost unlimited.
        while state.total - node.pointee.cost > .max - max(share, size, node.pointee.cost) {
          evicted.append(extract(state.evict(), &state))
          guard node.pointee.serial == entry.serial else { return }
        }
        let shard = shard(of: node.pointee.hash)
        acquire(&shard.pointee.mutex)
        let old = node.pointee.cost
        let isSame = entry.seen.isStill(at: valuePointer(node))
        node.pointee.cost = max(share, isSame ? size : old)
        state.total += node.pointee.cost - old
        release(&shard.pointee.mutex)
        guard state.total > state.capacity else { return }
        state.capacity = state.total
        limit.store(state.capacity, ordering: .relaxed)
      }
      for (key, value) in evicted { report(key, value, .capacity) }
    }
  }

  private func seen(
    _ id: UInt32, _ state: A2F
  ) -> (id: UInt32, serial: UInt32, key: Key, seen: Seen) {
    let node = node(id)
    let shard = shard(of: node.pointee.hash)
    acquire(&shard.pointee.mutex)
    defer { release(&shard.pointee.mutex) }
    return (id, node.pointee.serial, keyPointer(node).pointee, Seen(at: valuePointer(node)))
  }

  /// Returns the size of a value, or one if the level counts values.
  func size(of value: Value, for key: Key) -> Int {
    max(1, cost?(value) ?? keyedCost?(key, value) ?? 1)
  }
}
