/// The hashes of recently evicted entries, each with its former queue and the time of its eviction.
///
/// The hash table consists of blocks of 64 bytes, one cache line each. Each block is a FIFO queue
/// of eight ghosts: an insertion shifts the ghosts of a block and drops the oldest one. For each
/// cache entry, the table takes 11 bytes. For every 8 entries, it stores up to 11 ghosts. Each
/// operation accesses only one cache line.
struct Ghosts {
  /// The queue that evicted an entry, and the number of evictions from this queue since then,
  /// including the eviction of the entry itself.
  struct Ghost {
    let wasMain: Bool
    let evictionsSince: Int
  }

  /// A block of the hash table, which stores eight ghosts. The tag of a ghost is the lower half of
  /// its hash, with the lowest bit set. The highest bit of its note is 1 if the main queue evicted
  /// the entry. The other 31 bits contain the number of entries that the same queue had evicted
  /// earlier. SIMD instructions process all eight elements of a vector together.
  private struct Block {
    var tags: SIMD8<UInt32>
    var notes: SIMD8<UInt32>
  }

  private let blocks: UnsafeMutablePointer<Block>
  private let count: UInt64
  /// The maximum number of cache entries that the table supports.
  let limit: Int

  private static var stampMask: UInt32 { 0x7fff_ffff }

  /// Creates an empty table. Returns `nil` if the allocation fails.
  ///
  /// - Parameter limit: The maximum number of entries in the cache.
  init?(limit: Int) {
    self.limit = limit
    count = UInt64(max(8, (11 * limit / 8 + 7) / 8))
    guard let memory = ZeroedMemory.allocate(Int(count), of: 64, alignment: 64) else { return nil }
    blocks = memory.assumingMemoryBound(to: Block.self)
  }

  func deallocate() { freeZeroed(blocks) }

  /// The size of the table in bytes.
  var bytes: Int { Int(count) * 64 }

  /// - Parameter stamp: The number of entries that the queue had evicted before this entry.
  @inline(__always)
  func insert(_ hash: UInt64, wasMain: Bool, stamp: Int) {
    let block = block(of: hash)
    let stamp = UInt32(truncatingIfNeeded: stamp) & Ghosts.stampMask
    Ghosts.push(tag(hash), to: block)
    Ghosts.push(
      stamp | (wasMain ? 1 &<< 31 : 0), to: UnsafeMutableRawPointer(block) + 32)
  }

  /// Inserts `first` at the beginning of a row of eight elements, and drops the last element. To
  /// move the other seven elements, it uses two vector operations, which overlap.
  @inline(__always)
  private static func push(_ first: UInt32, to row: UnsafeMutableRawPointer) {
    let low = row.load(as: SIMD4<UInt32>.self)
    let high = row.loadUnaligned(fromByteOffset: 12, as: SIMD4<UInt32>.self)
    row.storeBytes(of: low, toByteOffset: 4, as: SIMD4<UInt32>.self)
    row.storeBytes(of: high, toByteOffset: 16, as: SIMD4<UInt32>.self)
    row.storeBytes(of: first, as: UInt32.self)
  }

  /// Removes and returns the ghost of a hash, if there is one.
  ///
  /// - Parameter evictions: The number of evictions from each queue so far.
  @inline(__always)
  func remove(_ hash: UInt64, evictions: (window: Int, main: Int)) -> Ghost? {
    let block = block(of: hash)
    guard Ghosts.holds(tag(hash), block.pointee.tags),
      let slot = (0..<8).first(where: { block.pointee.tags[$0] == tag(hash) })
    else { return nil }
    let note = Ghosts.pull(slot, of: block)
    let wasMain = note &>> 31 == 1
    let now = UInt32(truncatingIfNeeded: wasMain ? evictions.main : evictions.window)
    return Ghost(wasMain: wasMain, evictionsSince: Int((now &- note) & Ghosts.stampMask))
  }

  /// Whether any of the eight tags is equal to `tag`. This function uses arithmetic, because the
  /// vector operator `.==` would compare the tags one at a time.
  @inline(__always)
  private static func holds(_ tag: UInt32, _ tags: SIMD8<UInt32>) -> Bool {
    let other = tags ^ SIMD8(repeating: tag)
    let zeros = (other &- SIMD8(repeating: 1)) & ~other  // The highest bit marks a zero element.
    let halves = zeros.lowHalf | zeros.highHalf
    let pairs = unsafeBitCast(halves, to: SIMD2<UInt64>.self)
    return (pairs[0] | pairs[1]) & 0x8000_0000_8000_0000 != 0
  }

  /// Removes the ghost in a slot, and moves each later ghost to the previous slot. Returns the note
  /// of the removed ghost.
  private static func pull(_ slot: Int, of block: UnsafeMutablePointer<Block>) -> UInt32 {
    let note = block.pointee.notes[slot]
    for next in slot..<7 {
      block.pointee.tags[next] = block.pointee.tags[next &+ 1]
      block.pointee.notes[next] = block.pointee.notes[next &+ 1]
    }
    (block.pointee.tags[7], block.pointee.notes[7]) = (0, 0)
    return note
  }

  @inline(__always)
  private func block(of hash: UInt64) -> UnsafeMutablePointer<Block> {
    blocks + Int(truncatingIfNeeded: hash.multipliedFullWidth(by: count).high)
  }

  /// Returns the lower half of the hash, because the upper bits select the block. It's never zero,
  /// because zero marks an empty slot.
  @inline(__always)
  private func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash) | 1 }
}
