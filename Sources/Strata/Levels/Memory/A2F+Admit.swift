/// What came of an entry that was to come in at once.
@usableFromInline
struct Admission {
  /// The new entry's node, whose key and value the caller writes; that of the one which left, if
  /// the new one is not in.
  @usableFromInline let node: UnsafeMutablePointer<MemoryNode>
  /// Whether an entry left for it: its key and value are in the node, for the caller to move out.
  @usableFromInline let hasLeft: Bool
  /// Whether it is in; if not, more have to leave.
  @usableFromInline let isIn: Bool
  /// What is known by now of the key that comes.
  @usableFromInline let arrival: A2F.Arrival
}

extension A2F /* : coming and going at once */ {
  @usableFromInline typealias Shard = UnsafeMutablePointer<MemoryShard>

  /// Brings in an entry that is not here, in the node of the one that leaves for it if one has to.
  ///
  /// The caller holds the locks of the policy and of the entry's shard, and keeps them until key
  /// and value are where they belong; that of the shard may be let go of and taken again meanwhile,
  /// as no other lock is waited for while one is held. While the policy's is, what was absent stays
  /// so.
  @usableFromInline
  mutating func admit(
    _ hash: UInt64, cost: Int, into shard: Shard, of shards: UnsafeMutableRawPointer
  ) -> Admission {
    let arrival = note(hash)
    let hasLeft = !hasRoom(for: cost, isNew: true)
    let number: UInt32
    if hasLeft {
      number = takeLeast()
      detach(number, holding: shard, of: shards)
    } else {
      number = nodes.take()
    }
    let node = nodes[number]
    guard !hasLeft || hasRoom(for: cost, isNew: true) else {
      nodes.giveBack(number)
      return Admission(node: node, hasLeft: true, isIn: false, arrival: arrival)
    }
    enter(number, arrival, cost: cost)
    shard.pointee.insert(number, hash)
    return Admission(node: node, hasLeft: hasLeft, isIn: true, arrival: arrival)
  }

  /// Takes an entry that has left out of its shard, without waiting while a lock is held.
  @inline(__always)
  private func detach(_ number: UInt32, holding shard: Shard, of shards: UnsafeMutableRawPointer) {
    let hash = nodes[number].pointee.hash
    let own = MemoryShard.shard(of: hash, in: shards)
    if own == shard { return own.pointee.remove(number, hash) }
    let isFree = tryAcquire(&own.pointee.mutex)
    if !isFree {
      release(&shard.pointee.mutex)
      acquire(&own.pointee.mutex)
    }
    own.pointee.remove(number, hash)
    release(&own.pointee.mutex)
    if !isFree { acquire(&shard.pointee.mutex) }
  }
}
