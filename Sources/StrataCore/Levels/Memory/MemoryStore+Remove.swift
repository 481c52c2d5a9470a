import Foundation

extension MemoryStore /* : removing */ {
  /// Removes the value of a key, if there is one.
  @inlinable
  func remove(_ key: Key, cause: EvictionCause = .removed) -> EvictedEntries<Key, Value> {
    let hash = hash(key)
    written?.mark(hash)
    defer { written?.mark(hash) }
    return remove(key, hash, cause: cause)
  }

  @inlinable
  func remove(_ key: Key, _ hash: UInt64, cause: EvictionCause) -> EvictedEntries<Key, Value> {
    let shard = shard(of: hash)
    while true {
      let snapshot = snapshot(of: key, hash)
      let evicted = policy.withLock { state -> EvictedEntries<Key, Value>? in
        switch locate(key, hash, in: shard, snapshot) {
        case .stale: return nil
        case .absent: return EvictedEntries()
        case .found(let id, _):
          state.remove(id)
          let (key, value) = extract(id, &state)
          return EvictedEntries(key, value, cause)
        }
      }
      if let evicted { return evicted }
    }
  }

  /// Responds to a memory warning.
  @usableFromInline
  func respond(
    to response: MemoryWarningResponse, then report: (Key, Value, EvictionCause) -> Void
  ) {
    switch response {
    case .ignore: return
    case .clear: removeAll(cause: .memoryWarning, then: report)
    case .trim(to: let fraction):
      let fraction = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
      if fraction < 1 { trim(to: Int(Double(capacity) * fraction), then: report) }
    }
  }

  /// Evicts the least valuable entries in batches until the total cost is at most `limit`.
  private func trim(to limit: Int, then report: (Key, Value, EvictionCause) -> Void) {
    while true {
      var evicted: [(Key, Value)] = []
      let isDone = policy.withLock { state in
        for _ in 0..<MemoryStore.batch {
          guard state.total > limit else { return true }
          let (key, value) = extract(state.evict(), &state)
          evicted.append((key, value))
        }
        return false
      }
      for (key, value) in evicted { report(key, value, .memoryWarning) }
      if isDone { return }
    }
  }

  /// Removes all values atomically.
  @usableFromInline
  func removeAll(
    cause: EvictionCause = .cleared,
    then report: (Key, Value, EvictionCause) -> Void = { _, _, _ in }
  ) {
    written?.recordClear()
    detachStorage(isEviction: cause == .memoryWarning).drain { report($0, $1, cause) }
  }

  func detachStorage(isEviction: Bool = false) -> DetachedStorage {
    policy.withLock { state in
      for index in 0..<MemoryShard.shardCount { acquire(&shard(index).pointee.mutex) }
      defer {
        for index in 0..<MemoryShard.shardCount { release(&shard(index).pointee.mutex) }
      }
      expirations?.removeAll()
      if isEviction { state.otherEvictions += state.count + state.pinned }
      return DetachedStorage(
        chunks: state.removeAll(),
        slots: (0..<MemoryShard.shardCount).map { shard($0).pointee.removeAll() })
    }
  }

  /// The nodes and slots that `detachStorage` has removed from the store.
  struct DetachedStorage {
    let chunks: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    let slots: [UnsafeMutableBufferPointer<UInt64>]

    /// Passes each entry to `body` and frees the memory.
    func drain(_ body: (Key, Value) -> Void) {
      for slots in slots {
        for slot in slots where slot != 0 {
          let id = UInt32(truncatingIfNeeded: slot) - 1
          let node = UnsafeMutableRawPointer(
            MemoryNodes.node(id, in: chunks, stride: MemoryStore.stride))
          body(
            (node + keyOffset).assumingMemoryBound(to: Key.self).move(),
            (node + valueOffset).assumingMemoryBound(to: Value.self).move())
        }
        ShardTables.free(slots.baseAddress)
      }
      for chunk in 0..<32 { freeZeroed(chunks[chunk]) }
      chunks.deallocate()
    }
  }
}
