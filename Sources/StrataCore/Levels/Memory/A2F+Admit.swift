/// The result of `admit`, which inserts a new entry and evicts at most one entry.
@usableFromInline
struct Admission {
  /// The node for the new key and value. If the eviction of one entry doesn't free enough space,
  /// `isAdmitted` is `false`, and `node` is the evicted entry's node, already marked as free.
  @usableFromInline let node: UnsafeMutablePointer<MemoryNode>
  /// Whether an entry was evicted. If so, the caller moves the evicted key and value out of the
  /// node.
  @usableFromInline let hasVictim: Bool
  /// Whether the new entry was admitted. If not, the caller must first evict more entries.
  @usableFromInline let isAdmitted: Bool
  /// The new key's hash and lookup frequency, and whether the key had a ghost.
  @usableFromInline let candidate: A2F.Candidate
}

extension A2F /* : fast insertion */ {
  @usableFromInline typealias Shard = UnsafeMutablePointer<MemoryShard>

  /// Inserts a new entry. When the level is full, evicts one entry and reuses its node. Returns
  /// `nil` if memory for the entry can't be allocated.
  ///
  /// The caller holds the policy lock and the entry's shard lock until the key and value are
  /// stored. To avoid a deadlock, this function doesn't wait for a second shard lock while it holds
  /// the entry's shard lock. Instead, it may release the entry's shard lock for a short time. In
  /// this time, the policy lock prevents other threads from inserting the key.
  ///
  /// - Parameter index: The empty slot of the shard at which the search for the key ended.
  @usableFromInline
  mutating func admit(
    _ hash: UInt64, cost: Int, into shard: Shard, at index: Int, of shards: UnsafeMutableRawPointer
  ) -> Admission? {
    let mask = shard.pointee.mask
    guard shard.pointee.reserve() else { return nil }
    var isUnchanged = shard.pointee.mask == mask  // Whether the new entry still belongs at `index`.
    let candidate = recordMissInlined(hash, cost: cost)
    let hasVictim = !hasRoom(for: cost, isNew: true)
    let (id, node): (UInt32, Node)
    if hasVictim {
      guard count > 0 else { return nil }
      (id, node) = removeLeastValuable()
      if detach(id, node, holding: shard, of: shards) { isUnchanged = false }
    } else {
      id = nodes.allocate()
      node = nodes[id]
    }
    guard !hasVictim || hasRoom(for: cost, isNew: false) else {
      nodes.free(id)
      return Admission(node: node, hasVictim: true, isAdmitted: false, candidate: candidate)
    }
    link(id, node, candidate, cost: cost)
    if isUnchanged {
      shard.pointee.insert(id, hash, at: index)
    } else {
      shard.pointee.insert(id, hash)
    }
    return Admission(node: node, hasVictim: hasVictim, isAdmitted: true, candidate: candidate)
  }

  /// Removes an evicted entry from its shard. This function never waits for one shard lock while it
  /// holds another. Returns whether the entry was in the shard `shard`.
  @inline(__always)
  private func detach(
    _ id: UInt32, _ node: Node, holding shard: Shard, of shards: UnsafeMutableRawPointer
  ) -> Bool {
    let hash = node.pointee.hash
    let own = MemoryShard.shard(of: hash, in: shards)
    guard own != shard else {
      own.pointee.remove(id, hash)
      return true
    }
    let isFree = tryAcquire(&own.pointee.mutex)
    if !isFree {
      release(&shard.pointee.mutex)
      acquire(&own.pointee.mutex)
    }
    own.pointee.remove(id, hash)
    release(&own.pointee.mutex)
    if !isFree { acquire(&shard.pointee.mutex) }
    return false
  }
}
