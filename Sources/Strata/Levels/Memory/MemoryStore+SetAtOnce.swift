extension MemoryStore /* : writing, with a single look */ {
  /// Stores a value for a key that may be compared under the lock, if nobody is in the way.
  ///
  /// The lock of the key's shard is kept from the look until the entry is there. No other lock is
  /// waited for meanwhile, as elsewhere they are taken in the other order.
  ///
  /// - Returns: Whether it is stored; if not, the rest is to be done in turns.
  @inlinable
  @inline(__always)
  func setAtOnce(
    _ value: Value, for key: Key, _ hash: UInt64, _ cost: Int, _ arrival: inout A2F.Arrival?,
    replacing old: inout Value?, evicting victim: inout (key: Key?, value: Value?)
  ) -> Bool {
    let shard = shard(of: hash)
    acquire(&shard.pointee.mutex)
    if let node = find(key, hash, in: shard)?.node {
      let isDone = node.pointee.cost == cost
      if isDone {
        node.pointee.visit()
        old = valuePointer(node).move()
        valuePointer(node).initialize(to: value)
      }
      release(&shard.pointee.mutex)
      return isDone
    }
    guard let state = policy.acquireIfFree() else {
      release(&shard.pointee.mutex)
      return false
    }
    var isHeld = true
    let arriving = state.pointee.announce(hash)
    if !state.pointee.hasRoom(for: cost, isNew: true) {
      let number = state.pointee.evict()
      victim = takeOut(number, holding: shard, &isHeld, &state.pointee)
    }
    let isDone = state.pointee.hasRoom(for: cost, isNew: true)
    if isDone {
      let number = state.pointee.insert(arriving, cost: cost)
      let node = node(number)
      keyPointer(node).initialize(to: key)
      valuePointer(node).initialize(to: value)
      if !isHeld { acquire(&shard.pointee.mutex) }
      isHeld = true
      shard.pointee.insert(number, hash)
    } else {
      arrival = arriving  // Several have to leave.
    }
    if isHeld { release(&shard.pointee.mutex) }
    policy.giveBack()
    return isDone
  }

  /// Empties the node of an entry that has left the policy, without waiting while a lock is held.
  ///
  /// - Parameter isHeld: Whether the lock of the shard is still held; while the policy's is, an
  ///   entry that was absent stays so.
  @inlinable
  @inline(__always)
  func takeOut(
    _ number: UInt32, holding shard: Shard, _ isHeld: inout Bool, _ state: inout A2F
  ) -> (key: Key?, value: Value?) {
    let node = node(number)
    let own = self.shard(of: node.pointee.hash)
    let isSame = isHeld && own == shard
    if !isSame, !(isHeld && tryAcquire(&own.pointee.mutex)) {
      if isHeld { release(&shard.pointee.mutex) }
      isHeld = false
      acquire(&own.pointee.mutex)
    }
    own.pointee.remove(number, node.pointee.hash)
    if !isSame { release(&own.pointee.mutex) }
    defer { state.nodes.giveBack(number) }
    return (keyPointer(node).move(), valuePointer(node).move())
  }
}
