extension MemoryStore /* : writing */ {
  /// The maximum number of evictions in one critical section. This limit prevents long waits in
  /// other threads.
  @usableFromInline static var batch: Int { 64 }

  /// Stores a value, and then reports the evicted entries.
  ///
  /// Replacing a value with another value of the same cost requires only the shard lock.
  @inlinable
  func set(
    _ value: Value, for key: Key, then report: ((Key, Value, EvictionCause) -> Void)? = nil
  ) {
    let hash = hash(key)
    guard written == nil else { return setMarking(value, for: key, hash, then: report) }
    set(value, for: key, hash, then: report)
  }

  @inlinable
  @inline(__always)
  func set(
    _ value: Value, for key: Key, _ hash: UInt64,
    then report: ((Key, Value, EvictionCause) -> Void)?
  ) {
    let cost = price(of: value, for: key)
    guard KeyHash.isPlain(Key.self), expirations == nil, cost > 0, cost <= capacity else {
      return setSlow(value, for: key, hash, cost, then: report)
    }
    setFast(value, for: key, hash, cost, then: report)
  }

  /// Stores a value, and records that the key has been written. This takes two marks, one before
  /// and one after the value. A load that overlaps the write must see a mark before the value, and
  /// a save must see the value before a mark.
  @inlinable
  @inline(never)
  func setMarking(
    _ value: Value, for key: Key, _ hash: UInt64,
    then report: ((Key, Value, EvictionCause) -> Void)?
  ) {
    written?.mark(hash)
    set(value, for: key, hash, then: report)
    written?.mark(hash)
  }

  /// Returns the cost of a value, or zero if the value is pinned.
  @inlinable
  @inline(__always)
  func price(of value: Value, for key: Key) -> Int {
    // If the cost were zero, every entry would fit.
    if let cost { return max(share, cost(value)) }
    guard let keyedCost else { return 1 }
    let cost = keyedCost(key, value)
    return cost == 0 ? 0 : max(share, cost)
  }

  /// Stores a value in several critical sections. Between two critical sections, another thread can
  /// write the same key.
  @inlinable
  @inline(never)
  func setSlow(
    _ value: Value, for key: Key, _ hash: UInt64, _ cost: Int, _ candidate: A2F.Candidate?,
    _ evicted: EvictedEntries<Key, Value>, then report: ((Key, Value, EvictionCause) -> Void)?
  ) {
    guard KeyHash.isReusable(key) else { return }
    var (candidate, evicted) = (candidate, evicted)
    var isStored = false
    if let expirations, !expirations.admits(value) {
      evicted = remove(key, hash, cause: .expired)
    } else if cost > capacity || capacity == 0 {
      evicted = remove(key, hash, cause: .replaced)
    } else {
      if let expirations, let now = expirations.dueTick {
        evicted.append(sweep(expirations, by: now), writtenKey: key)
      }
      setSlow(value, for: key, hash, cost, &candidate, &evicted)
      isStored = true
    }
    guard let report else { return }
    evicted.forEach(writtenKey: key) { evictedKey, old, cause in
      // If the new value is the old one, it stays in the level, so nothing is reported.
      if isStored, isSameValue(old, value), KeyHash.areSame(evictedKey, key) { return }
      report(evictedKey, old, cause)
    }
  }

  @inlinable
  func setSlow(
    _ value: Value, for key: Key, _ hash: UInt64, _ cost: Int,
    _ candidate: inout A2F.Candidate?, _ evicted: inout EvictedEntries<Key, Value>
  ) {
    while true {
      let snapshot = snapshot(of: key, hash)
      if snapshot.nodes.count >= MemoryStore.equalHashLimit, !snapshot.isFound {
        evicted.append(evictNewest(ofHash: hash), writtenKey: key)
        continue
      }
      if let old = replace(key, hash, by: value, cost, snapshot) {
        return evicted.append(key, old, .replaced)
      }
      let isDone = policy.withLock { state in
        insert(key, hash, value, cost, snapshot, &candidate, &state, &evicted)
      }
      if isDone { return }
    }
  }

