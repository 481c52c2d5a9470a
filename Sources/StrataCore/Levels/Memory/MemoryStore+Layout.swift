extension MemoryStore /* : memory layout */ {
  @usableFromInline typealias Node = UnsafeMutablePointer<MemoryNode>
  @usableFromInline typealias Shard = UnsafeMutablePointer<MemoryShard>
  @usableFromInline typealias Found = (id: UInt32, node: Node)

  @inlinable
  @inline(__always)
  func shard(_ index: Int) -> Shard {
    (shards + index &* MemoryShard.stride).assumingMemoryBound(to: MemoryShard.self)
  }

  @inlinable
  @inline(__always)
  func shard(of hash: UInt64) -> Shard {
    MemoryShard.shard(of: hash, in: shards)
  }

  @inlinable
  @inline(__always)
  func node(_ id: UInt32) -> Node {
    MemoryNodes.node(id, in: chunks, stride: MemoryStore.stride)
  }

  @inlinable
  @inline(__always)
  func keyPointer(_ node: Node) -> UnsafeMutablePointer<Key> {
    (UnsafeMutableRawPointer(node) + MemoryStore.keyOffset).assumingMemoryBound(to: Key.self)
  }

  @inlinable
  @inline(__always)
  func valuePointer(_ node: Node) -> UnsafeMutablePointer<Value> {
    (UnsafeMutableRawPointer(node) + MemoryStore.valueOffset).assumingMemoryBound(to: Value.self)
  }

  @inlinable
  @inline(__always)
  static var keyOffset: Int { aligned(MemoryLayout<MemoryNode>.size, for: Key.self) }

  @inlinable
  @inline(__always)
  static var valueOffset: Int { aligned(keyOffset &+ MemoryLayout<Key>.size, for: Value.self) }

  @inlinable
  @inline(__always)
  static var stride: Int {
    (valueOffset &+ MemoryLayout<Value>.size &+ alignment &- 1) & ~(alignment &- 1)
  }

  @inlinable
  @inline(__always)
  static var alignment: Int {
    max(MemoryLayout<Int>.alignment, MemoryLayout<Key>.alignment, MemoryLayout<Value>.alignment)
  }

  @inlinable
  @inline(__always)
  static func aligned<T>(_ offset: Int, for type: T.Type) -> Int {
    let alignment = MemoryLayout<T>.alignment
    return (offset &+ alignment &- 1) & ~(alignment &- 1)
  }

  /// Returns the node of a key, or `nil` if the table doesn't contain the key. The caller must hold
  /// the policy lock or the shard lock. And the key must be a string or an integer, because `==`
  /// runs while the lock is held.
  @inlinable
  @inline(__always)
  func find(_ key: Key, _ hash: UInt64, in shard: Shard) -> Found? {
    search(key, hash, in: shard).found
  }

  /// Returns the same as `find`, and the index of the slot at which the search ended. If the key
  /// isn't found, this slot is empty, and a new entry belongs there.
  @inlinable
  @inline(__always)
  func search(_ key: Key, _ hash: UInt64, in shard: Shard) -> (found: Found?, index: Int) {
    let tag = MemoryShard.tag(hash)
    let (slots, mask) = (shard.pointee.slots, shard.pointee.mask)
    var index = Int(tag &>> shard.pointee.shift)
    while true {
      let slot = slots[index]
      if slot == 0 { return (nil, index) }
      if UInt32(truncatingIfNeeded: slot &>> 32) == tag {
        let id = UInt32(truncatingIfNeeded: slot) &- 1
        let node = node(id)
        if node.pointee.hash == hash, keyPointer(node).pointee == key { return ((id, node), index) }
      }
      index = (index &+ 1) & mask
    }
  }
}
