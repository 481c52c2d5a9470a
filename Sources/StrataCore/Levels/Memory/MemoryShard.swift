import Foundation

/// One of the hash tables of a memory level, with the lock that guards the table.
///
/// The table uses open addressing with linear probing. Each slot contains 32 bits of a hash, and
/// the node ID plus one. Empty slots are zero. The upper bits of the stored hash select the first
/// slot to probe. So when the table grows, one pass copies the slots to the larger table in nearly
/// the same order.
@usableFromInline
struct MemoryShard {
  /// The distance between shards in bytes, at which shards don't share a cache line.
  @usableFromInline static let stride = 128
  /// The number of shards. With so many, a level of a million entries grows one shard in less than
  /// a millisecond.
  @usableFromInline static let shardCount = 32

  @usableFromInline var slots: UnsafeMutablePointer<UInt64>
  @usableFromInline var shift: UInt32
  @usableFromInline var mask: Int
  var count = 0
  @usableFromInline var mutex: AdaptiveMutex
  /// The memory for the tables of all shards.
  private let tables: UnsafeMutablePointer<ShardTables>

  /// Allocates shards, with `stride` bytes for each, and initializes them.
  static func allocate(_ count: Int) -> UnsafeMutableRawPointer {
    precondition(MemoryLayout<MemoryShard>.size + 2 * MemoryLayout<Int>.stride <= stride)
    let shards = UnsafeMutableRawPointer.allocate(byteCount: count * stride, alignment: stride)
    let tables = UnsafeMutablePointer<ShardTables>.allocate(capacity: 1)
    tables.initialize(to: ShardTables(shards: count))
    for index in 0..<count {
      let shard = (shards + index * stride).bindMemory(to: MemoryShard.self, capacity: 1)
      shard.initialize(
        to: MemoryShard(
          slots: newSlots(), shift: 29, mask: 7, mutex: AdaptiveMutex(), tables: tables))
      initializeMutex(&shard.pointee.mutex)
      counts(of: shard).initialize(repeating: 0, count: 2)
    }
    return shards
  }

  /// The number of gets that found a value, and the number of those that didn't. Both are counted
  /// under the lock, at the end of the shard's memory. A change of a property would count as an
  /// access to the whole shard.
  @inlinable
  @inline(__always)
  static func counts(of shard: UnsafeMutablePointer<MemoryShard>) -> UnsafeMutablePointer<Int> {
    (UnsafeMutableRawPointer(shard) + (stride - 2 * MemoryLayout<Int>.stride))
      .assumingMemoryBound(to: Int.self)
  }

  static func deallocate(_ shards: UnsafeMutableRawPointer, _ count: Int) {
    let first = shards.assumingMemoryBound(to: MemoryShard.self)
    first.pointee.tables.pointee.reset()
    first.pointee.tables.deallocate()
    for index in 0..<count {
      let shard = (shards + index * stride).assumingMemoryBound(to: MemoryShard.self)
      destroyMutex(&shard.pointee.mutex)
      ShardTables.free(shard.pointee.slots)
    }
    shards.deallocate()
  }

  @inlinable
  @inline(__always)
  static func shard(
    of hash: UInt64, in shards: UnsafeMutableRawPointer
  ) -> UnsafeMutablePointer<MemoryShard> {
    (shards + Int(truncatingIfNeeded: hash &>> 59) &* stride)
      .assumingMemoryBound(to: MemoryShard.self)
  }

  /// Returns the 32 bits of a hash that are stored in a slot.
  @inlinable
  @inline(__always)
  static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash &>> 27) }

  @inline(__always)
  private static func slot(_ id: UInt32, _ hash: UInt64) -> UInt64 {
    UInt64(tag(hash)) &<< 32 | UInt64(id &+ 1)
  }

  /// Makes room for a node. Returns `false` if the table is full and a larger table can't be
  /// allocated. One slot stays empty, because a search ends at an empty slot.
  @inline(__always)
  mutating func reserve() -> Bool { count < (mask &+ 1) &>> 1 || grow() || count < mask }

  @usableFromInline
  mutating func insert(_ id: UInt32, _ hash: UInt64) {
    if count >= (mask &+ 1) &>> 1 { _ = grow() }
    count &+= 1
    let slot = MemoryShard.slot(id, hash)
    MemoryShard.put(slot, into: slots, shift, mask)
  }

  /// Inserts a node for which there is room at the empty slot at which a search for it ended.
  @inline(__always)
  mutating func insert(_ id: UInt32, _ hash: UInt64, at index: Int) {
    count &+= 1
    slots[index] = MemoryShard.slot(id, hash)
  }

  /// Removes a node and closes the gap in the table, because a search would stop at the gap.
  @usableFromInline
  mutating func remove(_ id: UInt32, _ hash: UInt64) {
    let slot = MemoryShard.slot(id, hash)
    var gap = Int(MemoryShard.tag(hash) &>> shift)
    while slots[gap] != slot { gap = (gap &+ 1) & mask }
    var next = (gap &+ 1) & mask
    while slots[next] != 0 {
      let home = MemoryShard.home(of: slots[next], shift)
      if (next &- home) & mask >= (next &- gap) & mask {
        slots[gap] = slots[next]
        gap = next
      }
      next = (next &+ 1) & mask
    }
    slots[gap] = 0
    count &-= 1
  }

  /// Removes and returns all slots, which the caller frees with `ShardTables.free`.
  mutating func removeAll() -> UnsafeMutableBufferPointer<UInt64> {
    let old = UnsafeMutableBufferPointer(start: slots, count: mask + 1)
    (slots, shift, mask, count) = (MemoryShard.newSlots(), 29, 7, 0)
    tables.pointee.reset()
    return old
  }

  @inline(__always)
  private static func home(of slot: UInt64, _ shift: UInt32) -> Int {
    Int(UInt32(truncatingIfNeeded: slot &>> 32) &>> shift)
  }

  @inline(__always)
  private static func put(
    _ slot: UInt64, into slots: UnsafeMutablePointer<UInt64>, _ shift: UInt32, _ mask: Int
  ) {
    var index = home(of: slot, shift)
    while slots[index] != 0 { index = (index &+ 1) & mask }
    slots[index] = slot
  }

  /// Moves all slots to a table of twice the size, in about three nanoseconds per slot.
  private mutating func grow() -> Bool {
    let (old, size) = (slots, mask + 1)
    guard let new = tables.pointee.allocate(2 * size) else { return false }
    let (shift, mask) = (shift - 1, 2 * size - 1)
    for index in 0..<size where old[index] != 0 {
      MemoryShard.put(old[index], into: new, shift, mask)
    }
    (slots, self.shift, self.mask) = (new, shift, mask)
    ShardTables.free(old)
    return true
  }

  private static func newSlots() -> UnsafeMutablePointer<UInt64> {
    zeroed(8, of: 8, alignment: 64).assumingMemoryBound(to: UInt64.self)
  }
}
