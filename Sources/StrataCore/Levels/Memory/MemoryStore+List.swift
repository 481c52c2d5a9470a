/// An entry that a listing has found, without its value.
package struct ListedEntry<Key> {
  package let key: Key
  let cost: Int
  /// The policy's estimate of how often the key was looked up recently, from 0 to 16.
  let frequency: Int
  let isMain: Bool
  /// Whether there was a hit since the policy last considered the eviction of the entry.
  let isVisited: Bool
  /// The position of the entry's insertion in the order of all insertions.
  let serial: UInt32

  /// The rank of an entry. The policy keeps entries of a higher rank longer.
  ///
  /// A hit only sets the visited bit, but each miss counts in the frequency. So a key that is often
  /// evicted and stored again has a higher frequency than a key that stays and has more hits. With
  /// a trace whose keys have a Zipf distribution, 42 of the 100 most popular keys are among the 100
  /// hottest. If the rank depended on the frequency instead of the time in the level, 5 would be.
  package var heat: Int {
    guard cost > 0 else { return .max }
    // Of the visited entries, the oldest has survived most. Of the other entries, the oldest is
    // evicted next.
    let age = Int(isVisited ? .max - serial : serial)
    return (isVisited ? 2 << 32 : 0) + (isMain ? 1 << 32 : 0) + age
  }
}

extension MemoryStore /* : listing */ {
  /// Passes each entry to `body`, without holding a lock.
  ///
  /// This function copies a few entries at a time under the policy lock. An entry keeps its node.
  /// So if an entry is in the store all the time, `body` receives it exactly once. It may also
  /// receive entries that are inserted or removed in the meantime.
  ///
  /// - Parameter item: A closure that reads a node. It must not run user code, because the lock is
  ///   held.
  package func forEach<Item>(_ item: (UInt32, A2F) -> Item, _ body: (Item) -> Void) {
    var (next, isMore) = (0, true)
    while isMore {
      var items: [Item] = []
      items.reserveCapacity(MemoryStore.batch)
      isMore = policy.withLock { state in
        let end = min(state.nodes.count, next + MemoryStore.batch)
        while next < end {
          let id = UInt32(next)
          if node(id).pointee.serial != 0 { items.append(item(id, state)) }
          next += 1
        }
        return next < state.nodes.count
      }
      for item in items { body(item) }
    }
  }

  /// The keys of all entries, in no order.
  @usableFromInline var keys: [Key] {
    var keys: [Key] = []
    forEach({ id, _ in keyPointer(node(id)).pointee }) { keys.append($0) }
    return keys
  }

  package func listed(_ id: UInt32, _ state: A2F) -> ListedEntry<Key> {
    let node = node(id)
    return ListedEntry(
      key: keyPointer(node).pointee, cost: node.pointee.cost, frequency: state.weight(of: node),
      isMain: node.pointee.isMain, isVisited: node.pointee.isVisited.load(ordering: .relaxed),
      serial: node.pointee.serial)
  }

  /// Returns an entry with its value. This function takes the lock of the entry's shard, because a
  /// `set` that replaces a value takes only this lock.
  func listedWithValue(_ id: UInt32, _ state: A2F) -> (entry: ListedEntry<Key>, value: Value) {
    let shard = shard(of: node(id).pointee.hash)
    acquire(&shard.pointee.mutex)
    defer { release(&shard.pointee.mutex) }
    return (listed(id, state), valuePointer(node(id)).pointee)
  }

  /// Passes the entry of a key to `body` under the lock of its shard. Returns `nil` if there is no
  /// entry.
  func withEntry<Result>(
    of key: Key, _ hash: UInt64, _ body: (Node) -> Result
  ) -> Result? {
    let shard = shard(of: hash)
    while true {
      let snapshot = snapshot(of: key, hash)
      acquire(&shard.pointee.mutex)
      defer { release(&shard.pointee.mutex) }
      switch locate(key, hash, in: shard, snapshot) {
      case .stale: continue
      case .absent: return nil
      case .found(_, let node): return body(node)
      }
    }
  }
}
