import Foundation

/// A count-min sketch that estimates how often each hash was looked up recently. Each hash has four
/// counters of 4 bits.
///
/// The four counters of a hash are in two blocks of 64 bytes, one cache line each. In one block,
/// more keys would collide, and some hit ratios would fall by half a percentage point. All counters
/// are halved periodically, and copied when the sketch grows. To avoid a long delay, the sketch
/// halves or copies one block at a time, usually when the block is next used.
struct Sketch {
  private struct Table {
    let words: UnsafeMutablePointer<UInt64>
    let epochs: UnsafeMutablePointer<UInt32>  // Each block's epoch, or 0 for an unused block.
    let blocks: Int

    /// Creates an empty table, or returns `nil` if the allocation fails.
    init?(blocks: Int) {
      self.blocks = blocks
      guard let memory = ZeroedMemory.allocate(blocks, of: 68, alignment: 64) else { return nil }
      words = memory.assumingMemoryBound(to: UInt64.self)
      epochs = (memory + 64 * blocks).assumingMemoryBound(to: UInt32.self)
    }

    func deallocate() { freeZeroed(words) }
  }

  private var table: Table
  private var older: Table?  // The previous table, from which blocks are copied.
  private var copied = 0
  private(set) var epoch: UInt32 = 1
  private var counted = 0

  /// - Parameter entries: The number of entries in the cache. The sketch takes at least 16 bytes
  ///   for each. When the allocation fails, the sketch is smaller and its estimates are less exact.
  init(entries: Int) {
    var (table, blocks) = (nil as Table?, Sketch.blocks(for: entries))
    repeat {
      precondition(blocks > 0, "out of memory")
      table = Table(blocks: blocks)
      blocks /= 2
    } while table == nil
    self.table = table.unsafelyUnwrapped
  }

  /// The size of the tables in bytes.
  var bytes: Int { (table.blocks + (older?.blocks ?? 0)) * 68 }

  func deallocate() {
    table.deallocate()
    older?.deallocate()
  }

  /// Counts a lookup of a hash, and returns the new estimate.
  ///
  /// - Parameter entries: The number of entries in the cache. The counters are halved after at
  ///   least 20 * `entries` lookups, and at least 5,120.
  @inline(__always)
  mutating func add(_ hash: UInt64, entries: Int) -> FrequencyEstimate {
    let bits = offsets(hash)
    let (upper, lower) = (block(bits &>> 20), block(bits &>> 42))
    let one = Sketch.increment(upper, bits)
    let two = Sketch.increment(lower, bits &>> 10)
    let estimate = FrequencyEstimate(min(one.count, two.count), epoch)
    if one.step | two.step != 0 { halveIfDue(entries) }
    return estimate
  }

  @inline(__always)
  private mutating func halveIfDue(_ entries: Int) {
    counted &+= 1
    if counted >= 5120, counted >= 20 &* entries {
      counted /= 2
      epoch &+= 1
    }
  }

  /// Grows the table if the cache has more entries than the table supports.
  @inline(__always)
  mutating func grow(entries: Int) {
    guard older != nil || entries > table.blocks &* (8 / Sketch.wordsPerEntry) else { return }
    growNow(entries: entries)
  }

  @inline(never)
  private mutating func growNow(entries: Int) {
    if older != nil {
      if copied < table.blocks { copyNext() }
      if copied == table.blocks { dropOlder() }
    }
    guard Sketch.blocks(for: entries) > table.blocks else { return }
    guard let larger = Table(blocks: table.blocks * 2) else { return }
    while older != nil, copied < table.blocks { copyNext() }
    dropOlder()
    older = table
    copied = 0
    table = larger
  }

  private mutating func dropOlder() {
    older?.deallocate()
    older = nil
  }

  private mutating func copyNext() {
    if table.epochs[copied] != epoch { update(copied) }
    copied += 1
  }

  /// The number of 8-byte words for each entry. With one word, the older counts of stored entries
  /// are less inflated by collisions than the count of a new key, so the new key often wins.
  private static var wordsPerEntry: Int { 2 }

  private static func blocks(for entries: Int) -> Int {
    var words = 1024  // With fewer words, too many keys would share counters.
    while words < entries * wordsPerEntry { words *= 2 }
    return words / 8
  }

  /// Returns 64 bits that select two blocks, and two counters in each block. Bits 20 to 41 select
  /// the first block, and bits 0 to 8 select its counters. Bits 42 to 63 select the second block,
  /// and bits 10 to 18 select its counters.
  @inline(__always)
  private func offsets(_ hash: UInt64) -> UInt64 {
    KeyHash.folded(hash ^ 0x8a5c_d789_635d_2dff, 0x9e6c_63d0_876a_68ed)
  }

  /// Returns a pointer to a block. If the block isn't up to date, first copies or halves its
  /// counters.
  @inline(__always)
  private mutating func block(_ bits: UInt64) -> UnsafeMutablePointer<UInt64> {
    let block = Int(truncatingIfNeeded: bits) & (table.blocks &- 1)
    if table.epochs[block] != epoch { update(block) }
    return table.words + block &* 8
  }

  /// Increments two counters of one word, each up to a maximum of 15.
  @inline(__always)
  private static func increment(
    _ block: UnsafeMutablePointer<UInt64>, _ bits: UInt64
  ) -> (count: UInt64, step: UInt64) {
    let index = Int(truncatingIfNeeded: bits & 7)
    let word = block[index]
    let (one, two) = (bits &>> 1 & 28, bits &>> 4 & 28 | 32)
    let (first, second) = (word &>> one & 15, word &>> two & 15)
    let (stepOne, stepTwo): (UInt64, UInt64) = (first == 15 ? 0 : 1, second == 15 ? 0 : 1)
    block[index] = word &+ (stepOne &<< one) &+ (stepTwo &<< two)
    return (min(first &+ stepOne, second &+ stepTwo), stepOne | stepTwo)
  }

  @inline(never)
  private mutating func update(_ block: Int) {
    let words = table.words + block * 8
    var seen = table.epochs[block]
    if seen == 0, let older {
      let source = block & (older.blocks - 1)
      seen = older.epochs[source]
      if seen != 0 { words.update(from: older.words + source * 8, count: 8) }
    }
    let halvings = seen == 0 ? 0 : min(epoch - seen, 4)
    for _ in 0..<halvings {
      for word in 0..<8 { words[word] = words[word] &>> 1 & 0x7777_7777_7777_7777 }
    }
    table.epochs[block] = epoch
  }
}
