extension MemoryStore /* : values of an earlier run */ {
  /// The result of restoring a value from an earlier run.
  package enum Restoration {
    case stored
    /// The key has a value, or was written, or the value has expired.
    case obsolete
    /// The load has ended, because the level has no more room, or was cleared.
    case ended
  }

  /// Stores a value from an earlier run if there is room, unless the key has a value or has been
  /// written since the save.
  package func restore(
    _ value: Value, for key: Key, savedBy save: UInt64, clears: Int
  ) -> Restoration {
    let (hash, cost) = (hash(key), price(of: value, for: key))
    guard KeyHash.isReusable(key), expirations?.admits(value) ?? true else { return .obsolete }
    while true {
      let snapshot = snapshot(of: key, hash)
      guard snapshot.nodes.count < MemoryStore.equalHashLimit else { return .obsolete }
      let shard = shard(of: hash)
      let result: Restoration? = policy.withLock { state in
        switch locate(key, hash, in: shard, snapshot) {
        case .stale: return nil
        case .found: return .obsolete
        case .absent: break
        }
        guard written?.clears ?? clears == clears else { return .ended }
        if written?.isWritten(hash, since: save) ?? false { return .obsolete }
        let cost = cost == 0 && state.mayPin ? 0 : max(share, cost)
        guard state.capacity > 0, state.hasRoom(for: cost, isNew: true),
          state.mayInsert(into: shard)
        else { return .ended }
        let id = cost == 0 ? state.insertPinned(hash) : state.insertRestored(hash, cost: cost)
        place(key, value, in: id, hash, shard)
        return .stored
      }
      if let result { return result }
    }
  }
}
