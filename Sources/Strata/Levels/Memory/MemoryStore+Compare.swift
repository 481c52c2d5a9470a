extension MemoryStore /* : keys whose `==` is code of the user */ {
  /// What was seen of a key while no lock was held: to be checked under the lock before it counts.
  @usableFromInline
  struct Sighting {
    /// The nodes of its hash, each with its serial number, in the order in which they were found.
    @usableFromInline var seen: [Trace] = []
    /// Which of them is the key's; the last of those seen.
    @usableFromInline var isFound = false

    @inlinable
    init() {}
  }

  @usableFromInline typealias Trace = (number: UInt32, serial: UInt32)

  @usableFromInline
  enum Location {
    case found(number: UInt32, Node)
    case absent
    /// What was seen is no longer so: look again.
    case stale
  }

  /// The value of a key that is compared outside the lock.
  @inlinable
  func value(for key: Key, of hash: UInt64) -> Value? {
    let shard = shard(of: hash)
    acquire(&shard.pointee.mutex)
    var first: (key: Key, value: Value)?
    if let node = next(of: hash, in: shard, after: nil)?.node {
      node.pointee.visit()
      first = (keyPointer(node).pointee, valuePointer(node).pointee)
    }
    release(&shard.pointee.mutex)
    guard let first else { return nil }
    return first.key == key ? first.value : valueAmongEquals(for: key, of: hash)
  }

  @inlinable
  func valueAmongEquals(for key: Key, of hash: UInt64) -> Value? {
    let shard = shard(of: hash)
    var entries: [(key: Key, value: Value)] = []
    acquire(&shard.pointee.mutex)
    var place: Int?
    while let found = next(of: hash, in: shard, after: place) {
      found.node.pointee.visit()
      entries.append((keyPointer(found.node).pointee, valuePointer(found.node).pointee))
      place = found.place
    }
    release(&shard.pointee.mutex)
    return entries.first { $0.key == key }?.value
  }

  /// Looks for a key outside the lock; for one that may be compared under it, there is no need.
  @inlinable
  func look(for key: Key, _ hash: UInt64) -> Sighting {
    var sighting = Sighting()
    guard !KeyHash.isPlain(Key.self) else { return sighting }
    let shard = shard(of: hash)
    var keys: [Key] = []
    acquire(&shard.pointee.mutex)
    var place: Int?
    while let found = next(of: hash, in: shard, after: place) {
      sighting.seen.append((found.number, found.node.pointee.serial))
      keys.append(keyPointer(found.node).pointee)
      place = found.place
    }
    release(&shard.pointee.mutex)
    guard let index = keys.firstIndex(of: key) else { return sighting }
    sighting.seen.removeSubrange((index + 1)...)
    sighting.isFound = true
    return sighting
  }

  /// Where a key is. The caller holds the lock of the policy or that of the shard.
  @inlinable
  @inline(__always)
  func locate(
    _ key: Key, _ hash: UInt64, in shard: Shard, _ sighting: Sighting
  ) -> Location {
    guard KeyHash.isPlain(Key.self) else { return check(sighting, hash, in: shard) }
    guard let found = find(key, hash, in: shard) else { return .absent }
    return .found(number: found.number, found.node)
  }

  /// Whether all is as it was seen.
  ///
  /// Nodes are read as the table gives them, never by a number from before: one that has left the
  /// table is emptied under another lock.
  @inlinable
  func check(_ sighting: Sighting, _ hash: UInt64, in shard: Shard) -> Location {
    var place: Int?
    var last: Found?
    for trace in sighting.seen {
      guard let found = next(of: hash, in: shard, after: place), found.number == trace.number,
        found.node.pointee.serial == trace.serial
      else { return .stale }
      place = found.place
      last = (found.number, found.node)
    }
    if sighting.isFound, let last { return .found(number: last.number, last.node) }
    return next(of: hash, in: shard, after: place) == nil ? .absent : .stale
  }

  /// The next node of a hash. The caller holds the lock of the policy or that of the shard.
  @inlinable
  func next(
    of hash: UInt64, in shard: Shard, after last: Int?
  ) -> (place: Int, number: UInt32, node: Node)? {
    let tag = MemoryShard.tag(hash)
    let (slots, mask) = (shard.pointee.slots, shard.pointee.mask)
    var place = last.map { ($0 &+ 1) & mask } ?? Int(tag &>> shard.pointee.shift)
    while true {
      let slot = slots[place]
      if slot == 0 { return nil }
      if UInt32(truncatingIfNeeded: slot &>> 32) == tag {
        let number = UInt32(truncatingIfNeeded: slot) &- 1
        let node = node(number)
        if node.pointee.hash == hash { return (place, number, node) }
      }
      place = (place &+ 1) & mask
    }
  }

  /// How many entries of one hash are kept: more would make each get and set of theirs slow.
  @usableFromInline static var alike: Int { 64 }

  /// Lets go of the latest entry of a hash that too many share.
  @usableFromInline
  func thin(_ hash: UInt64) -> Departed<Key, Value> {
    policy.withState { state in
      let shard = shard(of: hash)
      var (last, place): (UInt32?, Int?) = (nil, nil)
      while let found = next(of: hash, in: shard, after: place) {
        (last, place) = (found.number, found.place)
      }
      guard let last else { return Departed() }
      state.remove(last)
      let (key, value) = takeOut(last, &state)
      return Departed(key, value, .capacity)
    }
  }
}
