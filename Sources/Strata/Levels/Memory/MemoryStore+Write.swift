extension MemoryStore /* : writing */ {
  /// How many entries are let go of at most while the locks are held; then others have their turn.
  @usableFromInline static var batch: Int { 64 }

  /// Stores a value, and reports what has left for it.
  ///
  /// Of a key that is here, only the value changes, under the lock of its shard alone, unless its
  /// cost changes too.
  @inlinable
  func set(
    _ value: Value, for key: Key, then report: ((Key, Value, EvictionCause) -> Void)? = nil
  ) {
    let cost = cost.map { max(1, $0(value)) } ?? 1  // Values of no cost would not be bounded.
    let hash = hash(key)
    guard KeyHash.isPlain(Key.self), ages == nil, cost <= capacity else {
      return setInTurns(value, for: key, hash, cost, nil, Departed(), then: report)
    }
    setAtOnce(value, for: key, hash, cost, then: report)
  }

  /// Stores a value, with each lock taken for itself, and others let through between.
  @inlinable
  @inline(never)
  func setInTurns(
    _ value: Value, for key: Key, _ hash: UInt64, _ cost: Int, _ arrival: A2F.Arrival?,
    _ departed: Departed<Key, Value>, then report: ((Key, Value, EvictionCause) -> Void)?
  ) {
    var (arrival, departed) = (arrival, departed)
    if let ages, !ages.admits(value) {
      departed = remove(key, hash, cause: .expired)
    } else if cost > capacity {
      departed = remove(key, hash, cause: .replaced)
    } else {
      if let ages, let now = ages.dueNow { departed.append(sweep(ages, by: now), of: key) }
      setInTurns(value, for: key, hash, cost, &arrival, &departed)
    }
    if let report { departed.forEach(of: key, report) }
  }

  @inlinable
  func setInTurns(
    _ value: Value, for key: Key, _ hash: UInt64, _ cost: Int,
    _ arrival: inout A2F.Arrival?, _ departed: inout Departed<Key, Value>
  ) {
    while true {
      let sighting = look(for: key, hash)
      if sighting.seen.count > MemoryStore.alike, !sighting.isFound {
        departed.append(thin(hash), of: key)
        continue
      }
      if let old = replace(key, hash, by: value, cost, sighting) {
        return departed.append(key, old, .replaced)
      }
      let isDone = policy.withState { state in
        insert(key, hash, value, cost, sighting, &arrival, &state, &departed)
      }
      if isDone { return }
    }
  }

  /// Puts a value in the place of one that costs as much; `nil` if there is none.
  @inlinable
  func replace(
    _ key: Key, _ hash: UInt64, by value: Value, _ cost: Int, _ sighting: Sighting
  ) -> Value? {
    let shard = shard(of: hash)
    acquire(&shard.pointee.mutex)
    guard case .found(_, let node) = locate(key, hash, in: shard, sighting),
      node.pointee.cost == cost,
      ages.map({ $0.isNotEarlier(value, than: valuePointer(node).pointee) }) ?? true
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

  /// Makes room and stores a value, under the lock of the policy; false if it has to be tried
  /// again.
  @inlinable
  func insert(
    _ key: Key, _ hash: UInt64, _ value: Value, _ cost: Int, _ sighting: Sighting,
    _ arrival: inout A2F.Arrival?, _ state: inout A2F, _ departed: inout Departed<Key, Value>
  ) -> Bool {
    let shard = shard(of: hash)
    switch locate(key, hash, in: shard, sighting) {
    case .stale:
      return false
    case .found(let number, let node):
      let more = cost - node.pointee.cost
      guard state.hasRoom(for: more, isNew: false) else {
        evict(for: more, isNew: false, replacing: number, &state, &departed)
        return false  // The entry itself may be among those that left.
      }
      acquire(&shard.pointee.mutex)
      node.pointee.cost = cost
      node.pointee.visit()
      let old = valuePointer(node).move()
      valuePointer(node).initialize(to: value)
      release(&shard.pointee.mutex)
      ages?.schedule(number, value)
      state.total += more
      departed.append(key, old, .replaced)
      return true
    case .absent:
      let arriving = arrival ?? state.announce(hash)
      arrival = arriving
      guard evict(for: cost, isNew: true, &state, &departed) else { return false }
      let number = state.insert(arriving, cost: cost)
      let node = node(number)
      keyPointer(node).initialize(to: key)
      valuePointer(node).initialize(to: value)
      acquire(&shard.pointee.mutex)
      shard.pointee.insert(number, hash)
      release(&shard.pointee.mutex)
      ages?.schedule(number, value)
      return true
    }
  }

  /// Lets go of entries until there is room, or of as many as may be at once; false if not enough.
  @inlinable
  @discardableResult
  func evict(
    for cost: Int, isNew: Bool, replacing old: UInt32? = nil, _ state: inout A2F,
    _ departed: inout Departed<Key, Value>
  ) -> Bool {
    var left = MemoryStore.batch
    while !state.hasRoom(for: cost, isNew: isNew) {
      guard left > 0 else { return false }
      left -= 1
      let victim = state.evict()
      let (key, value) = takeOut(victim, &state)
      departed.append(key, value, victim == old ? .replaced : .capacity)
      if victim == old { return false }
    }
    return true
  }

  /// Empties the node of an entry that has left the policy.
  @inlinable
  func takeOut(_ number: UInt32, _ state: inout A2F) -> (Key, Value) {
    let node = node(number)
    let shard = shard(of: node.pointee.hash)
    acquire(&shard.pointee.mutex)
    shard.pointee.remove(number, node.pointee.hash)
    release(&shard.pointee.mutex)
    let entry = (keyPointer(node).move(), valuePointer(node).move())
    ages?.unschedule(number)
    state.nodes.giveBack(number)
    return entry
  }
}
