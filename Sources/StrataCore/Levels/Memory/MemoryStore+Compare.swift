extension MemoryStore /* : keys whose `==` is user code */ {
  /// The result of a lookup that compares keys outside the locks. Before the store uses this
  /// result, it validates the result under a lock.
  @usableFromInline
  struct LookupSnapshot {
    /// The nodes with the key's hash, in probe order, up to and including the key's node.
    @usableFromInline var nodes: [NodeVersion] = []
    /// Whether the last element of `nodes` is the key's node.
    @usableFromInline var isFound = false

    @inlinable
    init() {}
  }

  @usableFromInline typealias NodeVersion = (id: UInt32, serial: UInt32)

  @usableFromInline
  enum Location {
    case found(id: UInt32, Node)
    case absent
    /// The table has changed since the snapshot, so the caller must take a new snapshot.
    case stale
  }

  /// Returns the value of a key. Keys are compared outside the lock.
  @inlinable
  func value(for key: Key, of hash: UInt64, _ look: MemoryLook) -> Value? {
    let shard = shard(of: hash)
    acquire(&shard.pointee.mutex)
    var first: (key: Key, value: Value)?
    if let node = next(of: hash, in: shard, after: nil)?.node {
      if look != .peek { node.pointee.visit() }
      first = (keyPointer(node).pointee, valuePointer(node).pointee)
    }
    // Keys with equal hashes are rare. A get of such a key counts as a hit.
    let count = first == nil ? look == .get : look != .peek
    if count { MemoryShard.counts(of: shard)[first == nil ? 1 : 0] &+= 1 }
    release(&shard.pointee.mutex)
    guard let first else { return nil }
    return KeyHash.areSame(first.key, key)
      ? first.value : valueAmongCollisions(for: key, of: hash, look)
  }

  /// Returns the value of a key that has the same hash as another key. This is rare, so the
  /// function doesn't need to be inlinable.
  @usableFromInline
  func valueAmongCollisions(for key: Key, of hash: UInt64, _ look: MemoryLook) -> Value? {
    let shard = shard(of: hash)
    var entries: [(key: Key, value: Value)] = []
    acquire(&shard.pointee.mutex)
    var index: Int?
    while let found = next(of: hash, in: shard, after: index) {
      if look != .peek { found.node.pointee.visit() }
      entries.append((keyPointer(found.node).pointee, valuePointer(found.node).pointee))
      index = found.index
    }
    release(&shard.pointee.mutex)
    return entries.first { KeyHash.areSame($0.key, key) }?.value
  }

  /// Looks up a key. Keys are compared outside the lock. For strings and integers, this function
  /// returns an empty snapshot, because `locate` compares them under the lock.
  @inlinable
  func snapshot(of key: Key, _ hash: UInt64) -> LookupSnapshot {
    var snapshot = LookupSnapshot()
    guard !KeyHash.isPlain(Key.self) else { return snapshot }
    let shard = shard(of: hash)
    var keys: [Key] = []
    acquire(&shard.pointee.mutex)
    var index: Int?
    while let found = next(of: hash, in: shard, after: index) {
      snapshot.nodes.append((found.id, found.node.pointee.serial))
      keys.append(keyPointer(found.node).pointee)
      index = found.index
    }
    release(&shard.pointee.mutex)
    guard let match = keys.firstIndex(where: { KeyHash.areSame($0, key) }) else { return snapshot }
    snapshot.nodes.removeLast(snapshot.nodes.count - match - 1)
    snapshot.isFound = true
    return snapshot
  }

  /// Returns the location of a key. The caller must hold the policy lock or the shard lock.
  @inlinable
  @inline(__always)
  func locate(
    _ key: Key, _ hash: UInt64, in shard: Shard, _ snapshot: LookupSnapshot
  ) -> Location {
    guard KeyHash.isPlain(Key.self) else { return validate(snapshot, hash, in: shard) }
    guard let found = find(key, hash, in: shard) else { return .absent }
    return .found(id: found.id, found.node)
  }

  /// Returns the key's location from a snapshot, or `stale` if the snapshot no longer matches the
  /// table.
  ///
  /// The function searches the table for each node, because the node IDs in the snapshot might be
  /// outdated. Another thread can empty a removed node without the shard lock.
  @inlinable
  func validate(_ snapshot: LookupSnapshot, _ hash: UInt64, in shard: Shard) -> Location {
    var index: Int?
    var last: Found?
    for version in snapshot.nodes {
      guard let found = next(of: hash, in: shard, after: index), found.id == version.id,
        found.node.pointee.serial == version.serial
      else { return .stale }
      index = found.index
      last = (found.id, found.node)
    }
    if snapshot.isFound, let last { return .found(id: last.id, last.node) }
    return next(of: hash, in: shard, after: index) == nil ? .absent : .stale
  }

  /// Returns the next node with the given hash. The caller must hold the policy lock or the shard
  /// lock.
  @inlinable
  func next(
    of hash: UInt64, in shard: Shard, after last: Int?
  ) -> (index: Int, id: UInt32, node: Node)? {
    let tag = MemoryShard.tag(hash)
    let (slots, mask) = (shard.pointee.slots, shard.pointee.mask)
    var index = last.map { ($0 &+ 1) & mask } ?? Int(tag &>> shard.pointee.shift)
    while true {
      let slot = slots[index]
      if slot == 0 { return nil }
      if UInt32(truncatingIfNeeded: slot &>> 32) == tag {
        let id = UInt32(truncatingIfNeeded: slot) &- 1
        let node = node(id)
        if node.pointee.hash == hash { return (index, id, node) }
      }
      index = (index &+ 1) & mask
    }
  }

  /// The maximum number of entries with the same hash. More entries would slow down the operations
  /// on keys that share a hash.
  @usableFromInline static var equalHashLimit: Int { 64 }

  /// Evicts the newest entry with a hash that too many keys share.
  @usableFromInline
  func evictNewest(ofHash hash: UInt64) -> EvictedEntries<Key, Value> {
    policy.withLock { state in
      let shard = shard(of: hash)
      var (newest, index): (UInt32?, Int?) = (nil, nil)
      while let found = next(of: hash, in: shard, after: index) {
        (newest, index) = (found.id, found.index)
      }
      guard let newest else { return EvictedEntries() }
      state.remove(newest)
      state.otherEvictions += 1
      let (key, value) = extract(newest, &state)
      return EvictedEntries(key, value, .capacity)
    }
  }
}
