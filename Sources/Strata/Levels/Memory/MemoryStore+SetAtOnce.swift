extension MemoryStore /* : writing, with a single look */ {
  /// Stores a value for a key that may be compared under the lock, if nobody is in the way.
  ///
  /// The lock of the key's shard is kept from the look until the entry is there. No other lock is
  /// waited for meanwhile, as elsewhere they are taken in the other order.
  @inlinable
  @inline(__always)
  func setAtOnce(
    _ value: Value, for key: Key, _ hash: UInt64, _ cost: Int,
    then report: ((Key, Value, EvictionCause) -> Void)?
  ) {
    let shard = shard(of: hash)
    acquire(&shard.pointee.mutex)
    if let node = find(key, hash, in: shard)?.node {
      guard node.pointee.cost == cost else {
        release(&shard.pointee.mutex)
        return setInTurns(value, for: key, hash, cost, nil, Departed(), then: report)
      }
      node.pointee.visit()
      let old = valuePointer(node).move()
      valuePointer(node).initialize(to: value)
      release(&shard.pointee.mutex)
      return withExtendedLifetime(old) { report?(key, old, .replaced) }
    }
    guard let state = policy.enterIfFree() else {
      release(&shard.pointee.mutex)
      return setInTurns(value, for: key, hash, cost, nil, Departed(), then: report)
    }
    let admission = state.pointee.admit(hash, cost: cost, into: shard, of: shards)
    let (keys, values) = (keyPointer(admission.node), valuePointer(admission.node))
    guard admission.hasLeft else {
      keys.initialize(to: key)
      values.initialize(to: value)
      policy.leave()
      return release(&shard.pointee.mutex)
    }
    let victim = (key: keys.move(), value: values.move())
    if admission.isIn {
      keys.initialize(to: key)
      values.initialize(to: value)
    }
    policy.leave()
    release(&shard.pointee.mutex)
    withExtendedLifetime(victim) {
      if admission.isIn {
        report?(victim.key, victim.value, .capacity)
      } else {
        setInTurns(
          value, for: key, hash, cost, admission.arrival,
          Departed(victim.key, victim.value, .capacity), then: report)
      }
    }
  }
}
