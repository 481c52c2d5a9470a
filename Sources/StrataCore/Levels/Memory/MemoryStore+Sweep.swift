extension MemoryStore /* : sweeping */ {
  /// The maximum number of entries that one sweep checks.
  @usableFromInline static var sweepLimit: Int { 16 }

  /// Evicts up to `sweepLimit` entries that have expired by the given tick.
  @usableFromInline
  func sweep(
    _ expirations: ExpirationTracker<Value>, by tick: Int64
  ) -> EvictedEntries<Key, Value> {
    var evicted = EvictedEntries<Key, Value>()
    policy.withLock { state in
      for _ in 0..<MemoryStore.sweepLimit {
        guard let id = expirations.next(by: tick) else { break }
        if let (key, value) = removeIfExpired(id, by: tick, expirations, &state) {
          evicted.append(key, value, .expired)
        }
      }
      expirations.updateDue()
    }
    return evicted
  }

  /// Removes and returns an expired entry, or reschedules an unexpired entry.
  private func removeIfExpired(
    _ id: UInt32, by tick: Int64, _ expirations: ExpirationTracker<Value>, _ state: inout A2F
  ) -> (Key, Value)? {
    let node = node(id)
    let shard = shard(of: node.pointee.hash)
    acquire(&shard.pointee.mutex)
    let expiration = expirations.expirationTick(of: valuePointer(node).pointee)
    if expiration <= tick { shard.pointee.remove(id, node.pointee.hash) }
    release(&shard.pointee.mutex)
    guard expiration <= tick else {
      expirations.schedule(id, at: expiration)
      return nil
    }
    state.remove(id)
    state.otherEvictions += 1
    let entry = (keyPointer(node).move(), valuePointer(node).move())
    state.nodes.free(id)
    return entry
  }
}