  /// Replaces a value with another value of the same cost, and returns the old value. Returns `nil`
  /// if the key isn't found, the costs differ, or the new value expires earlier than the old value.
  @inlinable
  func replace(
    _ key: Key, _ hash: UInt64, by value: Value, _ cost: Int, _ snapshot: LookupSnapshot
  ) -> Value? {
    let shard = shard(of: hash)
    acquire(&shard.pointee.mutex)
    guard case .found(_, let node) = locate(key, hash, in: shard, snapshot),
      node.pointee.cost == cost,
      expirations.map({ $0.expires(value, noEarlierThan: valuePointer(node).pointee) }) ?? true
    else {
      release(&shard.pointee.mutex)
      return nil
    }
    node.pointee.visit()
    let old = valuePointer(node).move()
    valuePointer(node).initialize(to: value)
    release(&shard.pointee.mutex)
    return old
  }

  /// Makes room and stores a value. Returns `false` if the caller must try again.
  @inlinable
  func insert(
    _ key: Key, _ hash: UInt64, _ value: Value, _ cost: Int, _ snapshot: LookupSnapshot,
    _ candidate: inout A2F.Candidate?, _ state: inout A2F,
    _ evicted: inout EvictedEntries<Key, Value>
  ) -> Bool {
    let shard = shard(of: hash)
    let location = locate(key, hash, in: shard, snapshot)
    // The share may have grown since the caller computed the cost.
    var cost = cost == 0 ? 0 : max(share, cost)
    if cost == 0 || cost > state.capacity {
      guard let changed = admit(location, cost: cost, &state, &evicted) else { return true }
      cost = changed
    }
    switch location {
    case .stale:
      return false
    case .found(let id, let node):
      if (cost == 0) != (node.pointee.cost == 0) {
        drop(id, &state, &evicted)
        return false
      }
      let more = cost - node.pointee.cost
      guard state.hasRoom(for: more, isNew: false) else {
        evict(for: more, isNew: false, replacing: id, &state, &evicted)
        return false  // The evictions might include the found entry.
      }
      acquire(&shard.pointee.mutex)
      node.pointee.cost = cost
      node.pointee.visit()
      let old = valuePointer(node).move()
      valuePointer(node).initialize(to: value)
      release(&shard.pointee.mutex)
      expirations?.schedule(id, value)
      state.total += more
      evicted.append(key, old, .replaced)
      return true
    case .absent where cost == 0:
      guard state.mayInsert(into: shard), state.hasRoom(for: 0, isNew: true) else { return true }
      place(key, value, in: state.insertPinned(hash), hash, shard)
      return true
    case .absent:
      let recorded = candidate ?? state.recordMiss(hash, cost: cost)
      candidate = recorded
      guard state.mayInsert(into: shard) else { return true }
      guard evict(for: cost, isNew: true, &state, &evicted) else { return false }
      place(key, value, in: state.insert(recorded, cost: cost), hash, shard)
      return true
    }
  }

  /// Stores the key and the value of a new entry, and makes the entry visible.
  @inlinable
  func place(_ key: Key, _ value: Value, in id: UInt32, _ hash: UInt64, _ shard: Shard) {
    let node = node(id)
    keyPointer(node).initialize(to: key)
    valuePointer(node).initialize(to: value)
    acquire(&shard.pointee.mutex)
    shard.pointee.insert(id, hash)
    release(&shard.pointee.mutex)
    expirations?.schedule(id, value)
  }

  /// Evicts up to `batch` entries to make room. Returns `false` if these evictions don't make
  /// enough room, or if the entry `old` is one of the evicted entries.
  @inlinable
  @discardableResult
  func evict(
    for cost: Int, isNew: Bool, replacing old: UInt32? = nil, _ state: inout A2F,
    _ evicted: inout EvictedEntries<Key, Value>
  ) -> Bool {
    var remaining = MemoryStore.batch
    while !state.hasRoom(for: cost, isNew: isNew) {
      guard remaining > 0 else { return false }
      remaining -= 1
      let victim = state.evict()
      let (key, value) = extract(victim, &state)
      evicted.append(key, value, victim == old ? .replaced : .capacity)
      if victim == old { return false }
    }
    return true
  }

  /// Moves the key and value out of a node that the policy has removed, and frees the node.
  @inlinable
  func extract(_ id: UInt32, _ state: inout A2F) -> (Key, Value) {
    let node = node(id)
    let shard = shard(of: node.pointee.hash)
    acquire(&shard.pointee.mutex)
    shard.pointee.remove(id, node.pointee.hash)
    release(&shard.pointee.mutex)
    let entry = (keyPointer(node).move(), valuePointer(node).move())
    expirations?.unschedule(id)
    state.nodes.free(id)
    return entry
  }
}
