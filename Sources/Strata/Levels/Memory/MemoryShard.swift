#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// One of the tables in which the memory level finds its nodes, with the lock that guards it.
///
/// Open addressing, one step at a time: a slot holds 32 bits of the hash and the number of a node.
/// The place of an entry is given by the upper bits of the hash, so that growth keeps the order and
/// goes through old and new table once, side by side.
@usableFromInline
struct MemoryShard {
  /// How far apart shards lie: they share no cache line.
  @usableFromInline static let stride = 128
  /// So many that one grows in less than a millisecond when there are a million entries.
  @usableFromInline static let number = 32

  @usableFromInline var mutex: PlatformMutex
  @usableFromInline var slots: UnsafeMutablePointer<UInt64>
  @usableFromInline var shift: UInt32
  @usableFromInline var mask: Int
  var count = 0

  static func initialize(at shard: UnsafeMutablePointer<MemoryShard>) {
    shard.initialize(
      to: MemoryShard(mutex: PlatformMutex(), slots: newSlots(8), shift: 29, mask: 7))
    #if !canImport(Darwin)
      pthread_mutex_init(&shard.pointee.mutex, nil)
    #endif
  }

  static func destroy(_ shard: UnsafeMutablePointer<MemoryShard>) {
    #if !canImport(Darwin)
      pthread_mutex_destroy(&shard.pointee.mutex)
    #endif
    freeZeroed(shard.pointee.slots)
  }

  /// The shard of a hash.
  @inlinable
  @inline(__always)
  static func shard(
    of hash: UInt64, in shards: UnsafeMutableRawPointer
  ) -> UnsafeMutablePointer<MemoryShard> {
    (shards + Int(truncatingIfNeeded: hash &>> 59) &* stride)
      .assumingMemoryBound(to: MemoryShard.self)
  }

  /// The bits of a hash that a slot holds.
  @inlinable
  @inline(__always)
  static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash &>> 27) }

  @inline(__always)
  private static func slot(_ number: UInt32, _ hash: UInt64) -> UInt64 {
    UInt64(tag(hash)) &<< 32 | UInt64(number &+ 1)
  }

  @usableFromInline
  mutating func insert(_ number: UInt32, _ hash: UInt64) {
    if count >= (mask &+ 1) &>> 1 { grow() }
    count &+= 1
    put(MemoryShard.slot(number, hash))
  }

  /// Takes a node out, and moves those behind it back, so that no search meets a gap.
  @usableFromInline
  mutating func remove(_ number: UInt32, _ hash: UInt64) {
    let slot = MemoryShard.slot(number, hash)
    var gap = Int(MemoryShard.tag(hash) &>> shift)
    while slots[gap] != slot { gap = (gap &+ 1) & mask }
    var next = (gap &+ 1) & mask
    while slots[next] != 0 {
      let home = Int(UInt32(truncatingIfNeeded: slots[next] &>> 32) &>> shift)
      if (next &- home) & mask >= (next &- gap) & mask {
        slots[gap] = slots[next]
        gap = next
      }
      next = (next &+ 1) & mask
    }
    slots[gap] = 0
    count &-= 1
  }

  /// Starts anew; returns the slots there were, for the caller to free.
  mutating func removeAll() -> UnsafeMutableBufferPointer<UInt64> {
    let old = UnsafeMutableBufferPointer(start: slots, count: mask + 1)
    (slots, shift, mask, count) = (MemoryShard.newSlots(8), 29, 7, 0)
    return old
  }

  private mutating func put(_ slot: UInt64) {
    var place = Int(UInt32(truncatingIfNeeded: slot &>> 32) &>> shift)
    while slots[place] != 0 { place = (place &+ 1) & mask }
    slots[place] = slot
  }

  /// Moves all slots to a table of twice the size, near three nanoseconds each.
  private mutating func grow() {
    let (old, size) = (slots, mask + 1)
    let (new, shift, mask) = (MemoryShard.newSlots(2 * size), shift - 1, 2 * size - 1)
    for place in 0..<size where old[place] != 0 {
      let slot = old[place]
      var home = Int(UInt32(truncatingIfNeeded: slot &>> 32) &>> shift)
      while new[home] != 0 { home = (home &+ 1) & mask }
      new[home] = slot
    }
    (slots, self.shift, self.mask) = (new, shift, mask)
    freeZeroed(old)
  }

  private static func newSlots(_ count: Int) -> UnsafeMutablePointer<UInt64> {
    zeroed(count, of: 8, alignment: 64).assumingMemoryBound(to: UInt64.self)
  }
}
