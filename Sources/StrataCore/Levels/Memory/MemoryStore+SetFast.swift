extension MemoryStore /* : writing with a single lookup */ {
  /// Stores a value for a key whose `==` can safely run under the lock. If possible, looks up the
  /// key only once.
  ///
  /// Except during some evictions, this function holds the shard lock from the lookup until the
  /// entry is stored. Other operations take the policy lock before a shard lock. So to avoid a
  /// deadlock, this function doesn't wait for the policy lock. When another thread holds that lock,
  /// `setSlow` takes over.
  @inlinable
  @inline(__always)
  func setFast(
    _ value: Value, for key: Key, _ hash: UInt64, _ cost: Int,
    then report: ((Key, Value, EvictionCause) -> Void)?
  ) {
    let shard = shard(of: hash)
    acquire(&shard.pointee.mutex)
    let (found, index) = search(key, hash, in: shard)
    if let node = found?.node {
      guard node.pointee.cost == cost else {
        release(&shard.pointee.mutex)
        return setSlow(value, for: key, hash, cost, then: report)
      }
      node.pointee.visit()
      let old = valuePointer(node).move()
      valuePointer(node).initialize(to: value)
      release(&shard.pointee.mutex)
      return withExtendedLifetime(old) {
        if let report, !isSameValue(old, value) { report(key, old, .replaced) }
      }
    }
    guard let state = policy.tryLock() else {
      release(&shard.pointee.mutex)
      return setSlow(value, for: key, hash, cost, then: report)
    }
    guard cost >= share else {  // The share has just grown.
      policy.unlock()
      release(&shard.pointee.mutex)
      return setSlow(value, for: key, hash, cost, then: report)
    }
    guard
      let admission = state.pointee.admit(hash, cost: cost, into: shard, at: index, of: shards)
    else {
      policy.unlock()
      return release(&shard.pointee.mutex)
    }
    let (keys, values) = (keyPointer(admission.node), valuePointer(admission.node))
    guard admission.hasVictim else {
      keys.initialize(to: key)
      values.initialize(to: value)
      policy.unlock()
      return release(&shard.pointee.mutex)
    }
    let victim = (key: keys.move(), value: values.move())
    if admission.isAdmitted {
      keys.initialize(to: key)
      values.initialize(to: value)
    }
    policy.unlock()
    release(&shard.pointee.mutex)
    withExtendedLifetime(victim) {
      if admission.isAdmitted {
        report?(victim.key, victim.value, .capacity)
      } else {
        setRest(
          value, for: key, hash, cost, admission.candidate, victim.key, victim.value, then: report)
      }
    }
  }

  // Where the key and value types are generic parameters at run time, a function that uses
  // `EvictedEntries` looks up the metadata of this type and of several optionals in each call. Most
  // calls of `setFast` don't need them, so only these two functions use the type.

  @inlinable
  @inline(never)
  func setSlow(
    _ value: Value, for key: Key, _ hash: UInt64, _ cost: Int,
    then report: ((Key, Value, EvictionCause) -> Void)?
  ) {
    setSlow(value, for: key, hash, cost, nil, EvictedEntries(), then: report)
  }

  /// Continues a write whose first eviction didn't free enough space.
  @inlinable
  @inline(never)
  func setRest(
    _ value: Value, for key: Key, _ hash: UInt64, _ cost: Int, _ candidate: A2F.Candidate,
    _ evictedKey: Key, _ evictedValue: Value,
    then report: ((Key, Value, EvictionCause) -> Void)?
  ) {
    let evicted = EvictedEntries(evictedKey, evictedValue, .capacity)
    setSlow(value, for: key, hash, cost, candidate, evicted, then: report)
  }
}
